"""The lines of a recording that was cut short come in; what is needed to go on, or to end it, goes out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from browser_capture.events import Event, iso_utc
from browser_capture.log_lines import Line
from browser_capture.result_pages.recognise import SearchAddress
from browser_capture.trajectory import Actor
from browser_capture.urls import strict_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A visit that had not ended when the log broke off."""

    visit: str
    tab: str
    url: str
    began: int
    """In monotonic milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What a log tells a recorder that goes on with it."""

    session: str
    events: int
    wall: int
    """When it broke off, by the wall clock in milliseconds."""
    mono: int
    has_session: bool = True
    has_start: bool = True
    has_stop: bool = False
    is_paused: bool = False
    started_at: str = ""
    actor: Actor | None = None
    visits: int = 0
    """Highest number of a visit; forgotten ones count."""
    tabs: int = 0
    stays: tuple[Stay, ...] = ()
    has_forgotten: bool = False
    pages: frozenset[str] = frozenset()
    """The addresses of all visits that were not forgotten."""
    queries: Mapping[SearchAddress, int]
    answers: Mapping[str, Mapping[str, Any]]
    """By strict key of the address: the data of its last response."""
    documents: Mapping[str, str]
    """By strict key of the address: the last page kept as the network gave it, such as a PDF."""
    snapshots: int = 0
    snapshots_failed: int = 0
    entries: tuple[Event, ...] = ()
    """All of it, for what the panel shows."""


def read_past(lines: Sequence[Line]) -> Past:
    """Read a log that was cut short. Raises ValueError when it has no line."""
    if not lines:
        raise ValueError("a log without lines has no past")
    events = [line.event for line in lines]
    last = events[-1]
    types = [event.type for event in events]
    start = next((event for event in events if event.type == "task_start"), events[0])
    return Past(
        session=last.session,
        events=len(events),
        wall=last.t_wall,
        mono=max(event.t_mono for event in events),
        has_session="session_start" in types,
        has_start="task_start" in types,
        has_stop="task_stop" in types,
        is_paused=_last_of(types, {"pause", "resume"}) == "pause",
        started_at=iso_utc(start.t_wall),
        actor=_actor(events),
        visits=max((_number(event.visit) for event in events), default=0) + types.count("forgotten"),
        tabs=max((_number(event.tab) for event in events), default=0) + types.count("forgotten"),
        stays=_stays(events),
        has_forgotten="forget" in types or "forgotten" in types,
        pages=frozenset(event.url for event in events if event.type == "visit" and event.url),
        queries={_search(event): event.seq for event in events if event.type == "query"},
        answers={strict_key(event.url): event.data for event in events if event.type == "response" and event.url},
        documents={
            strict_key(event.url): str(event.data["id"])
            for event in events
            if event.type == "snapshot" and event.data["trigger"] == "document" and event.url
        },
        snapshots=types.count("snapshot"),
        snapshots_failed=types.count("snapshot_failed"),
        entries=tuple(events),
    )


def _stays(events: Sequence[Event]) -> tuple[Stay, ...]:
    began = {event.data["visit"]: event for event in events if event.type == "visit"}
    for event in events:
        if event.type == "visit_end":
            began.pop(event.data["visit"], None)
    return tuple(
        Stay(visit=visit, tab=event.tab or "", url=event.url or "", began=event.t_mono)
        for visit, event in began.items()
    )


def _actor(events: Sequence[Event]) -> Actor | None:
    found = next((event.data.get("actor") for event in events if event.type == "session_start"), None)
    return Actor(kind=found.get("kind", "human"), name=str(found.get("name", "unknown"))) if found else None


def _search(event: Event) -> SearchAddress:
    return SearchAddress(str(event.data["engine"]), str(event.data["q"]), int(event.data.get("start") or 0))


def _last_of(types: Sequence[str], wanted: set[str]) -> str | None:
    return next((kind for kind in reversed(types) if kind in wanted), None)


def _number(name: str | None) -> int:
    """Read the number of a visit or tab.

    >>> _number("v12"), _number("t3"), _number(None)
    (12, 3, 0)
    """
    digits = (name or "")[1:]
    return int(digits) if digits.isdecimal() else 0
