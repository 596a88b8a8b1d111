"""Keeps the network's answers by tab until the tab is met and its visit begins. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from browser_capture.sources.wire import Answer
from browser_capture.urls import strict_key

_TABS = 200
_ANSWERS = 20


class Hop(NamedTuple):
    """An address that redirected, and with which status."""

    url: str
    status: int | None = None


class Arrival(NamedTuple):
    """How a document came: its status and media type, and the addresses that redirected to it."""

    status: int | None = None
    mime: str = ""
    hops: tuple[Hop, ...] = ()

    @property
    def chain(self) -> tuple[str, ...]:
        """The addresses alone, the first one first."""
        return tuple(hop.url for hop in self.hops)


class AnswerBook:
    """The last answers of each tab."""

    def __init__(self) -> None:
        self._by_tab: dict[str, list[Answer]] = {}

    def note(self, answer: Answer) -> None:
        """Keep an answer; of a tab's answers the last twenty."""
        answers = self._by_tab.pop(answer.tab, [])
        self._by_tab[answer.tab] = [*answers, answer][-_ANSWERS:]
        for tab in list(self._by_tab)[:-_TABS]:
            del self._by_tab[tab]

    def of(self, tab: str) -> Sequence[Answer]:
        """Return the answers of a tab, oldest first."""
        return tuple(self._by_tab.get(tab, ()))

    def arrival(self, tab: str, url: str) -> Arrival:
        """Return how the document at `url` came into a tab; nothing known gives an empty arrival."""
        answers = self.of(tab)
        last = next((answer for answer in reversed(answers) if strict_key(answer.url) == strict_key(url)), None)
        if last is None:
            return Arrival()
        hops = [
            Hop(answer.url, answer.status) for answer in answers if answer.chain == last.chain and answer is not last
        ]
        return Arrival(last.status, last.mime, tuple(hops))
