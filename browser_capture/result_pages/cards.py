"""The marks of a page come in; the titles go out that are cards of a block and no results of their own.

News, videos and discussions are cards below a heading. Where words that head a block are known, and nothing else
stands between them and the cards, all of its cards are. Else it takes looks: a card has no snippet and no address line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from lxml import etree, html

from browser_capture.page_text import is_hidden, visible_text
from browser_capture.result_pages.google_blocks import COUNTED_BY_CARD, block_named, leads_to_search
from browser_capture.result_pages.google_signs import RESULT_REGIONS
from browser_capture.result_pages.outline import HEADING, TITLE, Mark, first_words, shared
from browser_capture.result_pages.snippets import has_address_line

_LONGEST_NAME = 80
_MOST_BESIDE_A_NAME = 60
"""A heading may have a button or a hint beside it; more letters are a thing of their own."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_LISTS = frozenset({"ul", "ol"})


class Cards(NamedTuple):
    """The links that are cards, and the blocks they belong to which no heading counts."""

    links: frozenset[html.HtmlElement]
    blocks: Mapping[str, int]


class _Group(NamedTuple):
    name: str
    """Empty when its heading is counted as a block already."""
    titles: Sequence[Mark]


class _Judge(NamedTuple):
    leads_away: Callable[[Mark], bool]
    is_bare: Callable[[Mark], bool]


def cards_of_blocks(
    marks: Sequence[Mark], *, leads_away: Callable[[Mark], bool], is_bare: Callable[[Mark], bool]
) -> Cards:
    """Return the cards of blocks; `is_bare` tells that nothing said beside a title's link can be its snippet."""
    judge = _Judge(leads_away, is_bare)
    counted = frozenset(mark.path[-1] for mark in marks if mark.sign is HEADING or _heads_by_link(mark, judge))
    found: set[html.HtmlElement] = set()
    blocks = Counter[str]()
    before: Mark | None = None
    for place, mark in enumerate(marks):
        if mark.path[-1] in counted:
            continue
        is_open = mark.path[-1] not in found and mark.region in RESULT_REGIONS and judge.leads_away(mark)
        floor = mark.floor if before is None else max(mark.floor, shared(before.path, mark.path))
        before = mark
        group = _group(marks[place:], floor, counted, judge) if is_open else None
        if group is not None:
            found.update(title.path[-1] for title in group.titles)
            blocks[group.name] += len(group.titles) if group.name in COUNTED_BY_CARD else 1
    return Cards(frozenset(found), {name: count for name, count in blocks.items() if name})


def _heads_by_link(mark: Mark, judge: _Judge) -> bool:
    return mark.sign is TITLE and not judge.leads_away(mark) and block_named(first_words(mark.path[-1])) is not None


def _group(marks: Sequence[Mark], floor: int, counted: frozenset[html.HtmlElement], judge: _Judge) -> _Group | None:
    """Return the cards that begin with the first of these marks, if it is one; `floor` is where its block may begin."""
    path = marks[0].path
    letters = links = 0
    for depth in range(len(path) - 2, floor - 1, -1):
        for part in _before(path, depth):
            name, heading = _name_in(part)
            letters += _letters_beside_links(part) - len("" if heading is None else first_words(heading))
            links += 0 if heading is part else sum(1 for _ in part.iter("a", "img"))
            if name is None or heading is None:
                continue
            titles = [title for title in _inside(marks, depth) if judge.leads_away(title)]
            is_alone = not links and letters <= _MOST_BESIDE_A_NAME
            if is_alone or all(_is_card(title, depth, judge) for title in titles):
                is_counted = name not in COUNTED_BY_CARD and not counted.isdisjoint(heading.iter())
                return _Group("" if is_counted else name, titles)
    return None


def _before(path: Sequence[html.HtmlElement], depth: int) -> Iterator[html.HtmlElement]:
    """Yield what stands in an element of a path before the path goes on, the nearest first."""
    for part in path[depth + 1].itersiblings(preceding=True):
        if not is_hidden(part):
            yield part


def _name_in(part: html.HtmlElement) -> tuple[str | None, html.HtmlElement | None]:
    """Return the block that an element of this part names, and the element: a heading, or words that stand alone."""
    walk = etree.iterwalk(part, events=("start",))
    for _, node in walk:
        if is_hidden(node):
            walk.skip_subtree()
            continue
        is_link = node.tag == "a"
        if is_link:
            walk.skip_subtree()
        if is_link and not leads_to_search(node.get("href") or ""):
            continue
        is_whole = is_link or node.tag in _HEADINGS or node.get("role") == "heading"
        words = first_words(node) if is_whole else (node.text or "").strip() if len(node) == 0 else ""
        name = block_named(words) if 0 < len(words) <= _LONGEST_NAME else None
        if name is not None:
            return name, node
    return None, None


def _letters_beside_links(part: html.HtmlElement) -> int:
    return len(visible_text(part)) - sum(len(visible_text(link)) for link in part.iter("a") if link is not part)


def _inside(marks: Sequence[Mark], depth: int) -> Sequence[Mark]:
    """Return the titles among the marks that stand in the same element, so deep, as the first does."""
    section = marks[0].path[depth]
    inside = takewhile(lambda mark: len(mark.path) > depth and mark.path[depth] is section, marks)
    return [mark for mark in inside if mark.sign is TITLE]


def _is_card(mark: Mark, depth: int, judge: _Judge) -> bool:
    if not judge.is_bare(mark):
        return False
    in_list = any(step.tag in _LISTS or step.get("role") in {"list", "listitem"} for step in mark.path[depth + 1 :])
    return in_list or (mark.title is not None and not has_address_line(mark.path[-1], mark.title))
