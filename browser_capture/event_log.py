"""What happened comes in from every source; between Start and Stop it becomes numbered events in the spool."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from browser_capture.errors import RecordError
from browser_capture.events import Event, EventSource, iso_utc
from browser_capture.spool import Spool

log = logging.getLogger(__name__)

State = Literal["idle", "recording", "paused", "stopped", "uploaded"]
_ALWAYS_WRITTEN = frozenset({"session_start", "task_start", "task_stop", "session_end", "pause", "resume", "forget"})


class Clock(NamedTuple):
    """Wall clock (UTC) and monotonic clock, both in milliseconds."""

    wall: Callable[[], int]
    mono: Callable[[], int]


def system_clock() -> Clock:
    """Return this machine's clocks; the monotonic one starts at zero."""
    origin = time.monotonic_ns()
    return Clock(lambda: time.time_ns() // 1_000_000, lambda: (time.monotonic_ns() - origin) // 1_000_000)


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
        self.problem: str | None = None
        self.on_change: Callable[[], None] = lambda: None
        self._unsynced = False

    @property
    def last_seq(self) -> int:
        """Number of the last event written, 0 before the first."""
        return self.spool.last_seq if self.spool else 0

    @property
    def is_recording(self) -> bool:
        """Whether entries are written just now."""
        return self.state == "recording"

    def set_state(self, state: State) -> None:
        """Go to another state; the panel is told."""
        if state == "recording" and self.spool is None:
            self.spool = self._open_spool()
            self.started_at = iso_utc(self.clock.wall())
        self.state = state
        self.on_change()

    def put(self, entry: Entry) -> Event | None:
        """Write an entry as an event and return it; None when nothing is recorded now or the entry does not fit."""
        if self.spool is None or not (self.is_recording or entry.type in _ALWAYS_WRITTEN):
            return None
        event = self._event(entry)
        try:
            written = self.spool.append(event)
        except RecordError as error:
            # A mistake of ours in one event must not end the person's recording.
            log.error("an event of type %s was left out: %s", entry.type, error)
            return None
        except OSError as error:
            self.problem = f"The disk refused an event ({error.strerror}): free some space; what is saved is kept."
            log.error("the disk refused an event: %s", error)
            self.on_change()
            return None
        self._after(written)
        return written

    def sync(self) -> None:
        """Have the disk hold what was written since the last time. Slow on a busy disk: not for the event loop.

        Raises OSError when the disk does not; the next call tries again.
        """
        if self._unsynced and self.spool is not None:
            # Before the disk is asked: what is written meanwhile needs another time.
            self._unsynced = False
            try:
                self.spool.sync()
            except OSError:
                self._unsynced = True
                raise

    def forget(self, minutes: float, *, sent: int) -> int:
        """Forget what was recorded in the last minutes and not yet sent; returns how many events became tombstones."""
        if self.spool is None:
            return 0
        since = self.clock.wall() - round(minutes * 60_000)
        found, last = self.spool.first_seq_since(since), self.spool.last_seq
        first = max(found or last + 1, sent + 1)
        count = self.spool.forget(first)
        if count:
            self.last.clear()
            self.put(Entry("forget", "panel", {"from_seq": first, "to_seq": last, "minutes": minutes}))
        return count

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
            url=entry.url[:8000] if entry.url else entry.url,
            data=dict(entry.data),
        )

    def _after(self, event: Event) -> None:
        self._unsynced = True
        text = _summary(event)
        if text:
            self.last.append({"type": event.type, "text": text, "at": iso_utc(event.t_wall)})
        self.on_change()


def _summary(event: Event) -> str:
    """Return the line the panel shows for an event, empty for those a person does not think in."""
    data = event.data
    if event.type == "query":
        return f"“{data['q']}”"
    if event.type == "serp":
        return f"{len(data['results'])} results ({data['parse_status']})"
    if event.type == "click":
        return str(data.get("link_text") or data.get("link_url") or "")[:80]
    if event.type == "visit":
        return str(data.get("title") or event.url or "")[:80]
    if event.type in {"evidence", "copy"}:
        return str(data.get("quote") or data.get("text"))[:80]
    return {"task_start": "Started", "task_stop": "Stopped", "pause": "Paused", "resume": "Resumed"}.get(event.type, "")
