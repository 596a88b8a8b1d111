"""The browser's downloads: which file came from where, whether it came whole, and its hash.

Files go to a folder of the browser's own profile, which is wiped with it; only hashes are read, and the bytes of PDFs,
which a person may quote like any page.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from browser_capture.errors import TrailbenchError, WireError
from browser_capture.events import iso_utc
from browser_capture.page_store import PageStore
from browser_capture.privacy import without_place
from browser_capture.snapshots import PART_LIMIT, Unpacked, keep_pdf
from browser_capture.sources.wire import Cdp
from browser_capture.urls import is_web

_MAGIC = b"%PDF-"
_MOST_WAITING = 100

log = logging.getLogger(__name__)


class Download(NamedTuple):
    """A file that came, or did not. `frame` is the browser's name of the frame, a tab's target for its main one."""

    frame: str
    url: str
    name: str
    state: Literal["completed", "canceled", "unfinished"]
    bytes: int | None = None
    sha: str | None = None
    page: Unpacked | None = None
    """The file as a page, where it is a PDF that was kept."""


class DownloadHandler(Protocol):
    """Who takes downloads that are over."""

    def downloaded(self, download: Download) -> None: ...


class DownloadSource:
    """Listens to downloads between `start` and `stop`. `folder` takes the files."""

    def __init__(
        self,
        cdp: Cdp,
        handler: DownloadHandler,
        store: Callable[[], PageStore | None],
        folder: Path,
        wall: Callable[[], int],
    ) -> None:
        self._cdp = cdp
        self._handler = handler
        self._store = store
        self._folder = folder
        self._wall = wall
        self._begun: dict[str, Download] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listens = False
        cdp.on("Browser.downloadWillBegin", self._on_begin)
        cdp.on("Browser.downloadProgress", self._on_progress)

    async def start(self) -> None:
        """Have the browser tell of downloads. A browser that will not is only logged: the rest goes on without."""
        self._listens = True
        wish = {"behavior": "allow", "downloadPath": str(self._folder.absolute()), "eventsEnabled": True}
        try:
            await self._cdp.send("Browser.setDownloadBehavior", wish)
        except WireError as error:
            log.info("downloads are not seen: %s", error)

    async def stop(self) -> None:
        """Listen no more; what is still under way is handed over as unfinished."""
        self._listens = False
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=2)
        begun, self._begun = self._begun, {}
        for download in begun.values():
            self._handler.downloaded(download)

    async def close(self) -> None:
        """Drop what is under way."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_begin(self, event: Mapping[str, Any]) -> None:
        if self._listens and len(self._begun) < _MOST_WAITING:
            url, name = str(event.get("url", ""))[:8000], str(event.get("suggestedFilename", ""))[:300]
            frame = str(event.get("frameId", ""))
            self._begun[str(event.get("guid"))] = Download(frame, url, name, "unfinished")

    def _on_progress(self, event: Mapping[str, Any]) -> None:
        guid, state = str(event.get("guid")), event.get("state")
        if state not in {"completed", "canceled"} or guid not in self._begun:
            return
        over = self._begun.pop(guid)._replace(state=state, bytes=_whole(event.get("receivedBytes")))
        if state == "canceled":
            self._handler.downloaded(over)
        else:
            path = event.get("filePath")
            self._spawn(self._finish(over, Path(path) if isinstance(path, str) and path else self._folder / over.name))

    async def _finish(self, download: Download, path: Path) -> None:
        try:
            download = await asyncio.to_thread(self._read, download, path)
        except (TrailbenchError, OSError) as error:
            log.info("the file of %s could not be read: %s", without_place(download.url), error)
        self._handler.downloaded(download)

    def _read(self, download: Download, path: Path) -> Download:
        with path.open("rb") as file:
            download = download._replace(sha=hashlib.file_digest(file, "sha256").hexdigest())
            file.seek(0)
            is_pdf = file.read(len(_MAGIC)) == _MAGIC
        store = self._store()
        if store is None or not is_pdf or path.stat().st_size > PART_LIMIT or not is_web(download.url):
            return download
        page = keep_pdf(path.read_bytes(), store, url=download.url, captured_at=iso_utc(self._wall()))
        return download._replace(page=page)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _whole(value: Any) -> int | None:
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    return int(value) if good else None
