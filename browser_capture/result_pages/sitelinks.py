"""The titles of a page and where they lead come in; the links go out that are further pages of a result above them.

Such links stand in the box of their result, lead to its site, and have no address line of their own. A second result of
the same site, which may be indented in a list, has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, takewhile
from typing import NamedTuple

from lxml import html

from browser_capture.page_text import visible_text
from browser_capture.result_pages.outline import Mark, shared
from browser_capture.result_pages.snippets import has_address_line, snippet_of
from browser_capture.urls import host

_LISTS = frozenset({"ul", "ol", "dl", "table"})
_ENOUGH_LETTERS = 15
_MOST_PARTS = 10
"""A snippet stands right beside its link."""


class _Result(NamedTuple):
    mark: Mark
    target: str
    is_cited: bool
    is_bare: dict[html.HtmlElement, bool]
    """Whether an element around its link holds no snippet of it."""


def sitelinks(links: Iterable[tuple[Mark, str]]) -> frozenset[html.HtmlElement]:
    """Return the links among these, in reading order, that belong to the one before them."""
    found: set[html.HtmlElement] = set()
    above: _Result | None = None
    for mark, target in links:
        if above is not None and _is_same_site(above.target, target) and _is_below(above, mark):
            found.add(mark.path[-1])
        else:
            above = _Result(mark, target, _is_cited(mark), {})
    return frozenset(found)


def _is_same_site(one: str, two: str) -> bool:
    names = sorted((host(url).removeprefix("www.") for url in (one, two)), key=len)
    return names[0] != "" and (names[0] == names[1] or names[1].endswith(f".{names[0]}"))


def _is_below(result: _Result, mark: Mark) -> bool:
    depth = shared(result.mark.path, mark.path)
    if depth <= max(result.mark.floor, mark.floor):
        return False
    # The address line of a forum may name it without its address, but is marked as one.
    if mark.title is None or _is_cited(mark) or has_address_line(mark.path[-1], mark.title):
        return False
    in_list = any(step.tag in _LISTS or step.get("role") == "list" for step in mark.path[depth:])
    return in_list or result.is_cited or _has_snippet_between(result, mark, depth)


def _is_cited(mark: Mark) -> bool:
    return next(mark.path[-1].iter("cite"), None) is not None


def _has_snippet_between(result: _Result, mark: Mark, depth: int) -> bool:
    """Tell whether a snippet stands beside the link above and before this one: in the same box as both."""
    part = result.mark.path[depth]
    if part not in result.is_bare:
        result.is_bare[part] = not snippet_of(part, result.mark.path[-1])
    beside = takewhile(lambda other: other is not mark.path[depth], islice(part.itersiblings(), _MOST_PARTS))
    return result.is_bare[part] and sum(map(str.isalnum, "".join(map(visible_text, beside)))) >= _ENOUGH_LETTERS
