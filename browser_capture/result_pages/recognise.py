"""An address comes in; which search engine it asks, what for, and from which result on, goes out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from browser_capture.urls import is_web


class SearchAddress(NamedTuple):
    """A search as its address states it; `start` counts the results before this page."""

    engine: str
    query: str
    start: int


class _Engine(NamedTuple):
    name: str
    host: re.Pattern[str]
    path: re.Pattern[str]
    query: tuple[str, ...]
    start: str
    first: int


# Engines that no project may want are here too: a query to them is logged and the person is told.
_ENGINES = (
    _Engine("google", re.compile(r"(www\.)?google(\.[a-z]{2,3}){1,2}"), re.compile(r"/search/?"), ("q",), "start", 0),
    _Engine("bing", re.compile(r"([a-z]{2,3}\.)?bing\.com"), re.compile(r"/search/?"), ("q",), "first", 1),
    _Engine("duckduckgo", re.compile(r"([a-z]+\.)?duckduckgo\.com"), re.compile(r"/(html/?|lite/?)?"), ("q",), "s", 0),
    _Engine("yahoo", re.compile(r"([a-z]+\.)?search\.yahoo\.com"), re.compile(r"/search.*"), ("p", "q"), "b", 1),
    _Engine("baidu", re.compile(r"(www|m)\.baidu\.com"), re.compile(r"/s"), ("wd", "word"), "pn", 0),
    _Engine(
        "yandex", re.compile(r"(www\.)?(yandex|ya)(\.[a-z]{2,3}){1,2}"), re.compile(r"/search/?"), ("text",), "p", 0
    ),
    _Engine("brave", re.compile(r"search\.brave\.com"), re.compile(r"/search"), ("q",), "offset", 0),
    _Engine("ecosia", re.compile(r"(www\.)?ecosia\.org"), re.compile(r"/search"), ("q",), "p", 0),
    _Engine("startpage", re.compile(r"(www\.)?startpage\.com"), re.compile(r"/(sp|do)/.*"), ("query", "q"), "page", 0),
)
TABS: Mapping[tuple[str, str], str] = {
    ("tbm", "isch"): "images", ("udm", "2"): "images", ("tbm", "nws"): "news", ("tbm", "vid"): "videos",
    ("udm", "7"): "videos", ("udm", "39"): "short_videos", ("tbm", "bks"): "books", ("udm", "36"): "books",
    ("tbm", "shop"): "shopping", ("udm", "28"): "shopping", ("tbm", "lcl"): "places", ("udm", "1"): "places",
    ("udm", "18"): "forums", ("udm", "50"): "ai_mode",
}  # fmt: skip
"""What Google's pages for one kind of result are called in their addresses."""
ENGINES = tuple(engine.name for engine in _ENGINES)
_GOOGLE_WALL = re.compile(r"(?:consent\.|www\.)?google(?:\.[a-z]{2,3}){1,2}", re.IGNORECASE)
_LOCALE = {"hl": "language", "gl": "country", "near": "location", "safe": "safe"}


def recognise(url: str) -> SearchAddress | None:
    """Read a search out of an address; None when it is no result page or asks for nothing.

    >>> recognise("https://www.google.com/search?q=who+wrote+it&start=10")
    SearchAddress(engine='google', query='who wrote it', start=10)
    """
    if not is_web(url):
        return None
    parts = urlsplit(url)
    name = (parts.hostname or "").lower()
    engine = next((e for e in _ENGINES if e.host.fullmatch(name) and e.path.fullmatch(parts.path)), None)
    if engine is None:
        return None
    values = {key: texts[0] for key, texts in parse_qs(parts.query).items()}
    query = " ".join(next((values[key] for key in engine.query if key in values), "").split())
    text = values.get(engine.start, "")
    start = int(text) - engine.first if text.isdecimal() and len(text) < 10 else 0
    return SearchAddress(engine.name, query, max(0, start)) if query else None


def tab_of(url: str) -> str | None:
    """Return which kind of result a Google address asks for; None for the web, or where it does not say.

    >>> tab_of("https://www.google.com/search?q=a&tbm=nws")
    'news'
    """
    return tab_in(parse_qs(urlsplit(url).query)) if is_web(url) else None


def tab_in(values: Mapping[str, Sequence[str]]) -> str | None:
    """Return the same from the values of an address, as `parse_qs` gives them."""
    return next((name for (key, value), name in TABS.items() if values.get(key, [""])[0] == value), None)


def search_behind(url: str) -> str | None:
    """Return the address of the search that a wall of the engine, a captcha or a consent form, goes on to.

    >>> search_behind("https://consent.google.com/ml?continue=https://www.google.com/search?q%3Da&gl=DE")
    'https://www.google.com/search?q=a'
    """
    values = (
        parse_qs(urlsplit(url).query) if is_web(url) and _GOOGLE_WALL.fullmatch(urlsplit(url).hostname or "") else {}
    )
    return next((goal for goal in values.get("continue", []) if recognise(goal) is not None), None)


def request_locale(url: str) -> Mapping[str, str]:
    """Return language, country, location and safe search as a search address asks for them.

    >>> dict(request_locale("https://www.google.com/search?q=a&hl=de"))
    {'language': 'de'}
    """
    values = parse_qs(urlsplit(url).query) if is_web(url) else {}
    return {name: values[key][0] for key, name in _LOCALE.items() if key in values}
