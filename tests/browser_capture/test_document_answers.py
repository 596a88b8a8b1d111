"""The answers to document requests, read from Playwright's events in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Response, async_playwright

from browser_capture.browser.document_answers import DocumentAnswers
from browser_capture.browser_process import start_browser, stop_browser
from browser_capture.chromium import require_chromium
from browser_capture.sources.wire import Answer
from tests.fakes import LocalSite, Reply

PAGE = "<title>Page</title><link rel=stylesheet href=/style><img src=/picture><iframe src=/frame></iframe>"


class Counted(DocumentAnswers):
    """Keeps the address of everything that Playwright tells."""

    told: list[str] | None = None

    def _on_response(self, response: Response) -> None:
        self.told = [*(self.told or []), response.url]
        super()._on_response(response)


@pytest.mark.browser
def test_only_documents_are_told_and_only_main_ones_handed_on(tmp_path: Path) -> None:
    pages: dict[tuple[str, str], Reply | str] = {
        ("a.example", "/"): Reply(b"", status=302, headers={"Location": "/page"}),
        ("a.example", "/page"): PAGE,
        ("a.example", "/style"): Reply(b"p { color: red }", mime="text/css"),
        ("a.example", "/picture"): Reply(b"GIF89a", mime="image/gif"),
        ("a.example", "/frame"): "framed",
    }

    async def act(devtools: str) -> tuple[list[str], list[Answer]]:
        async with async_playwright() as playwright:
            context = (await playwright.chromium.connect_over_cdp(devtools, no_defaults=True)).contexts[0]
            answers: list[Answer] = []
            counted = Counted(context, lambda page: "t1", lambda page, answer: answers.append(answer))
            counted.watch(watch=True)
            await context.pages[0].goto("http://a.example/")
            counted.watch(watch=False)
            await context.pages[0].goto("http://a.example/page")
            return counted.told or [], answers

    with LocalSite(pages) as site:
        browser = start_browser(require_chromium(), tmp_path, headless=True, arguments=site.browser_args)
        try:
            told, answers = asyncio.run(act(browser.devtools))
        finally:
            stop_browser(browser)
    assert told == ["http://a.example/", "http://a.example/page", "http://a.example/frame"]
    assert [(answer.url, answer.status, answer.location) for answer in answers] == [
        ("http://a.example/", 302, "/page"),
        ("http://a.example/page", 200, None),
    ]
    assert answers[0].chain == answers[1].chain
