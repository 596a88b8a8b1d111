"""The HTML of a page and its address come in; what the search engine showed goes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lxml import html

from browser_capture.page_text import decode_html, parse_html
from browser_capture.result_pages.google import read_google
from browser_capture.result_pages.page_address import find_address
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.recognise import SearchAddress, recognise, search_behind

Parser = Callable[[html.HtmlElement | None, str, SearchAddress], ParsedResultPage]
PARSERS: Mapping[str, Parser] = {"google": read_google}


def read_result_page(html: bytes | str, url: str) -> ParsedResultPage | None:
    """Read a result page; None when the address is no search or its engine has no parser here."""
    address = recognise(url)
    if address is None or address.engine not in PARSERS:
        return None
    return PARSERS[address.engine](parse_html(html), url, address)


def read_saved_page(html: bytes | str, url: str | None = None) -> ParsedResultPage | None:
    """Read a result page, or the wall before one, that somebody saved; without its address, by what it says of itself.

    None when it is no page of an engine that is read here, or does not say so.
    """
    document = decode_html(html) if isinstance(html, bytes) else html
    tree = parse_html(document)
    if url is None:
        url = "" if tree is None else find_address(document, tree) or ""
    address = recognise(url) or recognise(search_behind(url) or "")
    if address is None or address.engine not in PARSERS:
        return None
    return PARSERS[address.engine](tree, url, address)
