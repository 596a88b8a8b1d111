"""The scripted person's way through a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from browser_capture.chromium import require_chromium
from exports.demo.demo_tasks import demo_tasks
from exports.demo.people.walking import Walker
from exports.demo.web import DemoWeb


@pytest.mark.browser
def test_path_with_tabs_and_a_typed_address_is_walked_to_its_end(own_demo_web: DemoWeb, tmp_path: Path) -> None:
    task = next(task for task in demo_tasks("own") if task.task.task_id == "merrow-lights-table")
    arguments = ["--no-sandbox", *own_demo_web.browser_arguments]
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=str(require_chromium().path), args=arguments
        )
        walker = Walker(context, context.new_page(), reading_seconds=0)
        for step in task.path:
            walker.walk(step)
        assert [tab.url for tab in walker.tabs] == ["https://lights.merrow.example/lights/old-sorrel.html"]
        context.close()
