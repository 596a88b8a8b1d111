"""What happened comes in from every source; between Start and Stop it becomes numbered events in the spool."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from browser_capture.clock import Clock
from browser_capture.copied import Copied
from browser_capture.errors import RecordError
from browser_capture.events import Event, EventSource, iso_utc
from browser_capture.privacy import clean_address, clean_members, without_place
from browser_capture.spool import Spool
from browser_capture.vital_signs import is_full

log = logging.getLogger(__name__)

State = Literal["idle", "recording", "paused", "stopped", "uploaded"]
_ALWAYS_WRITTEN = frozenset(
    {"session_start", "task_start", "task_stop", "session_end", "pause", "resume", "forget", "recorder_gap"}
)
_ADDRESSES = frozenset(
    {"url", "to_url", "first_url", "location", "typed_url", "link_url", "link_target_url", "action", "chain"}
)
_LONGEST = 8_000
"""Characters of an address that are kept; some are a megabyte of data, and no event would hold them."""
_NO_RESULTS = {"empty": "No results", "interstitial": "A page before the results"}
DISK_PROBLEM = (
    "The disk is {}: the recording waits, and goes on by itself when there is room. What is saved is kept. "
    "Free some space."
)


class Entry(NamedTuple):
    """An event without its envelope: what a source says. `mono` is when it happened, if not now."""

    type: str
    src: EventSource
    data: Mapping[str, Any] = {}
    tab: str | None = None
    visit: str | None = None
    url: str | None = None
    frame: Literal["main", "sub"] | None = None
    t_page: float | None = None
    n: int | None = None
    mono: int | None = None


class Forgotten(NamedTuple):
    """How many events became tombstones, and how many of those minutes had left the machine before."""

    events: int
    sent_before: int


class EventLog:
    """Writes entries while recording, drops them while not, and keeps what the panel shows. Knows no network."""

    def __init__(self, open_spool: Callable[[], Spool], session: str, task: str, clock: Clock) -> None:
        self._open_spool = open_spool
        self.session = session
        self.task = task
        self.clock = clock
        self.state: State = "idle"
        self.started_at: str | None = None
        self.spool: Spool | None = None
        self.last: deque[dict[str, str]] = deque(maxlen=5)
        self.copied = Copied()
        self.halt: str | None = None
        """Why the recording waits though nobody paused it: a few words, None while it does not."""
        self.on_change: Callable[[], None] = lambda: None
        self._problems: dict[str, str] = {}
        self._unsynced = False
        self._has_ended = False
        self._recorded_ms = 0
        self._since: int | None = None

    @property
    def last_seq(self) -> int:
        """Number of the last event written, 0 before the first."""
        return self.spool.last_seq if self.spool else 0

    @property
    def is_recording(self) -> bool:
        """Whether entries are written just now; nothing happens after the end, though the disk may still confirm it."""
        return self.state == "recording" and not self._has_ended

    @property
    def problem(self) -> str | None:
        """What the person should know is wrong now, in sentences."""
        return " ".join(tuple(self._problems.values())) or None

    def note_problem(self, kind: str, sentence: str | None) -> None:
        """Show a sentence for a kind of trouble, or take it back with None when it is over."""
        before = self._problems.get(kind)
        if sentence is None:
            self._problems.pop(kind, None)
        else:
            self._problems[kind] = sentence
        if before != sentence:
            self.on_change()

    def take_up(self, spool: Spool, started_at: str) -> None:
        """Go on with a log that another recorder began; nothing but its frame is written before `set_state`."""
        self.spool, self.started_at = spool, started_at
        self.set_state("paused")

    def take_past(self, events: Iterable[Event]) -> None:
        """Show the events of the recording that goes on as if they had been written here."""
        events = tuple(events)
        self._recorded_ms += _recorded_before(events)
        for event in events:
            self._show(event)

    @property
    def recorded_ms(self) -> int:
        """For how long something was recorded; the clock of the panel, which stands still while paused."""
        return self._recorded_ms + (max(0, self.clock.mono() - self._since) if self._since is not None else 0)

    def set_state(self, state: State) -> None:
        """Go to another state; the panel is told."""
        self._recorded_ms = self.recorded_ms
        self._since = self.clock.mono() if state == "recording" else None
        if state == "recording" and self.spool is None:
            self.spool = self._open_spool()
            self.started_at = iso_utc(self.clock.wall())
        self.state = state
        self.on_change()

    def put(self, entry: Entry, *, always: bool = False) -> Event | None:
        """Write an entry as an event and return it; None when it is not written.

        That is when nothing is recorded now (but for the frame of a recording, and what is written `always`), when the
        entry does not fit its schema, and when the disk refuses; the recording then waits.
        """
        if self.spool is None or not (always or self.is_recording or entry.type in _ALWAYS_WRITTEN):
            return None
        event = self._event(entry)
        try:
            written = self.spool.append(event)
        except (RecordError, ValueError) as error:
            # A mistake of ours in one event must not end the person's recording.
            log.error("an event of type %s was left out: %s", entry.type, error)
            if entry.type == "snapshot":
                lost = {"trigger": str(entry.data.get("trigger")), "error": f"it does not fit: {error}"[:300]}
                self.put(entry._replace(type="snapshot_failed", data=lost), always=always)
            return None
        except OSError as error:
            self.halt_for(error)
            return None
        self._after(written)
        return written

    def halt_for(self, error: OSError | None) -> None:
        """Pause because the disk takes nothing more (None: because it is nearly full); `go_on` ends that.

        What is written stays whole. Nothing is recorded until there is room: a recording with holes nobody knows of
        would be worse than one that says where it paused.
        """
        what = "full" if error is None or is_full(error) else f"not writable ({error.strerror})"
        self.note_problem("disk", DISK_PROBLEM.format(what))
        if self.state in {"recording", "paused"}:
            self.halt = f"the disk was {what}"
            self.set_state("paused")

    def halt_is_over(self) -> None:
        """Note that the disk takes events again; whether to record is the caller's to say."""
        self.halt = None
        self.note_problem("disk", None)

    def sync(self) -> None:
        """Have the disk hold what was written since the last time; while it does not, the person is told.

        Slow on a busy disk: for a thread, not for the event loop. The next call tries again.
        """
        if self._unsynced and self.spool is not None:
            # Before the disk is asked: what is written meanwhile needs another time.
            self._unsynced = False
            try:
                self.spool.sync()
            except (OSError, ValueError) as error:
                self._unsynced = True
                self.note_problem("sync", f"The disk does not confirm what is recorded ({error}). It is asked again.")
            else:
                self.note_problem("sync", None)

    def forget(self, minutes: float, *, sent: int) -> Forgotten:
        """Forget what was recorded in the last minutes and did not leave the machine. Raises OSError."""
        if self.spool is None:
            return Forgotten(0, 0)
        # By the monotonic clock: a wall clock that was set would forget too little.
        found = self.spool.first_seq_since(self.clock.mono() - round(minutes * 60_000))
        last = self.spool.last_seq
        first = max(found or last + 1, sent + 1)
        count = self.spool.forget(first)
        if count:
            self.last.clear()
            self.put(Entry("forget", "panel", {"from_seq": first, "to_seq": last, "minutes": minutes}))
        return Forgotten(count, max(0, sent + 1 - found) if found is not None else 0)

    def _event(self, entry: Entry) -> Event:
        now = self.clock.mono()
        mono = now if entry.mono is None else entry.mono
        return Event(
            session=self.session,
            seq=1,
            type=entry.type,
            src=entry.src,
            t_wall=self.clock.wall() - (now - mono),
            t_mono=mono,
            task=self.task,
            t_page=entry.t_page,
            n=entry.n,
            tab=entry.tab,
            visit=entry.visit,
            frame=entry.frame,
            url=_address(entry),
            data={name: _capped(name, value) for name, value in clean_members(entry.data).items()},
        )

    def _after(self, event: Event) -> None:
        self._unsynced = True
        self._has_ended = self._has_ended or event.type == "session_end"
        self._show(event)
        self.on_change()

    def _show(self, event: Event) -> None:
        self.copied.take(event)
        text = _summary(event)
        if text:
            self.last.append({"type": event.type, "text": text, "at": iso_utc(event.t_wall)})


def _recorded_before(events: Iterable[Event]) -> int:
    """Return for how many milliseconds these events tell of something recorded: neither pauses nor gaps."""
    total, before, is_running = 0, 0, False
    for event in events:
        if is_running and event.type != "recorder_gap":
            total += max(0, event.t_mono - before)
        before = event.t_mono
        is_running = (is_running or event.type in {"task_start", "resume"}) and event.type not in {"pause", "task_stop"}
    return total


def _address(entry: Entry) -> str | None:
    if not entry.url:
        return entry.url
    # A visit says where in a page a link led; what the page itself wrote there was taken away before.
    return (clean_address if entry.type == "visit" else without_place)(entry.url)[:_LONGEST]


def _capped(name: str, value: Any) -> Any:
    if name not in _ADDRESSES:
        return value
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, Mapping):
        return {member: _capped(member, one) for member, one in value.items()}
    return [_capped(name, one) for one in value] if isinstance(value, (list, tuple)) else value


def _results_said(count: int, status: str) -> str:
    """Say what was read on a result page.

    >>> [_results_said(10, "ok"), _results_said(1, "suspect"), _results_said(0, "interstitial")]
    ['10 results', '1 result, read with doubt', 'A page before the results']
    """
    if status in _NO_RESULTS:
        return _NO_RESULTS[status]
    counted = "1 result" if count == 1 else f"{count} results"
    return counted if status == "ok" else f"{counted}, read with doubt"


def _summary(event: Event) -> str:
    """Return the line the panel shows for an event, empty for those a person does not think in."""
    data = event.data
    if event.type == "query":
        return f"“{data['q']}”"
    if event.type == "serp":
        return _results_said(len(data["results"]), str(data["parse_status"]))
    if event.type == "click":
        return str(data.get("link_text") or data.get("link_url") or "")[:80]
    if event.type == "visit":
        return str(data.get("title") or event.url or "")[:80]
    if event.type in {"evidence", "copy"}:
        return str(data.get("quote") or data.get("text"))[:80]
    return {"task_start": "Started", "task_stop": "Stopped", "pause": "Paused", "resume": "Resumed"}.get(event.type, "")
