"""The titles of a page and where they lead come in; the links go out that are further pages of a result above them.

Such links stand in the box of their result, lead to its site, and have no address line of their own. A second result of
the same site, which may be indented in a list, has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from lxml import html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.outline import Mark, shared
from browser_capture.result_pages.snippets import has_address_line, snippet_of
from browser_capture.urls import host

_LISTS = frozenset({"ul", "ol", "dl", "table"})
_ENOUGH_LETTERS = 15


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
    # The address line of a forum may name it without its address, but is marked as one.
    if mark.title is None or _is_cited(mark) or has_address_line(mark.path[-1], mark.title):
        return False
    in_list = any(step.tag in _LISTS or step.get("role") == "list" for step in mark.path[depth:])
    return in_list or _is_cited(result) or _has_text_between(result, mark, depth)


def _is_cited(mark: Mark) -> bool:
    return next(mark.path[-1].iter("cite"), None) is not None


def _has_text_between(result: Mark, mark: Mark, depth: int) -> bool:
    """Tell whether a snippet stands beside the link above and before this one: in the same box as both."""
    if snippet_of(result.path[depth], result.path[-1]):
        return False
    between = takewhile(lambda part: part is not mark.path[depth], result.path[depth].itersiblings())
    return sum(map(str.isalnum, "".join(map(visible_text, between)))) >= _ENOUGH_LETTERS
