"""The titles of a page come in; whether some of them look like cards of a block, and not like results, goes out.

A result has an address line, a snippet, and is built as the other results of its page are. No block holds every title.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from lxml import html

from browser_capture.result_pages.outline import Mark, shared
from browser_capture.result_pages.snippets import has_address_line

_SHORTEST_SNIPPET = 20
"""Fewer letters are an age, a source or a duration."""
_LISTS = frozenset({"ul", "ol"})
_QUESTION_MARKS = ("?", "？", "؟", ";")


@dataclass(frozen=True)
class Looks:
    """What can be seen of the titles that lead to other pages, by their links."""

    titles: Mapping[html.HtmlElement, Mark]
    snippet: Callable[[Mark], str]
    boxes: Mapping[html.HtmlElement, html.HtmlElement]
    _bare: dict[html.HtmlElement, bool] = field(default_factory=dict)

    def leads_away(self, mark: Mark) -> bool:
        """Tell whether a mark is a title that may be a result's."""
        return mark.path[-1] in self.titles

    def is_bare(self, mark: Mark) -> bool:
        """Tell whether nothing beside a title can be its snippet."""
        link = mark.path[-1]
        if link not in self._bare:
            is_short = sum(map(str.isalnum, self.snippet(mark))) < _SHORTEST_SNIPPET
            self._bare[link] = is_short and not self._has_content(mark)
        return self._bare[link]

    def are_bare(self, titles: Sequence[Mark]) -> bool:
        """Tell whether no title has a snippet."""
        return all(map(self.is_bare, titles))

    def have_no_address_lines(self, titles: Sequence[Mark]) -> bool:
        """Tell whether no title says where it leads."""
        return not any(self._with_address[mark.path[-1]] for mark in titles)

    def are_all_results(self, titles: Sequence[Mark]) -> bool:
        """Tell whether these are all titles of the page, and each looks like a result."""
        is_result = (self._with_address[mark.path[-1]] and not self.is_bare(mark) for mark in titles)
        return len(titles) == len(self.titles) and all(is_result)

    def are_cards(self, titles: Sequence[Mark]) -> bool:
        """Tell whether titles below one heading are cards: without snippets, or without the address lines of others."""
        if not 1 < len(titles) < len(self.titles):
            return False
        if self.are_bare(titles):
            return True
        others_have = sum(self._with_address.values()) > 0
        # A forum's address line may only name it, but its results have content like others.
        return others_have and self.have_no_address_lines(titles) and not any(map(self._has_content, titles))

    def are_sources(self, titles: Sequence[Mark], depth: int) -> bool:
        """Tell whether titles below a text are its sources; `depth` is how deep what is around both lies."""
        if all(is_in_list(mark, depth) or self.is_bare(mark) for mark in titles):
            return True
        return 1 < len(titles) < len(self.titles) and self._are_built_otherwise(titles)

    def _has_content(self, mark: Mark) -> bool:
        return any(part.get("data-sncf") is not None for part in self.boxes[mark.path[-1]].iter())

    def _are_built_otherwise(self, titles: Sequence[Mark]) -> bool:
        """Tell whether no other title of the page is built as any of these is."""
        builds = Counter(map(_build, titles))
        return all(self._builds[build] == count for build, count in builds.items())

    @cached_property
    def _with_address(self) -> Mapping[html.HtmlElement, bool]:
        return {
            link: mark.title is not None and has_address_line(link, mark.title) for link, mark in self.titles.items()
        }

    @cached_property
    def _builds(self) -> Counter[tuple[object, ...]]:
        return Counter(map(_build, self.titles.values()))


def is_in_list(mark: Mark, depth: int) -> bool:
    """Tell whether a title stands in a list that begins so deep or deeper."""
    return any(map(is_list, mark.path[depth:]))


def is_list(step: html.HtmlElement) -> bool:
    """Tell whether an element is a list by its name or its role."""
    return step.tag in _LISTS or step.get("role") == "list"


def are_answers(titles: Sequence[Mark]) -> bool:
    """Tell whether most of two or more titles stand in a box that begins with a question."""
    if len(titles) < 2:
        return False
    depths = [shared(one.path, two.path) for one, two in pairwise(titles)]
    items = (
        mark.path[min(depth, len(mark.path) - 1)] for mark, depth in zip(titles, [*depths, depths[-1]], strict=True)
    )
    first = (next(filter(None, map(str.strip, item.itertext())), "") for item in items)
    return 2 * sum(words.endswith(_QUESTION_MARKS) for words in first) >= len(titles)


def _build(mark: Mark) -> tuple[object, ...]:
    link, title = mark.path[-1], mark.title
    return (
        *(step.tag for step in mark.path[-3:-1]),
        *(link.get(name) for name in ("class", "jsname")),
        *(child.tag for child in link),
        "" if title is None else title.get("class"),
    )
