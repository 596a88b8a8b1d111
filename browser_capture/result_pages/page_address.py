"""A saved result page comes in; the address of its search goes out, as far as the page itself says it.

Whoever saves a page often keeps no address. A browser may write it into a comment, the page may link to itself, a
captcha names what it goes on to, and every result page shows its query in its search box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from urllib.parse import urlencode, urljoin

from lxml import html

from browser_capture.result_pages.recognise import recognise, search_behind
from browser_capture.urls import is_web, origin

_COMMENTS = re.compile(r"<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)(\S+)", re.IGNORECASE)
_ANCHORS = ("rso", "topstuff", "tads", "botstuff")
_RESULTS_TYPE = "schema.org/searchresultspage"
_KEPT_VALUES = frozenset({"tbm", "udm", "hl", "gl"})
_PAGE_LENGTH = 10
_MOST_LINKS = 3000


def find_address(document: str, tree: html.HtmlElement) -> str | None:
    """Return the address of the search that a saved page answers, or would, had no wall stood before it.

    None for what is no page of an engine whose structure is known. The box of a snapshot is empty: snapshots keep their
    address beside them.
    """
    for url in (*_stated(document, tree), *_beyond_walls(tree)):
        if recognise(url) is not None:
            return url
    return _from_box(tree)


def _stated(document: str, tree: html.HtmlElement) -> Iterator[str]:
    comment = _COMMENTS.search(document[:4096])
    if comment is not None:
        yield comment[1]
        yield search_behind(comment[1]) or ""
    for link in tree.iter("link"):
        if (link.get("rel") or "").lower() == "canonical":
            yield link.get("href") or ""
    for meta in tree.iter("meta"):
        if meta.get("property") == "og:url":
            yield meta.get("content") or ""


def _beyond_walls(tree: html.HtmlElement) -> Iterator[str]:
    for field in tree.iter("input"):
        if field.get("name") == "continue":
            yield field.get("value") or ""
    # A captcha's title is the address that was asked for.
    for title in tree.iter("title"):
        yield (title.text or "").strip()


def _from_box(tree: html.HtmlElement) -> str | None:
    query = next((text for field in tree.iter("textarea", "input") if (text := _typed(field))), "")
    if not query or not _is_google(tree, query):
        return None
    start = _start(tree, query)
    values = {"q": query, **_kept_values(tree), **({"start": str(start)} if start else {})}
    return f"{_origin(tree)}/search?{urlencode(values)}"


def _typed(field: html.HtmlElement) -> str:
    if field.get("name") != "q" or field.get("type") == "hidden":
        return ""
    return " ".join((field.get("value") or field.text or "").split())


def _is_google(tree: html.HtmlElement, query: str) -> bool:
    # Many sites have a search box and a part called main: beside the query there must be something of Google's own.
    title = next((" ".join((element.text or "").split()).lower() for element in tree.iter("title")), "")
    return (
        _RESULTS_TYPE in (tree.get("itemtype") or "").lower()
        or (query.lower() in title and "google" in title)
        or any(node.get("id") in _ANCHORS for node in tree.iter("div"))
    )


def _kept_values(tree: html.HtmlElement) -> Mapping[str, str]:
    fields = (field for form in tree.iter("form") for field in form.iter("input"))
    named = ((field.get("name") or "", field.get("value") or "") for field in islice(fields, _MOST_LINKS))
    return {name: value for name, value in named if name in _KEPT_VALUES and value}


def _origin(tree: html.HtmlElement) -> str:
    urls = [
        node.get("href") or node.get("action") or "" for node in islice(tree.iter("base", "form", "a"), _MOST_LINKS)
    ]
    for url in urls:
        if is_web(url) and recognise(urljoin(url, "/search?q=x")) is not None:
            return origin(url)
    return "https://www.google.com"


def _start(tree: html.HtmlElement, query: str) -> int:
    """Read from the links to the query's other pages which one this is: the one they leave out."""
    starts: set[int] = set()
    for link in islice(tree.iter("a"), _MOST_LINKS):
        found = recognise(_absolute(link.get("href") or ""))
        if found is not None and found.query == query and "start=" in link.get("href"):
            starts.add(found.start)
    pages = sorted(starts)
    between = next((one + _PAGE_LENGTH for one, two in pairwise(pages) if two - one == 2 * _PAGE_LENGTH), None)
    if between is not None or not pages:
        return between or 0
    return 0 if pages[0] == _PAGE_LENGTH else pages[-1] + _PAGE_LENGTH


def _absolute(href: str) -> str:
    try:
        return urljoin("https://www.google.com/", href)
    except ValueError:
        return ""
