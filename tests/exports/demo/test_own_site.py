"""The demo's own pages: closed in themselves, in several languages, one filled by script."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from browser_capture.chromium import require_chromium
from browser_capture.page_text import read_html
from browser_capture.urls import host
from exports.demo.pages import own_web, page_addresses, read_content
from exports.demo.web import DemoWeb
from tests.exports.demo.reading import read_page

ADDRESSES = [url for url, _ in page_addresses(own_web())]


@pytest.mark.parametrize("url", ADDRESSES)
def test_links_of_the_site_lead_to_pages_of_the_site(url: str, own_demo_web: DemoWeb) -> None:
    links = read_page(own_demo_web, url).links
    assert links
    assert all(own_demo_web.answer(host(link.url), urlsplit(link.url).path) for link in links)


@pytest.mark.parametrize("file", ["style.css", "light.svg"])
def test_style_and_picture_are_shared_by_every_host(file: str) -> None:
    hosts = {host(url) for url in ADDRESSES}
    assert all(read_content(own_web(), name, f"/{file}") for name in hosts)


def test_pages_are_in_english_german_and_chinese() -> None:
    languages = {file.read_text(encoding="utf-8").split('lang="')[1][:2] for _, file in page_addresses(own_web())}
    assert languages == {"en", "de", "zh"}


@pytest.mark.parametrize("path", ["/../shared/style.css", "/%2e%2e/shared/style.css", "/lights/../../../pages.py"])
def test_a_path_never_leaves_its_folder(path: str) -> None:
    assert read_content(own_web()[:1], own_web()[0].prefix.rstrip("/"), path) is None


def test_ferry_table_is_not_in_what_the_server_sends(own_demo_web: DemoWeb) -> None:
    assert "Tansy" not in read_page(own_demo_web, "https://harbour.merrow.example/ferries.html").text


@pytest.mark.browser
def test_script_fills_the_ferry_table_in_a_browser(own_demo_web: DemoWeb, tmp_path: Path) -> None:
    chromium = require_chromium()
    arguments = ["--no-sandbox", *own_demo_web.browser_arguments]
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=str(chromium.path), args=arguments
        )
        page = context.new_page()
        page.goto("https://harbour.merrow.example/ferries.html")
        page.get_by_text("No other island is called at").wait_for()
        text = read_html(page.content(), page.url).text
        context.close()
    assert "Tansy\tSaturday and Sunday\t10:30" in text
