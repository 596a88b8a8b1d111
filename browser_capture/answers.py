"""Keeps the network's answers by frame until the tab they belong to is known and its visit begins. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from browser_capture.sources.documents import Answer
from browser_capture.urls import strict_key

_FRAMES = 200
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
    """Answers of main frames and sub-frames alike; which is which shows only when a tab claims its own."""

    def __init__(self) -> None:
        self._by_frame: dict[str, list[Answer]] = {}

    def note(self, answer: Answer) -> None:
        """Keep an answer; of a frame's answers the last twenty."""
        answers = self._by_frame.pop(answer.frame, [])
        self._by_frame[answer.frame] = [*answers, answer][-_ANSWERS:]
        for frame in list(self._by_frame)[:-_FRAMES]:
            del self._by_frame[frame]

    def of(self, frame: str) -> Sequence[Answer]:
        """Return the answers of a frame, oldest first."""
        return tuple(self._by_frame.get(frame, ()))

    def arrival(self, frame: str, url: str) -> Arrival:
        """Return how the document at `url` came into a frame; nothing known gives an empty arrival."""
        answers = self.of(frame)
        last = next((answer for answer in reversed(answers) if strict_key(answer.url) == strict_key(url)), None)
        if last is None:
            return Arrival()
        hops = [
            Hop(answer.url, answer.status) for answer in answers if answer.chain == last.chain and answer is not last
        ]
        return Arrival(last.status, last.mime, tuple(hops))
