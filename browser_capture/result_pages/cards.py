"""The marks of a page come in; the titles go out that are cards of a block and no results of their own.

News, videos and discussions are cards below a heading. Where words that head a block are known, and nothing else
stands between them and the cards, all of its titles are. Else it takes looks. An overview that an AI wrote, in whatever
language, is a text before its sources; a featured snippet a text before its only one. No result begins with a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from lxml import html

from browser_capture.result_pages.card_looks import Looks, are_answers, is_list
from browser_capture.result_pages.google_blocks import COUNTED_BY_CARD, block_named
from browser_capture.result_pages.outline import HEADING, TITLE, Mark, first_words, shared
from browser_capture.result_pages.prefaces import Preface, prefaces_of

_ENOUGH_LETTERS = 100
"""A text of its own says more than any badge, rating or name before a link."""
_SECTION = "g-section-with-header"


class Cards(NamedTuple):
    """The links of cards, the headings that `blocks` counts in place of what they say, and those blocks."""

    parts: frozenset[html.HtmlElement]
    blocks: Mapping[str, int]


class _Group(NamedTuple):
    name: str
    """Empty when its heading is counted as a block already."""
    titles: Sequence[Mark]
    headings: Sequence[Mark] = ()
    """Those that are not to be counted a second time."""


class _Opening(NamedTuple):
    """A title that may be the first card of a block: the marks from it on, and what stands before it."""

    marks: Sequence[Mark]
    before: Mark | None
    headings: Sequence[Mark]
    has_result: bool


def cards_of_blocks(marks: Sequence[Mark], looks: Looks) -> Cards:
    """Return the cards of blocks among the titles that `looks` knows."""
    found: set[html.HtmlElement] = set()
    blocks = Counter[str]()
    before: Mark | None = None
    headings: list[Mark] = []
    has_result = False
    for place, mark in enumerate(marks):
        if mark.sign is HEADING or _heads_by_link(mark, looks):
            headings.append(mark)
            continue
        if mark.path[-1] not in found and looks.leads_away(mark):
            group = _group(_Opening(marks[place:], before, headings, has_result), looks)
            has_result = has_result or group is None
            if group is not None:
                found.update(part.path[-1] for part in (*group.titles, *group.headings))
                blocks[group.name] += len(group.titles) if group.name in COUNTED_BY_CARD else 1
        before, headings = mark, []
    return Cards(frozenset(found), {name: count for name, count in blocks.items() if name})


def _heads_by_link(mark: Mark, looks: Looks) -> bool:
    return mark.sign is TITLE and not looks.leads_away(mark) and block_named(first_words(mark.path[-1])) is not None


def _group(opening: _Opening, looks: Looks) -> _Group | None:
    """Return the cards that begin with a title, if it is one."""
    path, before = opening.marks[0].path, opening.before
    depth_before = -1 if before is None else shared(before.path, path) - 1
    floor = max(opening.marks[0].floor, depth_before + 1)
    if before is not None and before.sign.name == "ai_overview" and depth_before >= opening.marks[0].floor:
        sources = _inside(opening, depth_before, looks)
        return _Group("", sources) if looks.are_sources(sources, depth_before) else None
    section = next((depth for depth in range(floor, len(path)) if path[depth].tag == _SECTION), None)
    if section is not None:
        return _Group("" if _headings_inside(opening, section) else "other", _inside(opening, section, looks))
    return next(_tries(opening, floor, looks), None)


def _tries(opening: _Opening, floor: int, looks: Looks) -> Iterator[_Group]:
    """Yield the cards by their surest sign first: known words, questions, a text, a heading, a list."""
    prefaces = list(prefaces_of(opening.marks[0].path, floor))
    for rule in (_named, _asked, _told, _headed):
        for preface in prefaces:
            group = rule(opening, preface, looks)
            if group is not None:
                yield group
    listed = _listed(opening, floor, looks)
    if listed is not None:
        yield listed


def _named(opening: _Opening, preface: Preface, looks: Looks) -> _Group | None:
    """Return the cards below words that are known to head a block."""
    name, heading = preface.name, preface.heading
    if name is None:
        return None
    titles = _inside(opening, preface.depth, looks)
    if name == "featured_snippet" and looks.is_bare(titles[0]):
        return _Group(name, titles[:1])
    if name == "ai_overview" and not looks.are_sources(titles, preface.depth):
        return None
    if name not in COUNTED_BY_CARD and looks.are_all_results(titles):
        return None
    no_results = name == "people_also_ask" or looks.have_no_address_lines(titles)
    if not preface.is_alone and not looks.are_cards(titles) and not (no_results and looks.are_bare(titles)):
        return None
    counted = {mark.path[-1] for mark in opening.headings}
    is_counted = heading is not None and name not in COUNTED_BY_CARD and not counted.isdisjoint(heading.iter())
    return _Group("" if is_counted else name, titles)


def _asked(opening: _Opening, preface: Preface, looks: Looks) -> _Group | None:
    """Return the answers below a heading, each of which a question begins."""
    headings = _headings_inside(opening, preface.depth)
    titles = _inside(opening, preface.depth, looks) if headings else ()
    is_group = looks.are_cards(titles) and are_answers(titles)
    return _Group("people_also_ask", titles, headings) if is_group else None


def _told(opening: _Opening, preface: Preface, looks: Looks) -> _Group | None:
    """Return the sources of a text that stands before them."""
    titles = _inside(opening, preface.depth, looks)
    if preface.letters < _ENOUGH_LETTERS or not looks.are_sources(titles, preface.depth):
        return None
    if len(titles) == 1 and not looks.is_bare(titles[0]):
        return None
    name = "featured_snippet" if len(titles) == 1 else "other" if opening.has_result else "ai_overview"
    return _Group(name, titles, _headings_inside(opening, preface.depth))


def _headed(opening: _Opening, preface: Preface, looks: Looks) -> _Group | None:
    """Return the cards below a heading whose words are not known."""
    titles = _inside(opening, preface.depth, looks) if _headings_inside(opening, preface.depth) else ()
    return _Group("", titles) if looks.are_cards(titles) else None


def _listed(opening: _Opening, floor: int, looks: Looks) -> _Group | None:
    """Return the cards of a list that nothing heads."""
    path = opening.marks[0].path
    depth = next((depth for depth in range(floor, len(path)) if is_list(path[depth])), None)
    titles = () if depth is None else _inside(opening, depth, looks)
    is_group = len(titles) > 1 and looks.have_no_address_lines(titles) and looks.are_bare(titles)
    return _Group("other", titles) if is_group else None


def _headings_inside(opening: _Opening, depth: int) -> Sequence[Mark]:
    path = opening.marks[0].path
    return [mark for mark in opening.headings if shared(mark.path, path) > depth]


def _inside(opening: _Opening, depth: int, looks: Looks) -> Sequence[Mark]:
    """Return the titles that stand in the same element, so deep, as the first does."""
    section = opening.marks[0].path[depth]
    inside = takewhile(lambda mark: len(mark.path) > depth and mark.path[depth] is section, opening.marks)
    return [mark for mark in inside if looks.leads_away(mark)]
