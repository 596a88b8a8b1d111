"""Lines of the spool go to the server in order, pages before the lines that name them; sent twice is no harm.

It reads the log, never the recorder: a server that is away for days stops nothing. While a recording runs, lines stay
here for the forget window; after Stop everything goes. What may have left the machine is noted first, so that nobody
forgets here what the server has, after a crash neither; before the note the server must have answered, so that what was
never on its way can be forgotten while it is away.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

from browser_capture.capture_api import CaptureApi, backoff
from browser_capture.errors import IncompleteError, ServerAway, ServerRefused
from browser_capture.log_lines import Line, LogTail, digest_of, read_lines
from browser_capture.looked_at import asks_for_a_look, look_first, must_be_looked_at
from browser_capture.page_store import PageStore
from browser_capture.spool import blobs_of, read_about

SENT = "sent"
ALL = 2**31
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
        self.claimed_seq = read_sent(folder)
        """Number of the last event that may have left the machine."""
        self.problem: str | None = None
        self._api = api
        self._tries = tries
        self._sleep = sleep
        self._opened = False
        self._known: set[str] = set()
        self._tail = LogTail(folder)

    async def send_older_than(self, mono: int) -> None:
        """Send what happened before this moment of the recording's monotonic clock, up to the first that did not.

        Nothing, where the project asks for a look before. Raises as `CaptureApi` does, once the tries are used up.
        """
        if asks_for_a_look(self.about):
            return
        lines = await self._read()
        await self._send_to(list(takewhile(lambda line: line.event.t_mono < mono, lines)))

    async def finish(self) -> None:
        """Send everything and have the server confirm that it holds the same.

        Raises IncompleteError when it does not, and when the project asks for a look that nobody has taken yet.
        """
        lines = await self._read()
        if must_be_looked_at(self.folder, self.about, lines):
            raise IncompleteError(look_first(self.about.session))
        await self._send_to(lines)
        for _ in range(3):
            digest = await asyncio.to_thread(digest_of, lines)
            try:
                await self._patiently(partial(self._api.finish, self.about.session, len(lines), digest), "finishing")
                return
            except ServerRefused as error:
                if error.status != 409:
                    raise
                await self._send_missing(lines, error)
        raise IncompleteError(
            f"{self._api.server} does not confirm recording {self.about.session}; it is kept: trailbench capture upload"
        )

    def waits_for_a_look(self) -> bool:
        """Tell whether a person has to look at it before it may leave. Raises SpoolDamaged."""
        # Read anew: the upload may be reading on in a thread of its own.
        return asks_for_a_look(self.about) and must_be_looked_at(self.folder, self.about, read_lines(self.folder))

    async def _read(self) -> Sequence[Line]:
        # In a thread: a long log takes a while to check, and page loads wait for the recorder's loop.
        return await asyncio.to_thread(self._tail.read)

    async def _send_to(self, lines: Sequence[Line]) -> None:
        if not self._opened:
            await self._announce()
        while rest := lines[self.uploaded_seq :]:
            batch = _batch(rest)
            if batch[-1].event.seq > self.claimed_seq:
                # Asked anew before a batch leaves: what no server could be reached for still waits here.
                await self._announce()
            if not self._claim(batch[-1].event.seq):
                return  # forgotten meanwhile: the next turn reads what is left
            await self._send_blobs(dict.fromkeys(sha for line in batch for sha in blobs_of(line.event, self.pages)))
            before = self.uploaded_seq
            sending = partial(self._api.send_events, self.about.session, [line.text for line in batch])
            self._have(await self._patiently(sending, "sending events"))
            if self.uploaded_seq <= before:
                raise IncompleteError(f"{self._api.server} takes no event after number {before}; nothing is lost here")

    async def _announce(self) -> None:
        """Hear from the server, without a word of what was recorded, how much it has."""
        opening = partial(self._api.open_recording, self.about.session, self.about.task)
        self._have(await self._patiently(opening, "announcing the recording"))
        self._opened = True

    def _have(self, seq: int) -> None:
        self.uploaded_seq = seq
        self.claimed_seq = max(self.claimed_seq, seq)

    def _claim(self, seq: int) -> bool:
        """Note that lines up to here leave the machine; False when the log was rewritten since it was read.

        Nothing is awaited between looking and noting, so no forgetting comes between. Raises OSError.
        """
        if seq <= self.claimed_seq:
            return True
        if not self._tail.is_current():
            return False
        note_sent(self.folder, seq)
        self.claimed_seq = seq
        return True

    async def _send_blobs(self, shas: Iterable[str]) -> None:
        waiting = list(shas)
        while waiting:
            some, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            await asyncio.gather(*(self._send_blob(sha) for sha in some))

    async def _send_blob(self, sha: str, *, ask: bool = True) -> None:
        if sha in self._known and ask:
            return
        if not (ask and await self._patiently(partial(self._api.has_blob, sha), "asking for a page")):
            data = await asyncio.to_thread(self.pages.get, sha)
            await self._patiently(partial(self._api.put_blob, sha, data), "sending a page")
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
                self.problem = f"The server {self._api.server} is away; everything is kept on this machine."
                if self._tries is not None and attempt >= self._tries:
                    raise
                log.info("%s: %s", what, error)
                await self._sleep(backoff(attempt, error.retry_after))
            else:
                self.problem = None
                return result


def read_sent(folder: Path) -> int:
    """Return the number of the last event of a recording that may have left the machine.

    A note that cannot be read counts as all: better a page kept too long here than a log no server confirms.
    """
    try:
        return int((folder / SENT).read_text(encoding="ascii"))
    except FileNotFoundError:
        return 0
    except ValueError:
        return ALL


def note_sent(folder: Path, seq: int) -> None:
    """Note that events up to this number may have left the machine. Raises OSError."""
    temporary = folder / f"{SENT}.new"
    temporary.write_text(str(seq), encoding="ascii")
    os.replace(temporary, folder / SENT)


def _batch(lines: Sequence[Line]) -> Sequence[Line]:
    size = 0
    for count, line in enumerate(lines[:BATCH]):
        size += len(line.text) + 1
        if size > BATCH_BYTES and count:
            return lines[:count]
    return lines[:BATCH]
