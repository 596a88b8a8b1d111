"""One run of `trailbench capture start` or `resume`: recording, panel and upload, until the browser closes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from browser_capture.background import Background
from browser_capture.errors import IncompleteError, ServerAway, ServerRefused, TrailbenchError, WireError
from browser_capture.missing import MissingPart
from browser_capture.panel_commands import obey
from browser_capture.panel_link import Command, read_command, state_detail
from browser_capture.recording import Recording, Setup
from browser_capture.sources.tabs import TabFeed
from browser_capture.sources.wire import Answer, Cdp, DomCall, WireTab
from browser_capture.upkeep import Upkeep

log = logging.getLogger(__name__)

TICK_SECONDS = 0.2
HEARTBEAT_SECONDS = 60.0
REOPEN_SECONDS = 0.5
PANEL_SECONDS = 2.0
GONE_SECONDS = 3.0
SHELL = Path(str(resources.files("browser_capture").joinpath("panel/shell.html"))).as_uri()


class Window(Protocol):
    """What a run needs of the attached browser beside its tabs."""

    binding: str

    @property
    def cdp(self) -> Cdp: ...

    @property
    def version(self) -> str: ...

    @property
    def has_panel(self) -> bool: ...

    async def open_panel(self, url: str) -> None: ...

    @property
    def panel_address(self) -> str: ...

    async def tell_panel(self, detail: Mapping[str, Any]) -> None: ...

    async def widen_panel(self, width: int) -> None: ...

    def watch_answers(self, *, watch: bool) -> None: ...


class CaptureSession:
    """Listens to the browser, hands the panel's commands on, and keeps clock and upload going.

    Make it, attach the browser with it as listener, then `run` it. `on_state` gets the panel's state when it changes,
    `on_problem` a sentence when something is newly wrong on this machine.
    """

    def __init__(
        self,
        setup: Setup,
        on_state: Callable[[dict[str, Any]], None] = lambda detail: None,
        on_problem: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._setup = setup
        self._on_state = on_state
        self._on_problem = on_problem
        self._recording = Recording(setup)
        self._recording.log.on_change = self._note_change
        self._early: dict[str, list[DomCall]] = {}
        self._gone = asyncio.Event()
        self._background = Background("the recorder")
        self._commands = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None
        self._window: Window
        self._has_news = True
        self._told_at = 0.0
        self._told_state = ""
        self._told_problem: str | None = None
        self._tells_all = False

    async def run(self, window: Window) -> None:
        """Record and upload until the browser is gone; cancelled, it still writes the end of the recording.

        Raises IncompleteError when the browser is closed and the end cannot be written or the upload not be finished.
        """
        self._window = window
        self._recording.tabs.attached(window.cdp, window.version, window.binding, window.watch_answers)
        uploading = self._background.spawn(self._recording.uploader.run())
        upkeep = Upkeep(self._recording, self._commands)
        for work in (self._keep_ticking(), self._keep_claim(), self._keep_panel(), *upkeep.jobs()):
            self._background.spawn(work)
        try:
            if self._setup.past is not None:
                async with self._commands:
                    await self._recording.take_up()
            await self._show_panel()
            await self._gone.wait()
            await self._end()
            if self._recording.is_open:
                raise IncompleteError(
                    f"The end of the recording could not be written: {self._recording.log.halt}. What was recorded is "
                    "kept. Free some space, then go on with: trailbench capture resume, or end and send it with: "
                    "trailbench capture upload"
                )
            await self._recording.uploader.wait(uploading)
        except asyncio.CancelledError:
            await self._end()
            raise
        finally:
            await self._background.cancel()
            await self._recording.let_go()
            # The upload may have finished after the last tick.
            self._report(self._detail())

    # What the browser says: each of these only notes it and returns.

    def tab_opened(self, tab: WireTab, existed: bool) -> None:
        feed = TabFeed(tab, self._recording.recorder, self._setup.clock.mono)
        self._recording.tabs.feeds[tab.tab] = feed
        feed.start(existed)
        for call in self._early.pop(tab.tab, []):
            feed.put_call(call)

    def tab_closed(self, tab: str) -> None:
        feed = self._recording.tabs.feeds.pop(tab, None)
        if feed is not None:
            closing = self._background.spawn(self._recording.tabs.close_tab(feed, self._setup.clock.mono()))
            self._recording.tabs.closing.add(closing)
            closing.add_done_callback(self._recording.tabs.closing.discard)

    def dom_called(self, tab: str, call: DomCall) -> None:
        feed = self._recording.tabs.feeds.get(tab)
        if feed is not None:
            feed.put_call(call)
        elif len(waiting := self._early.setdefault(tab, [])) < 100:
            waiting.append(call)
        else:
            call.done()

    def document_answered(self, answer: Answer) -> None:
        self._recording.recorder.answered(answer)

    def dialog_shown(self, tab: str, kind: str, url: str) -> None:
        self._recording.recorder.dialog_shown(tab, kind, url)

    def panel_called(self, text: str) -> None:
        command = read_command(text)
        if command is not None:
            self._background.spawn(self._panel_closed() if command.do == "closed" else self._obey(command))

    def browser_gone(self) -> None:
        self._recording.tabs.browser_is_gone = True
        self._gone.set()

    async def _obey(self, command: Command) -> None:
        recording = self._recording
        async with self._commands:
            try:
                if command.do == "widen":
                    await self._window.widen_panel(command.width)
                else:
                    await obey(recording, command)
            except (TrailbenchError, OSError) as error:
                recording.log.note_problem("command", f"{command.do.capitalize()} failed: {error}.")
                log.error("%s failed: %s", command.do, error)
            except WireError as error:
                log.info("%s: the browser did not answer: %s", command.do, error)
            else:
                if command.do != "hello":
                    recording.log.note_problem("command", None)
        # Only now: a state told meanwhile would not hold what hello asked for.
        self._tells_all = self._tells_all or command.do == "hello"
        await self._tell()

    async def _panel_closed(self) -> None:
        # A closed panel stops nothing; while something is recorded the person must be able to see it. When the whole
        # browser closes, its panel is only the first to go.
        await asyncio.sleep(REOPEN_SECONDS)
        if self._recording.is_open and not self._gone.is_set():
            await self._show_panel()

    async def _end(self) -> None:
        async with self._commands:
            await self._recording.end("closed")
        await self._tell()

    async def _show_panel(self) -> None:
        if self._window.has_panel:
            return  # left open by the recorder before; what is typed there stays
        try:
            await self._window.open_panel(await self._server_panel())
        except (ServerAway, ServerRefused, WireError) as error:
            log.warning("the panel comes from this machine: %s", error)
            await self._open_shell()

    async def _server_panel(self) -> str:
        return await self._setup.api.panel_url(self._setup.task.task_id, self._setup.session)

    async def _open_shell(self) -> None:
        try:
            await self._window.open_panel(SHELL)
        except WireError as error:
            # A browser that is closed loses its panel first, and may say only a moment later that it is gone.
            if not await self._is_going():
                log.error("the panel did not open: %s", error)

    async def _is_going(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(GONE_SECONDS):
                await self._gone.wait()
        return self._gone.is_set()

    async def _keep_panel(self) -> None:
        """Put the shell in the place of a panel that the absent server could not show, and take it back later."""
        while True:
            await asyncio.sleep(PANEL_SECONDS)
            address = self._window.panel_address
            if not address.startswith(("chrome-error:", SHELL)):
                continue
            try:
                url = await self._server_panel()
                # What was typed in the shell was said with each stroke; the last one is on its way.
                await self._tell()
                await self._window.open_panel(url)
            except (ServerAway, ServerRefused, WireError) as error:
                log.debug("the server's panel cannot be shown: %s", error)
                if address.startswith("chrome-error:"):
                    await self._open_shell()

    async def _keep_ticking(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            heard = {name: feed.heard_until() for name, feed in self._recording.tabs.feeds.items()}
            self._recording.recorder.tick(self._setup.clock.mono(), heard)
            is_due = time.monotonic() - self._told_at >= 1 and self._recording.log.state not in {"idle", "uploaded"}
            if (self._has_news or is_due) and (self._telling is None or self._telling.done()):
                # On its own: a panel that hangs must not stop the clock.
                self._telling = self._background.spawn(self._tell())

    async def _keep_claim(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if self._recording.is_open:
                try:
                    await self._setup.api.heartbeat(self._setup.task.task_id)
                except ServerAway as error:
                    log.info("the claim was not renewed: %s", error)
                except ServerRefused as error:
                    self._recording.recorder.warn(f"The server no longer holds this task for you: {error}")

    async def _tell(self) -> None:
        self._has_news, self._told_at = False, time.monotonic()
        whole, self._tells_all = self._tells_all, False
        detail = self._detail(whole=whole)
        self._report(detail)
        try:
            await self._window.tell_panel(detail)
        except WireError as error:
            log.debug("the panel does not listen: %s", error)

    def _detail(self, *, whole: bool = False) -> dict[str, Any]:
        recording, policy = self._recording, self._setup.task.policy
        detail = state_detail(recording.log, recording.uploader.state, recording.recorder.warnings, whole=whole)
        detail |= {"kept": recording.kept_ref, "missing": [_part(part) for part in recording.missing]}
        detail |= {"forget_minutes": policy.forget_minutes, "inspect_first": policy.inspect_first}
        if whole:
            detail |= {"question": self._setup.task.question, "draft": recording.known_draft}
        return {**detail, "state": "idle"} if recording.is_starting else detail

    def _report(self, detail: dict[str, Any]) -> None:
        if detail["state"] != self._told_state:
            self._told_state = detail["state"]
            self._on_state(detail)
        problem = self._recording.log.problem
        if problem != self._told_problem:
            self._told_problem = problem
            if problem is not None:
                self._on_problem(problem)

    def _note_change(self) -> None:
        self._has_news = True


def _part(part: MissingPart) -> dict[str, Any]:
    return {**part._asdict(), "gaps": [gap._asdict() for gap in part.gaps]}
