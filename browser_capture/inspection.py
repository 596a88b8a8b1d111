"""A recording's lines come in; what leaves the machine with it goes out, in things a person thinks in. Pure.

Of each it says whether it is at the server already: what `sent` counts may have left, the rest waits here. What was
forgotten is counted and nothing more; what was never recorded leaves no trace to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from browser_capture.events import Event
from browser_capture.log_lines import Line, named_blobs

_PICTURES = "image/"
_DOCUMENTS = frozenset({"text/html", "application/xhtml+xml", "application/pdf"})
_PASSAGES = {"copy": "copied", "evidence": "marked", "jot": "jotted down"}
_TOLD = frozenset(
    {"query", "serp", "snapshot", "visit", "copy", "evidence", "jot", "download", "pause", "resume", "forget"}
    | {"forgotten", "recorder_gap", "policy", "snapshot_failed", "session_start", "session_end", "task_start"}
    | {"task_stop"}
)
"""Types that have a place of their own below; the others are counted."""
_OF_RECORDER = ("recorder", "browser", "browser_lived", "clock_offset_ms", "rtt_ms")
"""What is noted again when a recording goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A query. `results` is how many its result page showed, None where none was read. `at` is UTC in milliseconds."""

    seq: int
    at: int
    text: str
    engine: str
    results: int | None = None
    sent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One snapshot: how many documents (HTML, PDF), pictures and other parts it has, and the hash of its text."""

    seq: int
    at: int
    trigger: str
    page_id: str
    text_sha: str
    documents: int = 0
    pictures: int = 0
    others: int = 0
    bytes: int = 0
    partial: bool = False
    sent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A page by its address; `number` is what a command calls it. Without snapshots only address, title and times go.

    `seqs` are the first and the last event that it has a part in.
    """

    number: int
    url: str
    title: str
    at: int
    visits: int = 0
    seqs: tuple[int, int] = (0, 0)
    snapshots: tuple[Kept, ...] = ()

    @property
    def bytes(self) -> int:
        """Bytes of its snapshots' parts, those that are the same counted once a snapshot."""
        return sum(kept.bytes for kept in self.snapshots)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text the person copied, marked or jotted down, and where."""

    seq: int
    at: int
    how: str
    text: str
    url: str
    sent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file that was downloaded. All this goes; its bytes only where it is a PDF.

    `snapshot` is the id of the page that a PDF is kept as, `page` that page's number, None where it was forgotten.
    """

    seq: int
    at: int
    name: str
    url: str
    state: str = "completed"
    bytes: int | None = None
    sha: str | None = None
    snapshot: str | None = None
    page: int | None = None
    sent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What is noted of the machine, its browser and its clock: at Start, and again when a recording goes on."""

    seq: int
    at: int
    said: Mapping[str, Any]
    sent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something that is not in the recording, or not whole: `kind`, words for it, from when to when (UTC, ms)."""

    kind: str
    words: str
    seq: int
    began: int
    ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a recording holds. Times are UTC in milliseconds; `lasted_ms` follows the monotonic clock."""

    session: str
    task: str
    who: str
    events: int
    sent: int
    began: int
    ended: int
    lasted_ms: int
    paused_ms: int
    searches: tuple[Search, ...]
    pages: tuple[SeenPage, ...]
    passages: tuple[Passage, ...]
    downloads: tuple[Download, ...]
    machine: tuple[Noted, ...]
    left_out: tuple[LeftOut, ...]
    beside: Mapping[str, int]
    forgotten: int
    log_bytes: int
    oldest_waiting: int | None
    """When the first event that has not left happened."""
    blobs: tuple[str, ...] = field(default=())
    waiting_blobs: tuple[str, ...] = field(default=())
    """Hashes of the parts that go, and of those no sent event names."""


def inspect_lines(lines: Sequence[Line], *, sent: int) -> Inspection:
    """Return what a recording holds. `sent` is the number of the last event that may have left the machine.

    Raises ValueError without any line.
    """
    if not lines:
        raise ValueError("a recording without lines holds nothing")
    events = [line.event for line in lines]
    sent = max(0, min(sent, len(lines)))
    waiting = lines[sent:]
    gone = {sha for line in lines[: len(lines) - len(waiting)] for sha in named_blobs(line.event)}
    blobs = tuple(dict.fromkeys(sha for event in events for sha in named_blobs(event)))
    pauses, pages = _pauses(events), _pages(events, sent)
    return Inspection(
        session=events[0].session,
        task=next((event.task for event in events if event.task), ""),
        who=_who(events),
        events=len(events),
        sent=sent,
        began=events[0].t_wall,
        ended=events[-1].t_wall,
        lasted_ms=max(event.t_mono for event in events) - events[0].t_mono,
        paused_ms=sum(end.t_mono - begin.t_mono for begin, end in pauses),
        searches=_searches(events, sent),
        pages=pages,
        passages=tuple(
            Passage(
                seq=event.seq, at=event.t_wall, how=_PASSAGES[event.type], url=event.url or "",
                text=_passage_text(event.data), sent=event.seq <= sent,
            )
            for event in events if event.type in _PASSAGES
        ),
        downloads=_downloads(events, pages, sent),
        machine=_noted(events, sent),
        left_out=tuple(sorted([*map(_pause, pauses), *_left_out(events)], key=lambda part: part.seq)),
        beside=dict(Counter(event.type for event in events if event.type not in _TOLD).most_common()),
        forgotten=sum(1 for event in events if event.type == "forgotten"),
        log_bytes=sum(len(line.text) + 1 for line in lines),
        oldest_waiting=waiting[0].event.t_wall if waiting else None,
        blobs=blobs,
        waiting_blobs=tuple(sha for sha in blobs if sha not in gone),
    )  # fmt: skip


def _who(events: Sequence[Event]) -> str:
    actor = next((event.data.get("actor") for event in events if event.type == "session_start"), None)
    return f"{actor.get('name', 'unknown')} ({actor.get('kind', 'human')})" if isinstance(actor, dict) else "unknown"


def _searches(events: Sequence[Event], sent: int) -> tuple[Search, ...]:
    shown = {event.data.get("query"): len(event.data["results"]) for event in events if event.type == "serp"}
    return tuple(
        Search(
            seq=event.seq, at=event.t_wall, text=str(event.data["q"]), engine=str(event.data["engine"]),
            results=shown.get(event.seq), sent=event.seq <= sent,
        )
        for event in events if event.type == "query"
    )  # fmt: skip


def _pages(events: Sequence[Event], sent: int) -> tuple[SeenPage, ...]:
    found: dict[str, SeenPage] = {}
    for event in events:
        if event.type not in {"visit", "snapshot"}:
            continue
        data = event.data
        url = str(data.get("location") or event.url or "")
        old = found.get(url) or SeenPage(number=len(found) + 1, url=url, title="", at=event.t_wall)
        found[url] = replace(
            old,
            title=str(data.get("title") or "") or old.title,
            visits=old.visits + (event.type == "visit"),
            seqs=(old.seqs[0] or event.seq, event.seq),
            snapshots=(*old.snapshots, _kept(event, sent)) if event.type == "snapshot" else old.snapshots,
        )
    return tuple(found.values())


def _kept(event: Event, sent: int) -> Kept:
    data = event.data
    mimes = [str(part.get("mime") or "") for part in data.get("parts") or ()]
    documents = sum(mime in _DOCUMENTS for mime in mimes)
    pictures = sum(mime.startswith(_PICTURES) for mime in mimes)
    return Kept(
        seq=event.seq,
        at=event.t_wall,
        trigger=str(data["trigger"]),
        page_id=str(data["id"]),
        text_sha=str(data.get("text_sha") or ""),
        documents=documents,
        pictures=pictures,
        others=len(mimes) - documents - pictures,
        bytes=sum({str(part.get("sha")): int(part.get("bytes") or 0) for part in data.get("parts") or ()}.values()),
        partial=bool(data.get("partial")),
        sent=event.seq <= sent,
    )


def _downloads(events: Sequence[Event], pages: Sequence[SeenPage], sent: int) -> tuple[Download, ...]:
    numbers = {kept.page_id: page.number for page in pages for kept in page.snapshots}
    return tuple(
        Download(
            seq=event.seq, at=event.t_wall, name=str(event.data.get("name") or ""), url=str(event.data["url"]),
            state=str(event.data.get("state") or "completed"), bytes=event.data.get("bytes"),
            sha=event.data.get("sha"), snapshot=event.data.get("snapshot"),
            page=numbers.get(str(event.data.get("snapshot"))), sent=event.seq <= sent,
        )
        for event in events if event.type == "download"
    )  # fmt: skip


def _noted(events: Sequence[Event], sent: int) -> tuple[Noted, ...]:
    found = list[Noted]()
    for event in events:
        names = {"session_start": event.data.keys() - {"actor"}, "recorder_gap": _OF_RECORDER}.get(event.type, ())
        said = {name: value for name, value in event.data.items() if name in names}
        if said:
            found.append(Noted(seq=event.seq, at=event.t_wall, said=said, sent=event.seq <= sent))
    return tuple(found)


def _passage_text(data: Mapping[str, Any]) -> str:
    parts = (data.get("question"), data.get("quote") or data.get("text"))
    return " / ".join(str(part) for part in parts if part)


def _pauses(events: Sequence[Event]) -> list[tuple[Event, Event]]:
    """Pair each pause with what ended it; one that nothing ended lasts until the last event."""
    found, begin = list[tuple[Event, Event]](), None
    for event in events:
        if event.type == "pause":
            begin = begin or event
        elif begin is not None and event.type in {"resume", "task_stop"}:
            found.append((begin, event))
            begin = None
    return [*found, (begin, events[-1])] if begin is not None else found


def _pause(pair: tuple[Event, Event]) -> LeftOut:
    begin, end = pair
    words = "paused: nothing was recorded"
    return LeftOut(kind="paused", words=words, seq=begin.seq, began=begin.t_wall, ended=end.t_wall)


def _left_out(events: Sequence[Event]) -> list[LeftOut]:
    return [
        LeftOut(
            kind=event.type,
            words=_WORDS[event.type](event),
            seq=event.seq,
            began=int(event.data.get("from") or event.t_wall),
            ended=int(event.data.get("to") or event.t_wall),
        )
        for event in events
        if event.type in _WORDS
    ]


def _forget_words(event: Event) -> str:
    first, last = event.data["from_seq"], event.data["to_seq"]
    return f"forgotten: of events {first} to {last} only the time and the fact that they were there"


_WORDS: Mapping[str, Callable[[Event], str]] = {
    "forget": _forget_words,
    "recorder_gap": lambda event: f"nothing was recorded: {event.data['reason']}",
    "snapshot_failed": lambda event: f"a page could not be kept ({event.data['error']}): {event.url or ''}",
    "policy": lambda event: f"noted for the reviewer: {event.data.get('detail') or event.data['rule']}",
}
