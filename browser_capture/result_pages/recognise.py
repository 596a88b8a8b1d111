"""An address comes in; which search engine it asks, what for, and from which result on, goes out."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    start = values.get(engine.start, "")
    return (
        SearchAddress(engine.name, query, max(0, int(start) - engine.first if start.isdecimal() else 0))
        if query
        else None
    )


def request_locale(url: str) -> Mapping[str, str]:
    """Return language, country, location and safe search as a search address asks for them.

    >>> dict(request_locale("https://www.google.com/search?q=a&hl=de"))
    {'language': 'de'}
    """
    values = parse_qs(urlsplit(url).query) if is_web(url) else {}
    return {name: values[key][0] for key, name in _LOCALE.items() if key in values}
