"""One recording from Start to Stop: how it begins, waits, goes on and ends in the log, the recorder and the upload."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from browser_capture.about_recorder import about_machine, about_recorder
from browser_capture.capture_api import CaptureApi
from browser_capture.clock import Clock, MeasuredClock, system_clock
from browser_capture.derivation import derive_trajectory
from browser_capture.errors import TrailbenchError
from browser_capture.event_log import Entry, EventLog
from browser_capture.events import iso_utc
from browser_capture.folders import PROFILE
from browser_capture.kept_draft import KeptDraft
from browser_capture.log_lines import read_lines
from browser_capture.missing import MissingPart, missing_in_words
from browser_capture.open_tabs import OpenTabs
from browser_capture.outbox import Outbox
from browser_capture.page_store import PageStore
from browser_capture.panel_link import forgotten_words
from browser_capture.past import Past, read_past
from browser_capture.policy import CaptureTask
from browser_capture.privacy import Privacy
from browser_capture.recorder import Recorder
from browser_capture.sources.navigation import Standing
from browser_capture.spool import About, Spool, remove_spool
from browser_capture.taking_up import DIED, as_before, known_documents, write_gap
from browser_capture.trajectory import Actor
from browser_capture.uploading import Uploader
from browser_capture.urls import origin

log = logging.getLogger(__name__)

STOP_SECONDS = 6.0
HURRY_SECONDS = 2.0
CLOCK_SECONDS = 1.0
RETURN_SECONDS = 3.0


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
    """A recording. Its `tabs` are told of the browser by who listens to it."""

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
        self.tabs = OpenTabs(setup.clock, self.recorder, self._pages, setup.home / PROFILE / "Downloads")
        self.missing: Sequence[MissingPart] = ()
        """What it lacks, known once the person has stopped it."""
        self.is_starting = False
        self._is_read_back = False
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
            self.log.take_past(past.entries)
            await self.tabs.return_of({stay.url for stay in past.stays}, RETURN_SECONDS)
            # Every tab is met before anything is written: one met later would pass for one the person opened.
            await self.tabs.look(lambda standing: None)
            self.recorder.take_up(past, known_documents(past, self.tabs.addresses(), spool.pages))
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

    async def end(self, reason: str) -> None:
        """End it: at the person's Stop, or because the browser or the command ends and only two seconds are left."""
        await self._write_end(reason, STOP_SECONDS if reason == "user" else HURRY_SECONDS)

    async def let_go(self) -> None:
        """Stop listening and close the log."""
        await self.tabs.let_go()
        if self.log.spool is not None:
            self.log.spool.close()

    async def begin(self) -> None:
        """Begin to record: the pages that stand open are kept first. Nothing where it has begun already."""
        if self.log.state != "idle":
            return
        self.is_starting = True
        try:
            await self._measured.known(CLOCK_SECONDS)
            self.log.set_state("recording")
            self._put_start()
            self.recorder.begin_visits(announce=True)
            await self.tabs.watch(watch=True)
            await self.tabs.look(self.recorder.stands)
            # Only when the open pages are kept is the person told to go on.
            await self.recorder.keeper.settle(STOP_SECONDS)
        finally:
            self.is_starting = False
        self.uploader.begin(Outbox(self.spool_folder, self.setup.api))

    async def pause(self) -> None:
        """Stop writing until `unpause`."""
        if self.log.is_recording:
            self._is_paused = True
            await self._end_visits(STOP_SECONDS)
            self.log.put(Entry("pause", "panel"))
            self.log.set_state("paused")

    async def unpause(self) -> None:
        """Go on after a pause, or after a halt of the disk."""
        if self.log.halt is not None:
            self._is_paused = False
            await self.go_on()
        elif self.log.state == "paused":
            self._is_paused = False
            self.log.set_state("recording")
            self.log.put(Entry("resume", "panel"))
            self.recorder.begin_visits(announce=False)
            await self.tabs.watch(watch=True)
            await self.tabs.look(self.recorder.stands)

    async def forget(self, minutes: float) -> None:
        """Forget the last minutes, as far as they have not left the machine; the panel says it. Raises OSError."""
        if not self.is_open or minutes <= 0:
            return
        await self.recorder.keeper.settle(HURRY_SECONDS)
        await self.tabs.drain()
        forgotten = self.log.forget(minutes, sent=self.uploader.claimed_seq)
        self.recorder.leave_visits()
        # After a halt of the disk, what was forgotten and stands open is left alone as it is while recording.
        is_paused = self.log.state == "paused" and self.log.halt is None
        self.recorder.warn(forgotten_words(forgotten, minutes, is_paused=is_paused))

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
        self._is_read_back = reason == "user"
        self.recorder.warnings = []  # they speak of what was on the way; what lacks is said from here on
        self.log.set_state("stopped")
        if self._is_read_back:
            await self._read_back()
        self.uploader.hurry()

    async def _read_back(self) -> None:
        """Find out what it lacks, for the person at the panel; the log is not sent and deleted before it is read."""
        try:
            self.missing = await asyncio.to_thread(_missing_from, self.spool_folder)
        finally:
            self._is_read_back = False

    async def _read_past(self) -> Past | None:
        """Read what was written before a halt; not again for each look at a disk that is still full."""
        if self._past is None or self._past.events != self.log.last_seq:
            lines = await asyncio.to_thread(read_lines, self.spool_folder)
            self._past = read_past(lines) if lines else None
        return self._past

    async def _bridge(self, past: Past | None, reason: str, *, announce: bool) -> None:
        """Write the gap and begin again with the pages that stand open; nothing while the disk refuses the gap."""
        if past is not None and write_gap(self.log, past, reason, self._about_us()) is None:
            return
        if past is None or not past.has_start:
            self._put_start()
        if past is not None and past.is_paused != self._is_paused:
            self.log.put(Entry("pause" if self._is_paused else "resume", "panel"))
        self.log.halt_is_over()
        if self._is_paused:
            return
        self.log.set_state("recording")
        self.recorder.begin_visits(announce=announce)
        await self.tabs.watch(watch=True)
        await self.tabs.look(lambda standing: self._stands_again(past, standing))
        await self.recorder.keeper.settle(STOP_SECONDS)

    def _stands_again(self, past: Past | None, standing: Standing) -> None:
        navigation = as_before(past, standing.navigation) if past is not None else standing.navigation
        if navigation is not None:
            self.recorder.stands(standing._replace(navigation=navigation))

    async def _end_visits(self, seconds: float) -> None:
        await self.tabs.watch(watch=False)
        await self.tabs.drain()
        if not self.tabs.browser_is_gone:
            self.recorder.keep_all("stop")
        await self.recorder.keeper.settle(seconds)
        self.recorder.end_visits()

    def _until(self) -> int | None:
        # By the monotonic clock: a wall clock that is set forward would send what may still be forgotten.
        window = round(self.setup.task.policy.forget_minutes * 60_000)
        is_more_to_come = self.is_open or self.log.state == "idle" or self._is_read_back
        return self.setup.clock.mono() - window if is_more_to_come else None

    def _uploaded(self) -> None:
        if self.log.spool is not None:
            self.log.spool.close()
        remove_spool(self.spool_folder)
        self.log.set_state("uploaded")

    def _put_start(self) -> None:
        task = self.setup.task
        about = {**self._about_us(), **about_machine(self.setup.actor), "screen": self.recorder.screen}
        self.log.put(Entry("session_start", "rec", about))
        start = {"task": task.task_id, "revision": task.version, "open_tabs": self.recorder.recorded_tabs()}
        self.log.put(Entry("task_start", "panel", start))

    def _counts(self) -> dict[str, int]:
        keeper = self.recorder.keeper
        return {"events": self.log.last_seq, "snapshots": keeper.kept, "snapshots_failed": keeper.failed}

    def _about_us(self) -> Mapping[str, Any]:
        return about_recorder(self.tabs.browser, self._measured.offset)

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
            binding=self.tabs.binding,
        )
        return Spool.create(self.spool_folder, about)


def _missing_from(folder: Path) -> Sequence[MissingPart]:
    try:
        events = [line.event for line in read_lines(folder)]
        return missing_in_words(derive_trajectory(events), events)
    except (TrailbenchError, OSError, ValueError) as error:
        log.warning("what the recording misses cannot be said: %s", error)
        return ()
