"""Lines of the spool go to the server in order, pages before the lines that name them; sent twice is no harm.

It reads the log, never the recorder: a server that is away for days stops nothing. While a recording runs, lines stay
here for the forget window; after Stop everything goes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from browser_capture.capture_api import CaptureApi, backoff
from browser_capture.errors import IncompleteError, ServerAway, ServerRefused
from browser_capture.page_store import PageStore
from browser_capture.spool import LINES, Line, blobs_of, digest_of, read_about, read_lines

BATCH = 200
BATCH_BYTES = 1_000_000
AT_ONCE = 4

log = logging.getLogger(__name__)

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


class Outbox:
    """Uploads one recording. `tries` limits how often an absent server is asked in a row; None asks for ever."""

    def __init__(
        self, folder: Path, api: CaptureApi, *, tries: int | None = None, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.folder = folder
        self.about = read_about(folder)
        self.pages = PageStore(folder / "pages")
        self.uploaded_seq = 0
        self.queued = 0
        self.problem: str | None = None
        self._api = api
        self._tries = tries
        self._sleep = sleep
        self._opened = False
        self._known: set[str] = set()
        self._read_size = -1
        self._lines: list[Line] = []

    async def send_older_than(self, t_wall: int) -> None:
        """Send what happened before this moment. Raises as `CaptureApi` does, once the tries are used up."""
        lines = await self._read()
        ready = [line for line in lines if line.event.t_wall < t_wall]
        await self._send_to(ready)

    async def finish(self) -> None:
        """Send everything and have the server confirm that it holds the same; IncompleteError when it does not."""
        lines = await self._read()
        await self._send_to(lines)
        for _ in range(3):
            try:
                await self._patiently(
                    lambda: self._api.finish(self.about.session, len(lines), digest_of(lines)), "finishing"
                )
                return
            except ServerRefused as error:
                if error.status != 409:
                    raise
                await self._send_missing(lines, error)
        raise IncompleteError(
            f"{self._api.server} does not confirm recording {self.about.session}; it is kept: trailbench capture upload"
        )

    async def _read(self) -> list[Line]:
        # In a thread: a long log takes a while to check, and page loads wait for the recorder's loop.
        path = self.folder / LINES
        size = path.stat().st_size if path.exists() else 0
        if size != self._read_size:
            self._lines = await asyncio.to_thread(read_lines, self.folder)
            self._read_size = size
        self.queued = len(self._lines) - self.uploaded_seq
        return self._lines

    async def _send_to(self, lines: Sequence[Line]) -> None:
        if not self._opened:
            session, task = self.about.session, self.about.task
            self.uploaded_seq = await self._patiently(
                lambda: self._api.open_recording(session, task), "announcing the recording"
            )
            self._opened = True
        while rest := lines[self.uploaded_seq :]:
            batch = _batch(rest)
            await self._send_blobs(dict.fromkeys(sha for line in batch for sha in blobs_of(line.event, self.pages)))
            texts = [line.text for line in batch]
            before = self.uploaded_seq
            self.uploaded_seq = await self._patiently(
                lambda texts=texts: self._api.send_events(self.about.session, texts),  # type: ignore[misc]
                "sending events",
            )
            self.queued = len(self._lines) - self.uploaded_seq
            if self.uploaded_seq <= before:
                raise IncompleteError(f"{self._api.server} takes no event after number {before}; nothing is lost here")

    async def _send_blobs(self, shas: Iterable[str]) -> None:
        waiting = list(shas)
        while waiting:
            some, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            await asyncio.gather(*(self._send_blob(sha) for sha in some))

    async def _send_blob(self, sha: str, *, ask: bool = True) -> None:
        if sha in self._known and ask:
            return
        if not (ask and await self._patiently(lambda: self._api.has_blob(sha), "asking for a page")):
            data = await asyncio.to_thread(self.pages.get, sha)
            await self._patiently(lambda: self._api.put_blob(sha, data), "sending a page")
        self._known.add(sha)

    async def _send_missing(self, lines: Sequence[Line], error: ServerRefused) -> None:
        log.info("the server misses parts of recording %s: %s", self.about.session, error)
        for sha in error.body.get("missing_blobs") or []:
            await self._send_blob(str(sha), ask=False)
        self.uploaded_seq = min(int(error.body.get("highest_seq") or 0), len(lines))
        await self._send_to(lines)

    async def _patiently(self, call: Callable[[], Awaitable[T]], what: str) -> T:
        attempt = 0
        while True:
            try:
                result = await call()
            except ServerAway as error:
                attempt += 1
                self.problem = f"The server is away; everything is kept on this machine. ({error})"
                if self._tries is not None and attempt >= self._tries:
                    raise
                log.info("%s: %s", what, error)
                await self._sleep(backoff(attempt, error.retry_after))
            else:
                self.problem = None
                return result


def _batch(lines: Sequence[Line]) -> Sequence[Line]:
    size = 0
    for count, line in enumerate(lines[:BATCH]):
        size += len(line.text) + 1
        if size > BATCH_BYTES and count:
            return lines[:count]
    return lines[:BATCH]
