"""What was copied and marked while recording, kept for the panel: a text pasted into the answer is known by it.

The log is the truth; this is what of it the panel needs, and how much was recorded in all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from browser_capture.events import Event, iso_utc

TOLD = 8
"""Passages that ride on every state; a panel that misses some asks for all."""

_PASSAGES = frozenset({"copy", "evidence"})


class Copied:
    """The passages of one recording, newest last."""

    def __init__(self) -> None:
        self._types: dict[int, str] = {}
        self._passages: dict[int, dict[str, Any]] = {}
        self._forgotten: list[tuple[int, int]] = []

    def take(self, event: Event) -> None:
        """Take an event that was written."""
        self._types[event.seq] = event.type
        if event.type in _PASSAGES:
            self._passages[event.seq] = {
                "seq": event.seq,
                "kind": event.type,
                "text": str(event.data.get("quote") or event.data.get("text") or ""),
                "url": (event.url or "")[:2000],
                "at": iso_utc(event.t_wall),
            }
        elif event.type == "forget":
            self.forget(int(event.data["from_seq"]), int(event.data["to_seq"]))

    def take_all(self, events: Iterable[Event]) -> None:
        """Take the events of a recording that goes on."""
        for event in events:
            self.take(event)

    def answer(self, seq: int, ref: str) -> None:
        """Note which of the panel's wishes a passage came from."""
        if ref and seq in self._passages:
            self._passages[seq]["ref"] = ref

    def forget(self, first: int, last: int) -> None:
        """Forget what was taken of the events from `first` to `last`."""
        self._forgotten.append((first, last))
        for seq in [seq for seq in self._types if first <= seq <= last]:
            del self._types[seq]
            self._passages.pop(seq, None)

    def counts(self) -> dict[str, int]:
        """Return how many events of each type there are."""
        return dict(Counter(self._types.values()))

    def told(self, *, whole: bool) -> dict[str, Any]:
        """Return what the panel is told: their number, the last ones or all, and what was forgotten."""
        passages = list(self._passages.values())
        return {
            "count": len(passages),
            "last": passages if whole else passages[-TOLD:],
            "forgotten": [list(span) for span in self._forgotten],
        }
