"""Tells an honest empty result page from one the parser no longer understands, and both from a wall before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlsplit

from lxml import html

from browser_capture.result_pages.parsed import Status
from browser_capture.trajectory import SearchResult
from browser_capture.urls import is_web

_GOOGLE = re.compile(r"([a-z]+\.)?google(\.[a-z]{2,3}){1,2}")
_NO_RESULTS = re.compile(
    r"did not match any documents|no results found|keine mit deiner suchanfrage|ne correspond à aucun|"
    r"no obtuvo ningún resultado|non ha prodotto risultati|找不到|一致する情報は見つかりません",
    re.IGNORECASE,
)


def interstitial_kind(url: str, tree: html.HtmlElement | None) -> Literal["captcha", "consent"] | None:
    """Tell which wall of the search engine stands at this address or in this page, None for neither."""
    if is_web(url):
        parts = urlsplit(url)
        name = (parts.hostname or "").lower()
        if _GOOGLE.fullmatch(name) and parts.path.startswith("/sorry/"):
            return "captcha"
        if name.startswith("consent.google."):
            return "consent"
    if tree is None:
        return None
    if tree.xpath("//form[@id='captcha-form'] | //div[@id='recaptcha']"):
        return "captcha"
    return "consent" if tree.xpath("//form[contains(@action, 'consent.google.')]") else None


def page_status(results: Sequence[SearchResult], notice: str, page_text: str) -> Status:
    """Judge a page that is no interstitial by its results, the engine's own notice and the page's text.

    Three or more results without a single snippet are suspect: so the anchors of the snippets have moved.

    >>> page_status([], "", "Shown is something new")
    'suspect'
    """
    if results:
        return "suspect" if len(results) > 2 and not any(result.snippet for result in results) else "ok"
    return "empty" if notice or _NO_RESULTS.search(page_text) else "suspect"
