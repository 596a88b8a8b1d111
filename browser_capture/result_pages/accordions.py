"""The marks of a page come in; the titles go out that are answers below questions which open and close.

People-also-ask is such an accordion in every language: two or more elements beside each other, each of which begins
with a button. What a button opens is an answer, and no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from lxml import html

from browser_capture.result_pages.google_blocks import block_named
from browser_capture.result_pages.google_signs import RESULT_REGIONS
from browser_capture.result_pages.outline import CONTROL, HEADING, TITLE, Mark, Path, first_words, shared

_QUESTION_MARKS = ("?", "？", "؟", ";")
_Item = Sequence[Mark]


class Answers(NamedTuple):
    """What belongs to accordions: the links of their answers, and the headings above; `blocks` counts their items."""

    parts: frozenset[html.HtmlElement]
    blocks: Mapping[str, int]


class _Accordion(NamedTuple):
    path: Path
    items: Sequence[_Item]
    heading: Mark | None
    asks: bool


def answers_of_accordions(marks: Sequence[Mark]) -> Answers:
    """Return what accordions of questions show; one that neither asks nor answers by a title is none."""
    order = _without_titles_of_buttons([mark for mark in marks if mark.region in RESULT_REGIONS])
    found = [_accordion(order, place, depth) for place, depth in _parents(order)]
    accordions = _without_boxes_around([accordion for accordion in found if accordion is not None])
    items = [(item, accordion) for accordion in accordions for item in accordion.items]
    inside = {step for item, accordion in items for mark in item for step in mark.path[len(accordion.path) :]}
    parts = {mark.path[-1] for mark in marks if mark.sign in {TITLE, HEADING} and mark.path[-1] in inside}
    parts |= {found.heading.path[-1] for found in accordions if found.heading is not None and found.asks}
    asked = sum(1 for _, accordion in items if accordion.asks)
    others = sum(1 for accordion in accordions if not accordion.asks and accordion.heading is None)
    return Answers(frozenset(parts), {"people_also_ask": asked, "other": others})


def _accordion(order: Sequence[Mark], place: int, depth: int) -> _Accordion | None:
    items = [item for item in _items(order, place, depth) if _opens(item[0])]
    heading = _heading(order, place, depth)
    name = None if heading is None else block_named(first_words(heading.path[-1]))
    asks = name == "people_also_ask" or (name is None and 2 * sum(map(_is_question, items)) >= len(items))
    answers = sum(1 for item in items for mark in item if mark.sign is TITLE)
    is_all = answers == sum(1 for mark in order if mark.sign is TITLE)
    # A site's own questions may stand below its result: nothing heads them, and no answer has a title. And results may
    # each begin with a button, such as one that shows their own language.
    is_one = (asks and heading is not None) or (answers > 0 and (asks or not is_all))
    if len(items) < 2 or not is_one:
        return None
    return _Accordion(order[place].path[: depth + 1], items, heading, asks)


def _without_boxes_around(accordions: Sequence[_Accordion]) -> Sequence[_Accordion]:
    """Return accordions without boxes that only seem to be one: around another, with no more buttons than it has."""
    most: dict[html.HtmlElement, int] = {}
    for accordion in accordions:
        for step in accordion.path[:-1]:
            most[step] = max(most.get(step, 0), len(accordion.items))
    return [accordion for accordion in accordions if len(accordion.items) > most.get(accordion.path[-1], 0)]


def _without_titles_of_buttons(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks without headings around a button: there the button says the same."""
    around = {one.path[-1] for one, two in pairwise(marks) if two.sign is CONTROL and one.path[-1] in two.path}
    return [mark for mark in marks if mark.sign is not HEADING or mark.path[-1] not in around]


def _parents(order: Sequence[Mark]) -> Iterator[tuple[int, int]]:
    """Yield for each element that holds buttons beside each other where its marks are, and how deep it lies."""
    seen: set[html.HtmlElement] = set()
    for place, (one, two) in enumerate(pairwise(order), 1):
        depth = shared(one.path, two.path) - 1
        if _opens(two) and depth >= two.floor - 1 and two.path[depth] not in seen:
            seen.add(two.path[depth])
            yield place, depth


def _items(order: Sequence[Mark], place: int, depth: int) -> Sequence[_Item]:
    parent = order[place].path[depth]

    def is_inside(mark: Mark) -> bool:
        return len(mark.path) > depth + 1 and mark.path[depth] is parent

    before = list(takewhile(is_inside, reversed(order[:place])))
    items: dict[html.HtmlElement, list[Mark]] = {}
    for mark in (*reversed(before), *takewhile(is_inside, order[place:])):
        items.setdefault(mark.path[depth + 1], []).append(mark)
    return list(items.values())


def _opens(mark: Mark) -> bool:
    return mark.sign is CONTROL or (mark.sign is HEADING and mark.path[-1].get("aria-expanded") is not None)


def _is_question(item: _Item) -> bool:
    return first_words(item[0].path[-1]).endswith(_QUESTION_MARKS)


def _heading(order: Sequence[Mark], place: int, depth: int) -> Mark | None:
    """Return the heading that stands above an accordion, in a box around both."""
    parent = order[place].path[depth]
    outside = (
        mark for mark in reversed(order[:place]) if len(mark.path) <= depth + 1 or mark.path[depth] is not parent
    )
    above = next(outside, None)
    inside = next((mark for mark in order[:place] if mark.sign is HEADING and parent in mark.path), None)
    if inside is not None:
        return inside
    if above is None or above.sign is not HEADING:
        return None
    return above if shared(above.path, order[place].path) > order[place].floor else None
