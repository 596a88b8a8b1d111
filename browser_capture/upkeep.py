"""Looks after a running recording: its disk, its clocks, its own event loop. What it finds is noted in the log."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Iterator, Mapping
from typing import Any

from browser_capture.clock import JumpWatch
from browser_capture.errors import TrailbenchError, WireError
from browser_capture.event_log import Entry
from browser_capture.recording import Recording
from browser_capture.vital_signs import ENOUGH_FREE, LEAST_FREE, disk_free

log = logging.getLogger(__name__)

SYNC_SECONDS = 0.2
DISK_SECONDS = 1.0
BEAT_SECONDS = 0.05
HEALTH_SECONDS = 60.0


class Upkeep:
    """The work beside a recording. `commands` is held by who changes the recording's state."""

    def __init__(self, recording: Recording, commands: asyncio.Lock) -> None:
        self._recording = recording
        self._commands = commands
        self._worst_lag_ms = 0

    def jobs(self) -> Iterator[Coroutine[Any, Any, None]]:
        """Yield what is to run as long as the recorder does."""
        yield self._recording.measure_clock()
        yield self._keep_written()
        yield self._watch_disk()
        yield self._watch_loop()
        yield self._note_health()

    async def _keep_written(self) -> None:
        jumps = JumpWatch(self._recording.setup.clock)
        while True:
            await asyncio.sleep(SYNC_SECONDS)
            jump = jumps.look()
            if jump is not None and self._recording.log.is_recording:
                moved = f"{(jump.found - jump.expected) / 1000:+.0f} s"
                reason = f"the clock of this machine jumped by {moved}: it was set, or the machine slept"
                data = {"from": jump.expected, "to": jump.found, "reason": reason}
                self._recording.log.put(Entry("recorder_gap", "rec", data))
            # A busy disk may take a second to confirm; every page of the browser would wait for a blocked loop.
            await asyncio.to_thread(self._recording.log.sync)

    async def _watch_disk(self) -> None:
        while True:
            await asyncio.sleep(DISK_SECONDS)
            if self._recording.is_open:
                try:
                    async with self._commands:
                        await self._look_at_disk()
                except (TrailbenchError, OSError, WireError) as error:
                    log.error("the disk was not looked after: %s", error)

    async def _look_at_disk(self) -> None:
        free = await asyncio.to_thread(disk_free, self._recording.setup.home)
        event_log = self._recording.log
        if event_log.is_recording and free is not None and free < LEAST_FREE:
            event_log.halt_for(None)
        elif event_log.halt is not None and (free is None or free >= ENOUGH_FREE):
            await self._recording.go_on()

    async def _watch_loop(self) -> None:
        while True:
            due = time.monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self._worst_lag_ms = max(self._worst_lag_ms, round((time.monotonic() - due) * 1000))

    async def _note_health(self) -> None:
        while True:
            await asyncio.sleep(HEALTH_SECONDS)
            free = await asyncio.to_thread(disk_free, self._recording.setup.home)
            lag, self._worst_lag_ms = self._worst_lag_ms, 0
            self._put_health({"lag_ms": lag, "disk_free": free})

    def _put_health(self, data: Mapping[str, Any]) -> None:
        keeper, events = self._recording.recorder.keeper, self._recording.log.last_seq
        counts = {
            "events": events,
            "queue": events - self._recording.uploader.state.uploaded_seq,
            "snapshots_ok": keeper.kept,
            "snapshots_failed": keeper.failed,
            "snapshots_late": keeper.late,
        }
        self._recording.log.put(Entry("health", "rec", {**counts, **data}))
