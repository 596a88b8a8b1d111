"""The HTML of a page and its address come in; what the search engine showed goes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lxml import html

from browser_capture.page_text import parse_html
from browser_capture.result_pages.google import read_google
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.recognise import SearchAddress, recognise

Parser = Callable[[html.HtmlElement | None, str, SearchAddress], ParsedResultPage]
PARSERS: Mapping[str, Parser] = {"google": read_google}


def read_result_page(html: bytes | str, url: str) -> ParsedResultPage | None:
    """Read a result page; None when the address is no search or its engine has no parser here."""
    address = recognise(url)
    if address is None or address.engine not in PARSERS:
        return None
    return PARSERS[address.engine](parse_html(html), url, address)
