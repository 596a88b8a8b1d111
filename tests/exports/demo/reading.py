"""Reads the demo's webs without a browser."""

from __future__ import annotations

from browser_capture.page_text import PageText, read_html
from exports.demo.web import SEARCH_HOST, DemoWeb


def read_page(web: DemoWeb, url: str) -> PageText:
    """Read a page of a web without a browser; fails the test when there is none."""
    scheme, _, address = url.partition("://")
    host, _, path = address.partition("/")
    found = web.answer(host, f"/{path}")
    assert found is not None, f"{url} is not there"
    return read_html(found.data, f"{scheme}://{host}/{path}")


def result_page_html(web: DemoWeb, path: str) -> bytes:
    """Return the HTML of a page of the search site."""
    found = web.answer(SEARCH_HOST, path)
    assert found is not None
    return found.data
