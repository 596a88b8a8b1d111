"""The titles of a page and where they lead come in; the links go out that are further pages of a result above them.

Such links stand in the box of their result, lead to its site, and have no address line of their own. A second result of
the same site, which may be indented in a list, has one.
"""

from __future__ import annotations

from collections.abc import Iterable

from lxml import html

from browser_capture.result_pages.outline import Mark, shared
from browser_capture.result_pages.snippets import has_address_line
from browser_capture.urls import host

_LISTS = frozenset({"ul", "ol", "dl", "table"})
_ROLES = frozenset({"list", "listitem"})


def sitelinks(links: Iterable[tuple[Mark, str]]) -> frozenset[html.HtmlElement]:
    """Return the links among these, in reading order, that belong to the one before them."""
    found: set[html.HtmlElement] = set()
    above: tuple[Mark, str] | None = None
    for mark, target in links:
        if above is not None and _is_same_site(above[1], target) and _is_below(above[0], mark):
            found.add(mark.path[-1])
        else:
            above = mark, target
    return frozenset(found)


def _is_same_site(one: str, two: str) -> bool:
    names = sorted((host(url).removeprefix("www.") for url in (one, two)), key=len)
    return names[0] != "" and (names[0] == names[1] or names[1].endswith(f".{names[0]}"))


def _is_below(result: Mark, mark: Mark) -> bool:
    depth = shared(result.path, mark.path)
    if depth <= max(result.floor, mark.floor):
        return False
    if mark.title is None or has_address_line(mark.path[-1], mark.title):
        return False
    in_list = any(step.tag in _LISTS or step.get("role") in _ROLES for step in mark.path[depth:])
    return in_list or next(result.path[-1].iter("cite"), None) is not None
