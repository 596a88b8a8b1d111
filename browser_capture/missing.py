"""What a recording lacks: its events and visits come in, a notice for each missing part goes out. Pure.

The one place that says so. The notices stand in the trajectory, among those of what happened; `missing_from` takes
them out again, for a reviewer, a check or the person at the panel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from browser_capture.events import Event, iso_utc
from browser_capture.trajectory import Notice, Trajectory, Visit

LATE_MS = 5_000
"""A snapshot that takes longer may show another state of the page than the one it was asked for."""

PASSING_MS = 1_000
"""A page that sent its visitor on by itself within this time was not there to be read."""

MISSING: Mapping[str, str] = {
    "missing_start": "the recording has no Start",
    "missing_stop": "the recording has no Stop",
    "gap": "events are missing",
    "recorder_gap": "nothing was recorded for a while",
    "torn_line": "the end of an event was lost",
    "missing_snapshot": "a page was not kept",
    "snapshot_failed": "a page could not be kept",
    "late_snapshot": "a page was kept late and may have changed before",
    "partial_snapshot": "a page was not kept whole",
    "suspect_result_page": "results could not be read with certainty",
    "missing_cause": "nobody knows how a page was reached",
}
"""The kinds of notices that say something is missing, each in words."""

_COUNTED: Mapping[str, tuple[str, str]] = {
    "missing_start": ("The recording has no Start", "The recording has no Start"),
    "missing_stop": ("The recording has no Stop", "The recording has no Stop"),
    "gap": ("Events are missing in 1 place", "Events are missing in {} places"),
    "recorder_gap": ("Nothing was recorded for a while", "{} times nothing was recorded for a while"),
    "torn_line": ("The end of 1 event was lost", "The ends of {} events were lost"),
    "missing_snapshot": ("1 page was not kept", "{} pages were not kept"),
    "snapshot_failed": ("1 page could not be kept at some moment", "{} pages could not be kept at some moment"),
    "late_snapshot": (
        "1 page was kept late and may have changed before", "{} pages were kept late and may have changed before",
    ),
    "partial_snapshot": ("1 page was not kept whole", "{} pages were not kept whole"),
    "suspect_result_page": (
        "The results of 1 search could not be read with certainty",
        "The results of {} searches could not be read with certainty",
    ),
    "missing_cause": ("How 1 page was reached is not known", "How {} pages were reached is not known"),
}  # fmt: skip
"""The same for the person who searched: one of a kind, several of it."""

_OF_PAGES = frozenset({"missing_snapshot", "snapshot_failed", "late_snapshot", "partial_snapshot", "missing_cause"})

MOST_PAGES = 20
LONGEST_ADDRESS = 200


class Gap(NamedTuple):
    """When nothing was recorded, in UTC, and why. `start` is None where the log does not tell."""

    start: str | None
    end: str
    why: str


class MissingPart(NamedTuple):
    """What of one kind is missing, in plain words, the addresses of the pages it concerns, and when it was."""

    text: str
    pages: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()


def missing_from(trajectory: Trajectory) -> Mapping[str, Sequence[Notice]]:
    """Return what is missing from a search, by kind in the order of `MISSING`; kinds of which nothing is are left out.

    >>> from browser_capture.trajectory import Actor
    >>> cut = Notice(seq=9, at="2026-01-01T00:00:00.000Z", kind="missing_stop", detail="the recording has no Stop")
    >>> someone = Actor(kind="human", name="ada")
    >>> list(missing_from(Trajectory(
    ...     id="s", task=None, actor=someone, started_at="", ended_at=None, has_stop=False, notices=(cut,))))
    ['missing_stop']
    """
    found = {kind: tuple(notice for notice in trajectory.notices if notice.kind == kind) for kind in MISSING}
    return {kind: notices for kind, notices in found.items() if notices}


def missing_in_words(trajectory: Trajectory, events: Iterable[Event] = ()) -> Sequence[MissingPart]:
    """Say what is missing from a search to the person who made it; a page counts once, however often it was visited.

    A page of which nothing was kept is not said to have failed as well. Long addresses and lists are cut. The search's
    `events` tell when the gaps began, which its notices do not.
    """
    missing = missing_from(trajectory)
    gaps = tuple(_gap(event) for event in events if event.type == "recorder_gap")
    unkept = {notice.url for notice in missing.get("missing_snapshot", ())}
    found = list[MissingPart]()
    for kind, notices in missing.items():
        left = [notice for notice in notices if kind != "snapshot_failed" or notice.url not in unkept]
        pages = tuple(dict.fromkeys(notice.url for notice in left if notice.url)) if kind in _OF_PAGES else ()
        count = len(pages) + sum(kind not in _OF_PAGES or not notice.url for notice in left)
        if count:
            one, several = _COUNTED[kind]
            words = one if count == 1 else several.format(count)
            found.append(MissingPart(words, _cut(pages), gaps if kind == "recorder_gap" else ()))
    return found


def missing_parts(events: Sequence[Event], visits: Iterable[Visit]) -> Iterator[Notice]:
    """Yield a notice for each part that events in order, and the visits they make, show to be missing."""
    types = {event.type for event in events}
    if "task_start" not in types:
        yield _notice(events[0], "missing_start", MISSING["missing_start"])
    if "task_stop" not in types:
        yield _notice(events[-1], "missing_stop", MISSING["missing_stop"])
    for before, after in pairwise(events):
        if after.seq != before.seq + 1:
            yield _notice(after, "gap", f"events {before.seq + 1} to {after.seq - 1} are missing")
    for event in events:
        yield from _lost_by(event)
    stood_open = _visits_that_stood_open(events)
    visits = tuple(visits)
    passed_by = _visits_passed_by(events, visits)
    for visit in visits:
        if not visit.snapshots and visit.visit not in passed_by:
            yield Notice(seq=visit.seq, at=visit.at, kind="missing_snapshot", url=visit.url)
        if visit.cause == "unknown" and visit.visit not in stood_open:
            yield Notice(
                seq=visit.seq, at=visit.at, kind="missing_cause", detail=MISSING["missing_cause"], url=visit.url
            )


def suspect(seq: int, at: str) -> Notice:
    """Return the notice for a result page that could not be read with certainty."""
    kind = "suspect_result_page"
    return Notice(seq=seq, at=at, kind=kind, detail=MISSING[kind])


def _gap(event: Event) -> Gap:
    start, end = event.data.get("from"), event.data.get("to", event.t_wall)
    return Gap(iso_utc(start) if start is not None else None, iso_utc(end), str(event.data["reason"]))


def _cut(pages: tuple[str, ...]) -> tuple[str, ...]:
    shown = tuple(url if len(url) <= LONGEST_ADDRESS else url[: LONGEST_ADDRESS - 1] + "…" for url in pages)
    return shown if len(shown) <= MOST_PAGES else (*shown[:MOST_PAGES], f"and {len(shown) - MOST_PAGES} more")


def _lost_by(event: Event) -> Iterator[Notice]:
    data = event.data
    if event.type == "recorder_gap" and data.get("torn_bytes"):
        yield _notice(event, "torn_line", f"the last {data['torn_bytes']} bytes before the gap were no whole event")
    if event.type == "snapshot" and (data.get("ms") or 0) > LATE_MS:
        yield _notice(event, "late_snapshot", f"it took {data['ms'] / 1000:.1f} seconds")
    if event.type == "snapshot" and data.get("partial"):
        yield _notice(event, "partial_snapshot", MISSING["partial_snapshot"])


def _visits_that_stood_open(events: Iterable[Event]) -> frozenset[str]:
    """Return the visits that began with a recording, or a part of it, and not with an act: nothing caused them."""
    found: set[str] = set()
    seen: set[str | None] = set()
    for event in events:
        if event.type in {"task_start", "resume", "recorder_gap", "forget"}:
            seen = set()
        elif event.type == "tab_open" and event.data.get("how") != "existing":
            seen.add(event.tab)
        elif event.type == "visit" and event.tab not in seen:
            seen.add(event.tab)
            found.add(str(event.data["visit"]))
    return frozenset(found)


def _visits_passed_by(events: Iterable[Event], visits: Iterable[Visit]) -> frozenset[str]:
    """Return the visits that a script or a redirect led on from, in their tab, before anybody could read."""
    began = {event.seq: event.t_mono for event in events if event.type == "visit"}
    last: dict[str | None, Visit] = {}
    found: set[str] = set()
    for visit in visits:
        before = last.get(visit.tab)
        last[visit.tab] = visit
        if before is None or visit.cause not in {"script", "redirect"}:
            continue
        if began[visit.seq] - began[before.seq] <= PASSING_MS:
            found.add(before.visit)
    return frozenset(found)


def _notice(event: Event, kind: str, detail: str) -> Notice:
    return Notice(seq=event.seq, at=iso_utc(event.t_wall), kind=kind, detail=detail, url=event.url)
