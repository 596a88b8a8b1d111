"""One recording from Start to Stop: what the panel's commands do to the log, the recorder and the upload."""

from __future__ import annotations

import asyncio
import logging
import platform
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from browser_capture.capture_api import CaptureApi
from browser_capture.causes import Navigation
from browser_capture.clock import Clock, MeasuredClock, system_clock
from browser_capture.event_log import Entry, EventLog
from browser_capture.events import iso_utc
from browser_capture.kept_draft import KeptDraft
from browser_capture.log_lines import read_lines
from browser_capture.outbox import Outbox
from browser_capture.page_store import PageStore
from browser_capture.panel_link import Command
from browser_capture.past import Past, read_past
from browser_capture.policy import CaptureTask
from browser_capture.privacy import Privacy
from browser_capture.recorder import Recorder
from browser_capture.sources.documents import DocumentSource
from browser_capture.sources.tabs import TabFeed
from browser_capture.sources.wire import Cdp
from browser_capture.spool import About, Spool, remove_spool
from browser_capture.taking_up import DIED, as_before, known_documents, write_gap
from browser_capture.trajectory import Actor
from browser_capture.uploading import Uploader
from browser_capture.urls import origin
from browser_capture.version import VERSION

log = logging.getLogger(__name__)

STOP_SECONDS = 6.0
HURRY_SECONDS = 2.0
CLOCK_SECONDS = 1.0
RETURN_SECONDS = 3.0
_SELECTION = """() => {
  const chosen = getSelection();
  const quote = String(chosen || "").trim();
  if (!quote || !chosen.rangeCount) return null;
  const range = chosen.getRangeAt(0);
  const around = (node, from, to) => (node && node.nodeType === 3 ? node.data.slice(Math.max(0, from), to) : "");
  return {
    quote: quote.slice(0, 2000),
    prefix: around(range.startContainer, range.startOffset - 80, range.startOffset),
    suffix: around(range.endContainer, range.endOffset, range.endOffset + 80),
  };
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a recording is about. `api` may be unreachable: recording does not need it.

    `past` is what there is of a recording that was cut short and goes on.
    """

    home: Path
    session: str
    task: CaptureTask
    api: CaptureApi
    actor: Actor
    clock: Clock = field(default_factory=system_clock)
    past: Past | None = None


class Recording:
    """A recording that the panel commands. `feeds` are the open tabs, kept by who listens to the browser."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.log = EventLog(self._open_spool, setup.session, setup.task.task_id, setup.clock)
        self._privacy = Privacy([origin(setup.api.server)])
        self.recorder = Recorder(self.log, setup.task.policy, self._privacy)
        self.uploader = Uploader(self._until, self._uploaded)
        self.draft = KeptDraft(setup.home, setup.task.task_id)
        self.known_draft: Mapping[str, Any] | None = None
        self.kept_ref = ""
        """The draft that was kept last, by the panel's name for it."""
        self.feeds: dict[str, TabFeed] = {}
        self.closing: set[asyncio.Task[None]] = set()
        """Tabs that are gone and whose last messages are still being read."""
        self.is_starting = False
        self.browser_is_gone = False
        self._documents: DocumentSource | None = None
        self._holds_documents = self._may_hold_documents = True
        self._browser = self._binding = ""
        self._measured = MeasuredClock(setup.api.server_time)
        self._is_paused = False
        self._end_waits: str | None = None
        self._past: Past | None = None

    @property
    def spool_folder(self) -> Path:
        """Where this recording is written."""
        return self.setup.home / "spool" / self.setup.session

    @property
    def is_open(self) -> bool:
        """Whether it has begun and not ended."""
        return self.log.state in {"recording", "paused"}

    async def measure_clock(self) -> None:
        """Ask the server what time it is, where it can be reached."""
        await self._measured.measure()

    def attached(self, cdp: Cdp, browser: str, binding: str) -> None:
        """Note the browser's own DevTools session, its version, and the name by which its pages call the recorder."""
        self._browser, self._binding = browser, binding
        clock = self.setup.clock
        self._documents = DocumentSource(cdp, self.recorder, self._pages, self._privacy.is_recorded, clock.wall)

    async def obey(self, command: Command) -> None:
        """Do what the panel asks; what makes no sense in this state is ignored. Raises WireError and OSError."""
        await _COMMANDS[command.do](self, command)

    async def take_up(self) -> None:
        """Go on with the recording that was cut short: note the gap, keep every open page. Raises SpoolDamaged."""
        past = self.setup.past
        assert past is not None  # noqa: S101 - asked for only where there is one
        self.is_starting = True
        try:
            await self._measured.known(CLOCK_SECONDS)
            spool, _ = await asyncio.to_thread(Spool.reopen, self.spool_folder)
            self.uploader.begin(Outbox(self.spool_folder, self.setup.api))
            self._is_paused = past.is_paused
            self.log.take_up(spool, past.started_at)
            self.log.copied.take_all(past.entries)
            await self._pages_return(past)
            standing = await self._standing()
            targets = {feed.tab.tab: feed.tab.target for feed in self.feeds.values()}
            self.recorder.take_up(past, known_documents(past, standing, targets, spool.pages))
            await self._bridge(past, DIED, announce=True)
        finally:
            self.is_starting = False

    async def go_on(self) -> None:
        """Go on after a halt of the disk, or write the end that waited for it; nothing while the disk refuses."""
        if self.log.halt is None:
            return
        if self._end_waits is not None:
            await self._write_end(self._end_waits, HURRY_SECONDS)
        else:
            await self._bridge(await self._read_past(), self.log.halt, announce=False)

    async def hold_documents(self, *, may: bool) -> None:
        """Have documents held for a look at their answers, where they are to be, or let them pass unseen."""
        self._may_hold_documents = may
        if self.is_open:
            await self._watch_documents(watch=self._holds_documents)

    async def end(self, reason: str) -> None:
        """End it because the browser or the command ends: what can be had in two seconds is kept."""
        await self._write_end(reason, HURRY_SECONDS)

    async def close_tab(self, feed: TabFeed, at: int) -> None:
        """Read what a closed tab still said, and note that it is gone."""
        await feed.drain(1.0)
        await feed.stop()
        self.recorder.tab_gone(feed.tab.tab, at)

    async def let_go(self) -> None:
        """Stop listening and close the log."""
        await asyncio.gather(*(feed.stop() for feed in self.feeds.values()))
        if self._documents is not None:
            await self._documents.close()
        if self.log.spool is not None:
            self.log.spool.close()

    async def _hello(self, command: Command) -> None:
        self.known_draft = await asyncio.to_thread(self.draft.read)
        self.log.on_change()

    async def _start(self, command: Command) -> None:
        if self.log.state != "idle":
            return
        self.is_starting = True
        try:
            await self._measured.known(CLOCK_SECONDS)
            self.log.set_state("recording")
            self._put_start()
            await self._watch_documents(watch=True)
            self.recorder.begin_visits(await self._standing(), announce=True)
            # Only when the open pages are kept is the person told to go on.
            await self.recorder.keeper.settle(STOP_SECONDS)
        finally:
            self.is_starting = False
        self.uploader.begin(Outbox(self.spool_folder, self.setup.api))

    async def _pause(self, command: Command) -> None:
        if self.log.is_recording:
            self._is_paused = True
            await self._end_visits(STOP_SECONDS)
            self.log.put(Entry("pause", "panel"))
            self.log.set_state("paused")

    async def _resume(self, command: Command) -> None:
        if self.log.halt is not None:
            self._is_paused = False
            await self.go_on()
        elif self.log.state == "paused":
            self._is_paused = False
            self.log.set_state("recording")
            self.log.put(Entry("resume", "panel"))
            await self._watch_documents(watch=True)
            self.recorder.begin_visits(await self._standing(), announce=False)

    async def _stop(self, command: Command) -> None:
        await self._write_end("user", STOP_SECONDS)

    async def _mark(self, command: Command) -> None:
        tab = self.recorder.active_tab() if self.log.is_recording else None
        found = await tab.evaluate(_SELECTION) if tab is not None else None
        if tab is None or not isinstance(found, dict) or not found.get("quote"):
            self.recorder.warn("Nothing is selected: select the passage on the page, then mark it.")
            return
        self.recorder.keeper.keep(tab.tab, "mark", only_if_changed=True)
        await self.recorder.keeper.settle(STOP_SECONDS)
        passage = {name: str(found.get(name, "")) for name in ("quote", "prefix", "suffix")}
        event = self.recorder.put_evidence(tab, passage)
        if event is not None:
            self.log.copied.answer(event.seq, command.ref)

    async def _forget(self, command: Command) -> None:
        if not self.is_open or command.minutes <= 0:
            return
        await self.recorder.keeper.settle(HURRY_SECONDS)
        await self._drain()
        forgotten = self.log.forget(command.minutes, sent=self.uploader.claimed_seq)
        self.recorder.leave_visits()
        words = f"Forgotten: {forgotten.events} events of the last {command.minutes:g} minutes."
        if forgotten.sent_before:
            words += f" {forgotten.sent_before} more were sent before; ask the maintainer of the server about them."
        self.recorder.warn(words)

    async def _draft(self, command: Command) -> None:
        if command.saved:
            await asyncio.to_thread(self.draft.drop)
        else:
            await asyncio.to_thread(self.draft.keep, command.text, command.origins, command.base)
        self.kept_ref = command.ref

    async def _write_end(self, reason: str, seconds: float) -> None:
        if not self.is_open:
            return
        reason = self._end_waits or reason
        past = await self._read_past() if self.log.halt is not None else None
        if self.log.halt is not None and past is not None:
            write_gap(self.log, past, self.log.halt)
        elif self.log.is_recording:
            await self._end_visits(seconds)
        if past is None or not past.has_stop:
            self.log.put(Entry("task_stop", "panel" if reason == "user" else "rec", {"reason": reason}))
        if self.log.put(Entry("session_end", "rec", {"reason": reason, "counts": self._counts()})) is None:
            # The disk takes nothing: the end is written when there is room, or by the next upload.
            self._end_waits = reason
            return
        self.log.halt_is_over()
        await asyncio.to_thread(self.log.sync)
        self.log.set_state("stopped")
        self.uploader.hurry()

    async def _pages_return(self, past: Past) -> None:
        """Wait until the pages that stood open are on their way again in a browser that has just been started."""
        wanted = {stay.url for stay in past.stays}
        for _ in range(round(RETURN_SECONDS / 0.1)):
            here = {feed.tab.url for feed in self.feeds.values()}
            if wanted <= here or not here & {"", "about:blank"}:
                return
            await asyncio.sleep(0.1)

    async def _read_past(self) -> Past | None:
        """Read what was written before a halt; not again for each look at a disk that is still full."""
        if self._past is None or self._past.events != self.log.last_seq:
            lines = await asyncio.to_thread(read_lines, self.spool_folder)
            self._past = read_past(lines) if lines else None
        return self._past

    async def _bridge(self, past: Past | None, reason: str, *, announce: bool) -> None:
        """Write the gap and begin again with the pages that stand open; nothing while the disk refuses the gap."""
        if past is not None and write_gap(self.log, past, reason, self._about_gap()) is None:
            return
        if past is None or not past.has_start:
            self._put_start()
        if past is not None and past.is_paused != self._is_paused:
            self.log.put(Entry("pause" if self._is_paused else "resume", "panel"))
        self.log.halt_is_over()
        if self._is_paused:
            return
        self.log.set_state("recording")
        await self._watch_documents(watch=True)
        standing = await self._standing()
        self.recorder.begin_visits(as_before(past, standing) if past is not None else standing, announce=announce)
        await self.recorder.keeper.settle(STOP_SECONDS)

    async def _end_visits(self, seconds: float) -> None:
        await self._watch_documents(watch=False)
        await self._drain()
        if not self.browser_is_gone:
            self.recorder.keep_all("stop")
        await self.recorder.keeper.settle(seconds)
        self.recorder.end_visits()

    async def _drain(self) -> None:
        # A browser that dies closes its tabs first: what they said last is part of the recording.
        await asyncio.gather(*(feed.drain(1.0) for feed in tuple(self.feeds.values())))
        if self.closing:
            await asyncio.wait(tuple(self.closing), timeout=HURRY_SECONDS)

    async def _watch_documents(self, *, watch: bool) -> None:
        self._holds_documents = watch
        if self._documents is not None and not self.browser_is_gone:
            await (self._documents.start() if watch and self._may_hold_documents else self._documents.stop())

    async def _standing(self) -> list[Navigation]:
        now = self.setup.clock.mono()
        found = await asyncio.gather(*(feed.reader.adopt(now) for feed in tuple(self.feeds.values())))
        return [navigation for navigation in found if navigation is not None]

    def _until(self) -> int | None:
        # By the monotonic clock: a wall clock that is set forward would send what may still be forgotten.
        window = round(self.setup.task.policy.forget_minutes * 60_000)
        return self.setup.clock.mono() - window if self.is_open or self.log.state == "idle" else None

    def _uploaded(self) -> None:
        if self.log.spool is not None:
            self.log.spool.close()
        remove_spool(self.spool_folder)
        self.log.set_state("uploaded")

    def _put_start(self) -> None:
        task = self.setup.task
        self.log.put(Entry("session_start", "rec", self._about_us()))
        start = {"task": task.task_id, "revision": task.version, "open_tabs": self.recorder.recorded_tabs()}
        self.log.put(Entry("task_start", "panel", start))

    def _counts(self) -> dict[str, int]:
        keeper = self.recorder.keeper
        return {"events": self.log.last_seq, "snapshots": keeper.kept, "snapshots_failed": keeper.failed}

    def _about_us(self) -> dict[str, Any]:
        return {
            **self._about_gap(),
            "python": platform.python_version(),
            "platform": platform.system(),
            "timezone": time.strftime("%z"),
            "actor": {"kind": self.setup.actor.kind, "name": self.setup.actor.name},
        }

    def _about_gap(self) -> dict[str, Any]:
        offset = self._measured.offset
        return {
            "recorder": f"trailbench {VERSION}",
            "browser": self._browser,
            "clock_offset_ms": offset.offset_ms if offset else None,
            "rtt_ms": offset.rtt_ms if offset else None,
        }

    def _pages(self) -> PageStore | None:
        return self.log.spool.pages if self.log.spool is not None else None

    def _open_spool(self) -> Spool:
        about = About(
            session=self.setup.session,
            task=self.setup.task.task_id,
            server=self.setup.api.server,
            created_at=iso_utc(self.setup.clock.wall()),
            version=self.setup.task.version,
            policy=asdict(self.setup.task.policy),
            binding=self._binding,
        )
        return Spool.create(self.spool_folder, about)


_Obey = Callable[[Recording, Command], Coroutine[Any, Any, None]]
_COMMANDS: Mapping[str, _Obey] = {
    "hello": Recording._hello,
    "start": Recording._start,
    "pause": Recording._pause,
    "resume": Recording._resume,
    "stop": Recording._stop,
    "mark": Recording._mark,
    "forget": Recording._forget,
    "draft": Recording._draft,
}
