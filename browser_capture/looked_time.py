"""How long and how far a page was looked at comes out of a log's events, for a visit whose end did not say so. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from browser_capture.events import Event


class Looked(NamedTuple):
    """How long a page was visible with the focus, and how far down it was seen; None where the log does not tell."""

    active_ms: int | None
    depth: float | None


def looked_at(events: Iterable[Event], visit: str, dwell_ms: int) -> Looked:
    """Return how a visit was looked at, from what its tab said until its end.

    A recorder that died wrote no sum, but each change of visibility and each scroll before.
    """
    began: Event | None = None
    tab_looks: dict[str | None, bool] = {}
    changes: list[tuple[int, bool]] = []
    depth: float | None = None
    for event in events:
        if event.type == "visit" and event.data["visit"] == visit:
            began = event
            if event.tab in tab_looks:
                changes.append((event.t_mono, tab_looks[event.tab]))
        elif event.type == "recorder_gap":
            if began is not None:
                break
            tab_looks.clear()
        elif event.type == "visibility":
            looks = event.data.get("state") == "visible" and bool(event.data.get("focused"))
            tab_looks[event.tab] = looks
            if began is not None and event.tab == began.tab:
                changes.append((event.t_mono, looks))
        elif event.type == "scroll" and event.visit == visit and event.data.get("depth") is not None:
            depth = max(depth or 0.0, event.data["depth"])
    if began is None or not changes:
        return Looked(None, depth)
    return Looked(_looking(changes, began.t_mono, began.t_mono + dwell_ms), depth)


def _looking(changes: list[tuple[int, bool]], begin: int, end: int) -> int:
    ends = [at for at, _ in changes[1:]] + [end]
    spans = zip(changes, ends, strict=True)
    return sum(max(0, min(until, end) - max(at, begin)) for (at, looks), until in spans if looks)
