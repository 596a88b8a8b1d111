"""One recording from Start to Stop: what the panel's commands do to the log, the recorder and the upload."""

from __future__ import annotations

import asyncio
import logging
import platform
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from browser_capture.capture_api import CaptureApi
from browser_capture.causes import Navigation
from browser_capture.event_log import Clock, Entry, EventLog, system_clock
from browser_capture.events import iso_utc
from browser_capture.folders import make_private
from browser_capture.outbox import Outbox
from browser_capture.page_store import PageStore
from browser_capture.panel_link import Command
from browser_capture.policy import CaptureTask
from browser_capture.privacy import Privacy
from browser_capture.recorder import Recorder
from browser_capture.sources.documents import DocumentSource
from browser_capture.sources.tabs import TabFeed
from browser_capture.sources.wire import Cdp
from browser_capture.spool import About, Spool, remove_spool
from browser_capture.trajectory import Actor
from browser_capture.uploading import Uploader
from browser_capture.urls import origin
from browser_capture.version import VERSION

log = logging.getLogger(__name__)

STOP_SECONDS = 6.0
HURRY_SECONDS = 2.0
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
    """What a recording is about. `api` may be unreachable: recording does not need it."""

    home: Path
    session: str
    task: CaptureTask
    api: CaptureApi
    actor: Actor
    clock: Clock = field(default_factory=system_clock)


class Recording:
    """A recording that the panel commands. `feeds` are the open tabs, kept by who listens to the browser."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.log = EventLog(self._open_spool, setup.session, setup.task.task_id, setup.clock)
        self._privacy = Privacy([origin(setup.api.server)])
        self.recorder = Recorder(self.log, setup.task.policy, self._privacy)
        self.uploader = Uploader(self._until, self._uploaded)
        self.feeds: dict[str, TabFeed] = {}
        self.is_starting = False
        self.browser_is_gone = False
        self._documents: DocumentSource | None = None
        self._browser = ""

    @property
    def spool_folder(self) -> Path:
        """Where this recording is written."""
        return self.setup.home / "spool" / self.setup.session

    @property
    def is_open(self) -> bool:
        """Whether it has begun and not ended."""
        return self.log.state in {"recording", "paused"}

    def attached(self, cdp: Cdp, browser: str) -> None:
        """Note the browser's own DevTools session and its version."""
        self._browser = browser
        clock = self.setup.clock
        self._documents = DocumentSource(cdp, self.recorder, self._pages, self._privacy.is_recorded, clock.wall)

    async def obey(self, command: Command) -> None:
        """Do what the panel asks; what makes no sense in this state is ignored. Raises WireError and OSError."""
        await _COMMANDS[command.do](self, command)

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

    def sync(self) -> None:
        """Have the disk hold what was written; a disk that does not is logged. For a thread."""
        try:
            self.log.sync()
        except (OSError, ValueError) as error:
            log.error("the disk did not confirm the log: %s", error)

    async def _hello(self, command: Command) -> None:
        self.log.on_change()

    async def _start(self, command: Command) -> None:
        if self.log.state != "idle":
            return
        self.is_starting = True
        try:
            self.log.set_state("recording")
            self.log.put(Entry("session_start", "rec", self._about_us()))
            task = self.setup.task
            start = {"task": task.task_id, "revision": task.version, "open_tabs": self.recorder.recorded_tabs()}
            self.log.put(Entry("task_start", "panel", start))
            await self._watch_documents(watch=True)
            self.recorder.begin_visits(await self._standing(), announce=True)
            # Only when the open pages are kept is the person told to go on.
            await self.recorder.keeper.settle(STOP_SECONDS)
        finally:
            self.is_starting = False
        self.uploader.begin(Outbox(self.spool_folder, self.setup.api))

    async def _pause(self, command: Command) -> None:
        if self.log.is_recording:
            await self._end_visits(STOP_SECONDS)
            self.log.put(Entry("pause", "panel"))
            self.log.set_state("paused")

    async def _resume(self, command: Command) -> None:
        if self.log.state == "paused":
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
        self.recorder.put_evidence(tab, {name: str(found.get(name, "")) for name in ("quote", "prefix", "suffix")})

    async def _forget(self, command: Command) -> None:
        if not self.is_open or command.minutes <= 0:
            return
        await self.recorder.keeper.settle(HURRY_SECONDS)
        await self._drain()
        count = self.log.forget(command.minutes, sent=self.uploader.state.uploaded_seq)
        self.recorder.leave_visits()
        self.recorder.warn(f"Forgotten: {count} events of the last {command.minutes:g} minutes.")

    async def _draft(self, command: Command) -> None:
        folder = make_private(self.setup.home / "drafts")
        await asyncio.to_thread((folder / f"{self.setup.session}.csv").write_text, command.text, encoding="utf-8")

    async def _write_end(self, reason: str, seconds: float) -> None:
        if not self.is_open:
            return
        if self.log.is_recording:
            await self._end_visits(seconds)
        self.log.put(Entry("task_stop", "panel" if reason == "user" else "rec", {"reason": reason}))
        keeper = self.recorder.keeper
        counts = {"events": self.log.last_seq, "snapshots": keeper.kept, "snapshots_failed": keeper.failed}
        self.log.put(Entry("session_end", "rec", {"reason": reason, "counts": counts}))
        await asyncio.to_thread(self.sync)
        self.log.set_state("stopped")
        self.uploader.hurry()

    async def _end_visits(self, seconds: float) -> None:
        await self._watch_documents(watch=False)
        await self._drain()
        if not self.browser_is_gone:
            self.recorder.keep_all("stop")
        await self.recorder.keeper.settle(seconds)
        self.recorder.end_visits()

    async def _drain(self) -> None:
        for feed in tuple(self.feeds.values()):
            await feed.drain(1.0)

    async def _watch_documents(self, *, watch: bool) -> None:
        if self._documents is not None and not self.browser_is_gone:
            await (self._documents.start() if watch else self._documents.stop())

    async def _standing(self) -> list[Navigation]:
        now = self.setup.clock.mono()
        found = await asyncio.gather(*(feed.reader.adopt(now) for feed in tuple(self.feeds.values())))
        return [navigation for navigation in found if navigation is not None]

    def _until(self) -> int | None:
        window = round(self.setup.task.policy.forget_minutes * 60_000)
        return self.setup.clock.wall() - window if self.is_open or self.log.state == "idle" else None

    def _uploaded(self) -> None:
        if self.log.spool is not None:
            self.log.spool.close()
        remove_spool(self.spool_folder)
        self.log.set_state("uploaded")

    def _about_us(self) -> dict[str, Any]:
        return {
            "recorder": f"trailbench {VERSION}",
            "browser": self._browser,
            "python": platform.python_version(),
            "platform": platform.system(),
            "timezone": time.strftime("%z"),
            "actor": {"kind": self.setup.actor.kind, "name": self.setup.actor.name},
        }

    def _pages(self) -> PageStore | None:
        return self.log.spool.pages if self.log.spool is not None else None

    def _open_spool(self) -> Spool:
        about = About(
            session=self.setup.session,
            task=self.setup.task.task_id,
            server=self.setup.api.server,
            created_at=iso_utc(self.setup.clock.wall()),
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
