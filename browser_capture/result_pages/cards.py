"""The marks of a page come in; the titles go out that are cards of a block and no results of their own.

News, videos and discussions are cards below a heading. Where words that head a block are known, and nothing else
stands between them and the cards, all of its titles are. Else it takes looks: a card has no snippet, and stands in a
list or has no address line. An overview that an AI wrote, in whatever language, is a text before the list of its
sources; a featured snippet a text before its only one. No result begins with a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from lxml import etree, html

from browser_capture.page_text import is_hidden, visible_text
from browser_capture.result_pages.google_blocks import COUNTED_BY_CARD, block_named, leads_to_search
from browser_capture.result_pages.google_signs import OVERVIEW_WORDS, RESULT_REGIONS
from browser_capture.result_pages.outline import HEADING, TITLE, Mark, first_words, shared
from browser_capture.result_pages.snippets import has_address_line

_LONGEST_NAME = 80
_ENOUGH_LETTERS = 100
"""A text of its own says more than any badge, rating or name before a link."""
_MOST_BESIDE_A_NAME = 60
"""A heading may have a button or a hint beside it; more letters are a thing of their own."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_SECTION = "g-section-with-header"
_LISTS = frozenset({"ul", "ol"})


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


class _Judge(NamedTuple):
    leads_away: Callable[[Mark], bool]
    is_bare: Callable[[Mark], bool]


def cards_of_blocks(
    marks: Sequence[Mark], *, leads_away: Callable[[Mark], bool], is_bare: Callable[[Mark], bool]
) -> Cards:
    """Return the cards of blocks; `is_bare` tells that nothing said beside a title's link can be its snippet."""
    judge = _Judge(leads_away, is_bare)
    found: set[html.HtmlElement] = set()
    blocks = Counter[str]()
    before: Mark | None = None
    headings: list[Mark] = []
    has_result = False
    for place, mark in enumerate(marks):
        if mark.sign is HEADING or _heads_by_link(mark, judge):
            headings.append(mark)
            continue
        if mark.path[-1] not in found and mark.region in RESULT_REGIONS and judge.leads_away(mark):
            group = _group(_Opening(marks[place:], before, headings, has_result), judge)
            has_result = has_result or group is None
            if group is not None:
                found.update(part.path[-1] for part in (*group.titles, *group.headings))
                blocks[group.name] += len(group.titles) if group.name in COUNTED_BY_CARD else 1
        before, headings = mark, []
    return Cards(frozenset(found), {name: count for name, count in blocks.items() if name})


def _heads_by_link(mark: Mark, judge: _Judge) -> bool:
    return mark.sign is TITLE and not judge.leads_away(mark) and block_named(first_words(mark.path[-1])) is not None


def _group(opening: _Opening, judge: _Judge) -> _Group | None:
    """Return the cards that begin with a title, if it is one."""
    path = opening.marks[0].path
    depth_before = -1 if opening.before is None else shared(opening.before.path, path) - 1
    floor = max(opening.marks[0].floor, depth_before + 1)
    if opening.before is not None and opening.before.sign.name == "ai_overview" and depth_before >= floor - 1:
        return _sources(opening, depth_before, judge)
    section = next((depth for depth in range(floor, len(path)) if path[depth].tag == _SECTION), None)
    if section is not None:
        return _Group("" if _headings_inside(opening, section) else "other", _inside(opening, section, judge))
    letters = links = 0
    for depth in range(len(path) - 2, floor - 1, -1):
        for part in _before(path, depth):
            name, heading = _name_in(part)
            letters += _letters_beside_links(part) - len("" if heading is None else first_words(heading))
            own = set() if heading is None else set(heading.iter())
            links += sum(1 for link in part.iter("a", "img") if link not in own)
            if name is None or heading is None:
                continue
            is_alone = not links and letters <= _MOST_BESIDE_A_NAME
            group = _named(opening, depth, name, heading, is_alone, judge)
            if group is not None:
                return group
        words = _loose_words(path, depth)
        name = _name_of(words)
        if name is not None and not links and letters <= _MOST_BESIDE_A_NAME:
            return _Group(name, _inside(opening, depth, judge))
        letters += len(words)
        group = _told(opening, depth, letters, judge) or _headed(opening, depth, judge)
        if group is not None:
            return group
    return _listed(opening, floor, judge)


def _named(
    opening: _Opening, depth: int, name: str, heading: html.HtmlElement, is_alone: bool, judge: _Judge
) -> _Group | None:
    """Return the cards below words that are known to head a block."""
    titles = _inside(opening, depth, judge)
    if not is_alone and not _all_cards(titles, depth, judge):
        return None
    counted = {mark.path[-1] for mark in opening.headings}
    is_counted = name not in COUNTED_BY_CARD and not counted.isdisjoint(heading.iter())
    return _Group("" if is_counted else name, titles)


def _told(opening: _Opening, depth: int, letters: int, judge: _Judge) -> _Group | None:
    """Return the sources of a text that stands before them."""
    titles = _inside(opening, depth, judge)
    is_one = len(titles) == 1
    if letters < _ENOUGH_LETTERS or not all(_is_source(title, depth, judge) for title in titles):
        return None
    if is_one and not judge.is_bare(titles[0]):
        return None
    name = "featured_snippet" if is_one else "other" if opening.has_result else "ai_overview"
    return _Group(name, titles, _headings_inside(opening, depth))


def _sources(opening: _Opening, depth: int, judge: _Judge) -> _Group | None:
    """Return what stands in one box with an overview that was recognised, when all of it looks like its sources."""
    titles = _inside(opening, depth, judge)
    return _Group("", titles) if all(_is_source(title, depth, judge) for title in titles) else None


def _headed(opening: _Opening, depth: int, judge: _Judge) -> _Group | None:
    """Return the cards below a heading whose words are not known."""
    if not _headings_inside(opening, depth):
        return None
    titles = _inside(opening, depth, judge)
    return _Group("", titles) if len(titles) > 1 and _all_cards(titles, depth, judge) else None


def _listed(opening: _Opening, floor: int, judge: _Judge) -> _Group | None:
    """Return the cards of a list that nothing heads."""
    path = opening.marks[0].path
    depth = next((depth for depth in range(floor, len(path)) if _is_list(path[depth])), None)
    titles = [] if depth is None else _inside(opening, depth, judge)
    if depth is None or len(titles) < 2 or not _all_cards(titles, depth, judge):
        return None
    return _Group("other", titles)


def _headings_inside(opening: _Opening, depth: int) -> Sequence[Mark]:
    path = opening.marks[0].path
    return [mark for mark in opening.headings if shared(mark.path, path) > depth]


def _before(path: Sequence[html.HtmlElement], depth: int) -> Iterator[html.HtmlElement]:
    """Yield what stands in an element of a path before the path goes on, the nearest first."""
    for part in path[depth + 1].itersiblings(preceding=True):
        if not is_hidden(part):
            yield part


def _loose_words(path: Sequence[html.HtmlElement], depth: int) -> str:
    """Return the text before a path goes on that stands in no element of its own."""
    tails = (part.tail for part in path[depth + 1].itersiblings(preceding=True))
    return " ".join(" ".join(filter(None, (path[depth].text, *tails))).split())


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
        name = _name_of(words)
        if name is not None:
            return name, node
    return None, None


def _name_of(words: str) -> str | None:
    if not 0 < len(words) <= _LONGEST_NAME:
        return None
    return "ai_overview" if words.lower() in OVERVIEW_WORDS else block_named(words)


def _letters_beside_links(part: html.HtmlElement) -> int:
    return len(visible_text(part)) - sum(len(visible_text(link)) for link in part.iter("a") if link is not part)


def _inside(opening: _Opening, depth: int, judge: _Judge) -> Sequence[Mark]:
    """Return the titles that stand in the same element, so deep, as the first does."""
    section = opening.marks[0].path[depth]
    inside = takewhile(lambda mark: len(mark.path) > depth and mark.path[depth] is section, opening.marks)
    return [mark for mark in inside if judge.leads_away(mark)]


def _all_cards(titles: Sequence[Mark], depth: int, judge: _Judge) -> bool:
    return all(
        judge.is_bare(mark) and (_is_in_list(mark, depth) or not has_address_line(mark.path[-1], mark.title))
        for mark in titles
        if mark.title is not None
    )


def _is_source(mark: Mark, depth: int, judge: _Judge) -> bool:
    return _is_in_list(mark, depth) or judge.is_bare(mark)


def _is_in_list(mark: Mark, depth: int) -> bool:
    return any(map(_is_list, mark.path[depth:]))


def _is_list(step: html.HtmlElement) -> bool:
    return step.tag in _LISTS or step.get("role") == "list"
