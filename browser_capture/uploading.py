"""Keeps a running recording's upload going in the background, and says how far it is. Never holds the recorder up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from browser_capture.errors import IncompleteError, TrailbenchError
from browser_capture.looked_at import look_first
from browser_capture.outbox import Outbox
from browser_capture.panel_link import Upload

UPLOAD_SECONDS = 2.0
LAST_UPLOAD_SECONDS = 30.0

log = logging.getLogger(__name__)


class Uploader:
    """Sends what is older than the forget window, and after Stop everything.

    `until` gives the moment of the monotonic clock, in milliseconds, up to which events may leave the machine, None
    for all and the end; `done` is called once the server has confirmed that it holds the whole recording.
    """

    def __init__(self, until: Callable[[], int | None], done: Callable[[], None]) -> None:
        self._until = until
        self._done = done
        self._outbox: Outbox | None = None
        self._wish = asyncio.Event()
        self._refusal: str | None = None
        self._trouble: str | None = None
        self._is_done = False

    def begin(self, outbox: Outbox) -> None:
        """Take the outbox of a recording that has begun."""
        self._outbox = outbox
        self.hurry()

    def hurry(self) -> None:
        """Send without waiting for the next turn."""
        self._wish.set()

    @property
    def state(self) -> Upload:
        """How far the upload is, for the panel."""
        outbox = self._outbox
        if outbox is None:
            return Upload()
        is_last = self._until() is None and not self._is_done and self._refusal is None
        return Upload(outbox.uploaded_seq, is_last, self._refusal or self._trouble or outbox.problem)

    @property
    def claimed_seq(self) -> int:
        """Number of the last event that may have left the machine."""
        return self._outbox.claimed_seq if self._outbox is not None else 0

    async def run(self) -> None:
        """Send until everything is sent, or the server has refused for good."""
        while not self._is_done and self._refusal is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(UPLOAD_SECONDS):
                    await self._wish.wait()
            self._wish.clear()
            if self._outbox is not None:
                await self._send(self._outbox)

    async def wait(self, running: asyncio.Task[None]) -> None:
        """Wait for the end of the upload. Raises IncompleteError, with the next step, when it does not come."""
        if self._outbox is None or self._is_done:
            return
        if self._until() is None and self._outbox.waits_for_a_look():
            raise IncompleteError(f"Nothing is lost; {look_first(self._outbox.about.session)}")
        await asyncio.wait([running], timeout=LAST_UPLOAD_SECONDS)
        if not self._is_done:
            reason = self._refusal or self._trouble or self._outbox.problem or "The upload is not done yet."
            raise IncompleteError(f"{reason} Nothing is lost; go on later with: trailbench capture upload")

    async def _send(self, outbox: Outbox) -> None:
        until = self._until()
        try:
            if until is not None:
                await outbox.send_older_than(until)
            else:
                await outbox.finish()
                self._is_done = True
                self._done()
            self._trouble = None
        except (IncompleteError, OSError) as error:
            # A disk that is full or a server that lost its place: the next turn may find it mended.
            if self._trouble is None:
                log.error("the upload waits: %s", error)
            self._trouble = f"The upload waits: {error}."
        except TrailbenchError as error:
            # Said in the panel and by the command; the recording itself goes on.
            self._refusal = f"The upload stopped: {error}."
            log.error("the upload stopped: %s", error)
