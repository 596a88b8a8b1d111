"""A parsed result page comes in; what stands on it goes out in reading order: links with a heading, blocks, headings.

Class names of search engines change every year. This holds on to what a page cannot do without: a result is a link
around its heading; parts have ids, roles and elements of their own. Work grows with the page and no faster: depth and
number of marks are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from lxml import html

from browser_capture.page_text import is_hidden

MOST_MARKS = 3000
DEEPEST = 256
"""No engine's page nests half as deep; what lies deeper is not looked at."""

Path = tuple[html.HtmlElement, ...]


class Sign(NamedTuple):
    """What an element is by its own looks."""

    name: str
    is_closed: bool = True
    """What lies inside belongs to it and is not looked at."""
    is_around: bool = False
    """It only says what the text around it is: that text, and not this element, is the thing."""
    counted: Callable[[html.HtmlElement], int] | None = None
    """Tells how many there are inside; zero for a thing that is empty."""


TITLE = Sign("title")
HEADING = Sign("heading", is_closed=False)
CONTROL = Sign("control", is_closed=False)
"""A button with words: what it opens stands below it."""
ENOUGH_TEXT = 200


class Mark(NamedTuple):
    """Something that stands on the page; `path` leads to it from the top. A `title` stands in the link at its end."""

    sign: Sign
    path: Path
    region: str
    floor: int
    """Where in the path its box may begin: below the region."""
    title: html.HtmlElement | None = None
    amount: int = 1


class Outline(NamedTuple):
    """The marks of a page in reading order, and its elements by id, the first of each."""

    marks: Sequence[Mark]
    ids: Mapping[str, html.HtmlElement]


class Grammar(NamedTuple):
    """How an engine writes its pages: what an element is, and which region of the page an id begins, if any.

    `sign` is asked for every element and must look at no more than a few.
    """

    sign: Callable[[html.HtmlElement], Sign | None]
    region: Callable[[str], str]


def read_outline(tree: html.HtmlElement, grammar: Grammar) -> Outline:
    """Return what stands on a page; what is hidden or inside something closed has no mark."""
    marks: list[Mark] = []
    closed: set[html.HtmlElement] = set()
    ids: dict[str, html.HtmlElement] = {}
    signed: list[tuple[html.HtmlElement, Sign]] = []
    for node in tree.iter("*"):
        name = node.get("id")
        if name is not None:
            ids.setdefault(name, node)
        sign = grammar.sign(node)
        if sign is not None and len(signed) < MOST_MARKS:
            signed.append((node, sign))
    for node, sign in signed:
        path = _path(node)
        if path is None or not closed.isdisjoint(path) or any(map(_is_out_of_sight, path)):
            continue
        mark = _mark(sign, path, grammar)
        if mark is None:
            continue
        if mark.sign.is_closed:
            closed.add(mark.path[-1])
        if sign.counted is not None:
            mark = mark._replace(amount=sign.counted(mark.path[-1]))
        if mark.amount:
            marks.append(mark)
    return Outline(marks, ids)


def boxes(marks: Sequence[Mark]) -> list[html.HtmlElement]:
    """Return for each of these marks the outermost element, inside its region, that holds no other of them."""
    depths = [0, *(shared(one.path, two.path) for one, two in pairwise(marks)), 0]
    levels = (max(mark.floor, *depths[place : place + 2]) for place, mark in enumerate(marks))
    return [mark.path[min(level, len(mark.path) - 1)] for mark, level in zip(marks, levels, strict=True)]


def shared(one: Path, two: Path) -> int:
    """Return how many steps from the top two paths have in common."""
    for place, (left, right) in enumerate(zip(one, two, strict=False)):
        if left is not right:
            return place
    return min(len(one), len(two))


def first_words(element: html.HtmlElement) -> str:
    """Return the beginning of an element's text on one line, hidden or not; it never reads far.

    >>> first_words(html.fromstring("<h2> Top <b>stories</b></h2>"))
    'Top stories'
    """
    return " ".join("".join(islice(element.itertext(), 20)).split())


def _mark(sign: Sign, path: Path, grammar: Grammar) -> Mark | None:
    region, floor = "", 0
    for place, step in enumerate(path):
        found = grammar.region(step.get("id") or "")
        if found:
            region, floor = found, place + 1
    if sign.is_around:
        return Mark(sign, path[: _widened(path, floor)], region, floor)
    if sign is not TITLE:
        return Mark(sign, path, region, floor)
    link = next((place for place, step in enumerate(path) if step.tag == "a" and step.get("href") is not None), None)
    if link is not None:
        return Mark(TITLE, path[: link + 1], region, floor, path[-1])
    # A title around a link belongs to a part of a result, such as a site's own pages below it.
    return Mark(HEADING, path, region, floor) if next(path[-1].iter("a"), None) is None else None


def _widened(path: Path, floor: int) -> int:
    """Find how far up the text reaches that an element announces: to where there is enough of it, never to a title."""
    own, end = len(first_words(path[-1])), len(path)
    for place in range(len(path) - 2, max(floor, 1) - 1, -1):
        length = sum(map(len, islice(path[place].itertext(), 10 * ENOUGH_TEXT)))
        says_more = end < len(path)
        if says_more and next(path[place].iter("h3"), None) is not None:
            break
        if length > own:
            end = place + 1
        if length > ENOUGH_TEXT:
            break
    return end


def _path(node: html.HtmlElement) -> Path | None:
    upwards = [node, *islice(node.iterancestors(), DEEPEST)]
    return tuple(reversed(upwards)) if len(upwards) <= DEEPEST else None


def _is_out_of_sight(step: html.HtmlElement) -> bool:
    # A page that is saved while it opens may hide its whole body for a moment.
    return step.tag not in {"html", "body"} and is_hidden(step)
