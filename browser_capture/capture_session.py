"""One run of `trailbench capture start`: browser, recorder, panel and upload, until the browser closes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import platform
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from browser_capture.capture_api import CaptureApi, ServerAway, ServerRefused
from browser_capture.causes import Navigation
from browser_capture.errors import IncompleteError, TrailbenchError
from browser_capture.event_log import Clock, Entry, EventLog, system_clock
from browser_capture.events import iso_utc
from browser_capture.folders import make_private
from browser_capture.outbox import Outbox
from browser_capture.page_store import PageStore
from browser_capture.panel_link import Command, Upload, read_command, state_detail
from browser_capture.policy import CaptureTask
from browser_capture.privacy import Privacy
from browser_capture.recorder import Recorder
from browser_capture.sources.documents import DocumentSource
from browser_capture.sources.tabs import TabFeed
from browser_capture.sources.wire import Cdp, DomCall, WireError, WireTab
from browser_capture.spool import About, Spool, remove_spool
from browser_capture.trajectory import Actor
from browser_capture.urls import origin
from browser_capture.version import VERSION

log = logging.getLogger(__name__)

TICK_SECONDS = 0.2
UPLOAD_SECONDS = 2.0
HEARTBEAT_SECONDS = 60.0
STOP_SECONDS = 6.0
LAST_UPLOAD_SECONDS = 30.0
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
    """What a run is about. `api` may be unreachable: recording does not need it."""

    home: Path
    session: str
    task: CaptureTask
    api: CaptureApi
    actor: Actor
    clock: Clock = field(default_factory=system_clock)


class Window(Protocol):
    """What a run needs of the attached browser beside its tabs."""

    cdp: Cdp

    @property
    def version(self) -> str: ...

    async def open_panel(self, url: str) -> None: ...

    async def tell_panel(self, detail: Mapping[str, Any]) -> None: ...


class CaptureSession:
    """Listens to the browser, obeys the panel and keeps the upload going. Make it, attach the browser, `run` it."""

    def __init__(self, setup: Setup, on_state: Callable[[dict[str, Any]], None] = lambda detail: None) -> None:
        self._setup = setup
        self._on_state = on_state
        self._clock = setup.clock
        self.log = EventLog(self._open_spool, setup.session, setup.task.task_id, setup.clock)
        self._privacy = Privacy([origin(setup.api.server)])
        self.recorder = Recorder(self.log, setup.task.policy, self._privacy)
        self.log.on_change = self._changed
        self._feeds: dict[str, TabFeed] = {}
        self._early: dict[str, list[DomCall]] = {}
        self._gone = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._commands = asyncio.Lock()
        self._outbox: Outbox | None = None
        self._upload_wish = asyncio.Event()
        self._window: Window
        self._documents: DocumentSource
        self._is_starting = False
        self._stale = True
        self._told_at = 0.0
        self._told_state = ""
        self._refusal: str | None = None

    @property
    def spool_folder(self) -> Path:
        """Where this recording is written."""
        return self._setup.home / "spool" / self._setup.session

    async def run(self, window: Window) -> None:
        """Record and upload until the browser is gone; cancelled, it still writes the end of the recording."""
        self._window = window
        self._documents = DocumentSource(
            window.cdp, self.recorder, self._pages, self._privacy.is_recorded, self._clock.wall
        )
        work = [self._keep_ticking(), self._keep_uploading(), self._keep_claim()]
        tasks = [asyncio.create_task(each) for each in work]
        try:
            await self._show_panel()
            await self._gone.wait()
            await self._end("closed")
            await self._finish_upload(tasks[1])
        except asyncio.CancelledError:
            await self._end("closed")
            raise
        finally:
            for task in (*tasks, *self._tasks):
                task.cancel()
            await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)
            await asyncio.gather(self._documents.close(), *(feed.stop() for feed in self._feeds.values()))
            if self.log.spool is not None:
                self.log.spool.close()

    # The browser's listener: each of these only notes what happened and returns.

    def tab_opened(self, tab: WireTab, existed: bool) -> None:
        feed = TabFeed(tab, self.recorder, self._clock.mono)
        self._feeds[tab.tab] = feed
        feed.start(existed)
        for call in self._early.pop(tab.tab, []):
            feed.put_call(call)

    def tab_closed(self, tab: str) -> None:
        feed = self._feeds.pop(tab, None)
        if feed is not None:
            self._spawn(self._close_tab(feed, self._clock.mono()))

    def dom_called(self, tab: str, call: DomCall) -> None:
        feed = self._feeds.get(tab)
        if feed is not None:
            feed.put_call(call)
        elif len(waiting := self._early.setdefault(tab, [])) < 100:
            waiting.append(call)

    def dialog_shown(self, tab: str, kind: str, url: str) -> None:
        self.recorder.dialog_shown(tab, kind, url)

    def panel_called(self, text: str) -> None:
        command = read_command(text)
        if command is not None:
            self._spawn(self._obey(command))

    def browser_gone(self) -> None:
        self._gone.set()

    # Commands of the panel, one at a time.

    async def _obey(self, command: Command) -> None:
        async with self._commands:
            try:
                await _COMMANDS[command.do](self, command)
            except (TrailbenchError, OSError) as error:
                self.log.problem = f"{command.do} failed: {error}"
                log.error("%s failed: %s", command.do, error)
            except WireError as error:
                log.info("%s: the browser did not answer: %s", command.do, error)
        self._stale = True
        await self._tell()

    async def _hello(self, command: Command) -> None:
        self._stale = True

    async def _start(self, command: Command) -> None:
        if self.log.state != "idle":
            return
        self._is_starting = True
        self.log.set_state("recording")
        self.log.put(Entry("session_start", "rec", self._about_us()))
        start = {
            "task": self._setup.task.task_id,
            "revision": self._setup.task.version,
            "open_tabs": self.recorder.recorded_tabs(),
        }
        self.log.put(Entry("task_start", "panel", start))
        await self._documents.start()
        self.recorder.begin_visits(await self._standing(), announce=True)
        # Only when the open pages are kept is the person told to go on.
        await self.recorder.keeper.settle(STOP_SECONDS)
        self._is_starting = False
        if self.log.spool is not None:
            self._outbox = Outbox(self.spool_folder, self._setup.api)
            self._upload_wish.set()

    async def _pause(self, command: Command) -> None:
        if self.log.state == "recording":
            await self._documents.stop()
            await self._end_visits(3.0)
            self.log.put(Entry("pause", "panel"))
            self.log.set_state("paused")

    async def _resume(self, command: Command) -> None:
        if self.log.state == "paused":
            self.log.set_state("recording")
            self.log.put(Entry("resume", "panel"))
            await self._documents.start()
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
        await self.recorder.keeper.settle(5.0)
        self.recorder.put_evidence(tab, {name: str(found.get(name, "")) for name in ("quote", "prefix", "suffix")})

    async def _forget(self, command: Command) -> None:
        if self.log.state not in {"recording", "paused"} or command.minutes <= 0:
            return
        await self.recorder.keeper.settle(3.0)
        for feed in tuple(self._feeds.values()):
            await feed.drain(1.0)
        sent = self._outbox.uploaded_seq if self._outbox else 0
        count = self.log.forget(command.minutes, sent=sent)
        self.recorder.leave_visits()
        self.recorder.warn(f"Forgotten: {count} events of the last {command.minutes:g} minutes.")

    async def _draft(self, command: Command) -> None:
        folder = make_private(self._setup.home / "drafts")
        await asyncio.to_thread((folder / f"{self._setup.session}.csv").write_text, command.text, encoding="utf-8")

    async def _closed(self, command: Command) -> None:
        # A closed panel stops nothing; while something is recorded the person must be able to see it. When the whole
        # browser closes, its panel is only the first to go.
        await asyncio.sleep(0.5)
        if self.log.state in {"recording", "paused"} and not self._gone.is_set():
            await self._show_panel()

    # Ending.

    async def _end(self, reason: str) -> None:
        async with self._commands:
            await self._write_end(reason, 2.0)

    async def _write_end(self, reason: str, seconds: float) -> None:
        if self.log.state not in {"recording", "paused"}:
            return
        if self.log.is_recording:
            if not self._gone.is_set():
                await self._documents.stop()
            await self._end_visits(seconds)
        self.log.put(Entry("task_stop", "panel" if reason == "user" else "rec", {"reason": reason}))
        keeper = self.recorder.keeper
        counts = {"events": self.log.last_seq, "snapshots": keeper.kept, "snapshots_failed": keeper.failed}
        self.log.put(Entry("session_end", "rec", {"reason": reason, "counts": counts}))
        await asyncio.to_thread(self._sync)
        self.log.set_state("stopped")
        self._upload_wish.set()

    async def _end_visits(self, seconds: float) -> None:
        for feed in tuple(self._feeds.values()):
            await feed.drain(1.0)
        if not self._gone.is_set():
            self.recorder.keep_all("stop")
        await self.recorder.keeper.settle(seconds)
        self.recorder.end_visits()

    async def _close_tab(self, feed: TabFeed, at: int) -> None:
        await feed.drain(1.0)
        await feed.stop()
        self.recorder.tab_gone(feed.tab.tab, at)

    # The upload.

    async def _keep_uploading(self) -> None:
        while self.log.state != "uploaded":
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(UPLOAD_SECONDS):
                    await self._upload_wish.wait()
            self._upload_wish.clear()
            if self._outbox is not None and self._refusal is None:
                await self._upload(self._outbox)

    async def _upload(self, outbox: Outbox) -> None:
        try:
            if self.log.state == "stopped":
                await outbox.finish()
                self._close_spool()
                self.log.set_state("uploaded")
            else:
                window = self._setup.task.policy.forget_minutes * 60_000
                await outbox.send_older_than(self._clock.wall() - round(window))
        except (TrailbenchError, OSError) as error:
            # Said in the panel and by the command; the recording itself goes on.
            self._refusal = f"The upload stopped: {error}"
            log.error("the upload stopped: %s", error)
        self._stale = True

    async def _finish_upload(self, uploading: asyncio.Task[None]) -> None:
        if self._outbox is None or self.log.state == "uploaded":
            return
        done, _ = await asyncio.wait([uploading], timeout=LAST_UPLOAD_SECONDS)
        if not done:
            reason = self._refusal or self._outbox.problem or "the upload is not done yet"
            raise IncompleteError(f"{reason} Nothing is lost; go on later with: trailbench capture upload")

    def _close_spool(self) -> None:
        if self.log.spool is not None:
            self.log.spool.close()
        remove_spool(self.spool_folder)

    async def _keep_claim(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if self.log.state in {"recording", "paused"}:
                try:
                    await self._setup.api.heartbeat(self._setup.task.task_id)
                except ServerAway as error:
                    log.info("the claim was not renewed: %s", error)
                except ServerRefused as error:
                    self.recorder.warn(f"The server no longer holds this task for you: {error}")

    # What the panel sees.

    async def _show_panel(self) -> None:
        try:
            url = await self._setup.api.panel_url(self._setup.task.task_id, self._setup.session)
        except (ServerAway, ServerRefused) as error:
            log.warning("the panel comes from this machine: %s", error)
            url = Path(str(resources.files("browser_capture").joinpath("panel/shell.html"))).as_uri()
        try:
            await self._window.open_panel(url)
        except WireError as error:
            log.error("the panel did not open: %s", error)
            self.log.problem = f"The panel did not open: {error}"

    async def _keep_ticking(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.recorder.tick(self._clock.mono())
            due = time.monotonic() - self._told_at >= 1 and self.log.state not in {"idle", "uploaded"}
            # A busy disk may take a second to confirm; every page of the browser would wait for a blocked loop.
            await asyncio.to_thread(self._sync)
            if self._stale or due:
                await self._tell()

    async def _tell(self) -> None:
        self._stale, self._told_at = False, time.monotonic()
        outbox = self._outbox
        uploading = outbox is not None and self.log.state == "stopped" and self._refusal is None
        problem = self._refusal or (outbox.problem if outbox else None)
        upload = Upload(outbox.uploaded_seq if outbox else 0, uploading, problem)
        detail = state_detail(self.log, upload, self.recorder.warnings)
        if self._is_starting:
            detail["state"] = "idle"
        if detail["state"] != self._told_state:
            self._told_state = detail["state"]
            self._on_state(detail)
        try:
            await self._window.tell_panel(detail)
        except WireError as error:
            log.debug("the panel does not listen: %s", error)

    def _sync(self) -> None:
        try:
            self.log.sync()
        except (OSError, ValueError) as error:
            log.error("the disk did not confirm the log: %s", error)

    def _changed(self) -> None:
        self._stale = True

    async def _standing(self) -> list[Navigation]:
        now = self._clock.mono()
        found = await asyncio.gather(*(feed.reader.adopt(now) for feed in tuple(self._feeds.values())))
        return [navigation for navigation in found if navigation is not None]

    def _about_us(self) -> dict[str, Any]:
        return {
            "recorder": f"trailbench {VERSION}",
            "browser": self._window.version,
            "python": platform.python_version(),
            "platform": platform.system(),
            "timezone": time.strftime("%z"),
            "actor": {"kind": self._setup.actor.kind, "name": self._setup.actor.name},
        }

    def _pages(self) -> PageStore | None:
        return self.log.spool.pages if self.log.spool is not None else None

    def _open_spool(self) -> Spool:
        about = About(
            session=self._setup.session,
            task=self._setup.task.task_id,
            server=self._setup.api.server,
            created_at=iso_utc(self._clock.wall()),
        )
        return Spool.create(self.spool_folder, about)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_Obey = Callable[[CaptureSession, Command], Coroutine[Any, Any, None]]
_COMMANDS: Mapping[str, _Obey] = {
    "hello": CaptureSession._hello,
    "start": CaptureSession._start,
    "pause": CaptureSession._pause,
    "resume": CaptureSession._resume,
    "stop": CaptureSession._stop,
    "mark": CaptureSession._mark,
    "forget": CaptureSession._forget,
    "draft": CaptureSession._draft,
    "closed": CaptureSession._closed,
}
