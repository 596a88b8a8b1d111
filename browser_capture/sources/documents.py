"""The network's answers to document requests: status, redirects, and the bytes of PDFs, of new tabs too.

DevTools hands each answer over and holds the page until it is let go on, so nothing here may wait on anything slow.
The body is asked for only where it is no HTML and of known size: asking makes the page wait for all of it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple, Protocol

from browser_capture.errors import TrailbenchError, WireError
from browser_capture.events import iso_utc
from browser_capture.page_store import PageStore
from browser_capture.snapshots import PART_LIMIT, Unpacked, keep_pdf
from browser_capture.sources.wire import Cdp

PDF = "application/pdf"
_PATTERN = {"urlPattern": "*", "requestStage": "Response", "resourceType": "Document"}

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """An answer to a document request. `frame` is the browser's name of the frame, a tab's target for its main one."""

    frame: str
    url: str
    status: int | None
    mime: str
    length: int | None
    location: str | None
    chain: str
    """Requests that redirect to each other share it."""


class AnswerHandler(Protocol):
    """Who takes answers, and documents that were kept."""

    def answered(self, answer: Answer) -> None: ...

    def document_kept(self, answer: Answer, unpacked: Unpacked) -> None: ...


class DocumentSource:
    """Listens to document answers between `start` and `stop`. `store` gives the page store of the recording."""

    def __init__(
        self,
        cdp: Cdp,
        handler: AnswerHandler,
        store: Callable[[], PageStore | None],
        may_keep: Callable[[str], bool],
        wall: Callable[[], int],
    ) -> None:
        self._cdp = cdp
        self._handler = handler
        self._store = store
        self._may_keep = may_keep
        self._wall = wall
        self._tasks: set[asyncio.Task[None]] = set()
        cdp.on("Fetch.requestPaused", lambda event: self._spawn(self._on_answer(event)))

    async def start(self) -> None:
        """Have the browser hand answers over. A browser that will not is only logged: the rest goes on without."""
        await self._call("Fetch.enable", {"patterns": [_PATTERN]})

    async def stop(self) -> None:
        """Let documents pass unseen again, and let go of those on their way."""
        await self._call("Fetch.disable", {})
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=2)

    async def close(self) -> None:
        """Drop what is under way."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _on_answer(self, event: Mapping[str, Any]) -> None:
        request = {"requestId": event["requestId"]}
        answer = read_answer(event)
        if answer.status is None:
            await self._call("Fetch.continueRequest", request)
            return
        self._handler.answered(answer)
        body = await self._body(answer, request) if self._wants_body(answer) else None
        await self._call("Fetch.continueResponse", request)
        if body is not None:
            await self._keep(answer, body)

    def _wants_body(self, answer: Answer) -> bool:
        fits = answer.length is not None and 0 < answer.length <= PART_LIMIT
        return answer.status == 200 and answer.mime == PDF and fits and self._may_keep(answer.url)

    async def _body(self, answer: Answer, request: Mapping[str, Any]) -> bytes | None:
        try:
            found = await self._cdp.send("Fetch.getResponseBody", request, seconds=20)
            data = str(found.get("body", ""))
            return base64.b64decode(data, validate=True) if found.get("base64Encoded") else data.encode()
        except (WireError, binascii.Error) as error:
            log.info("the bytes of %s could not be had: %s", answer.url, error)
            return None

    async def _keep(self, answer: Answer, body: bytes) -> None:
        store = self._store()
        if store is None:
            return
        at = iso_utc(self._wall())
        try:
            unpacked = await asyncio.to_thread(
                keep_pdf, body, store, url=answer.url, captured_at=at, status=answer.status
            )
        except (TrailbenchError, OSError) as error:
            log.warning("%s could not be kept: %s", answer.url, error)
            return
        self._handler.document_kept(answer, unpacked)

    async def _call(self, method: str, parameters: Mapping[str, Any]) -> None:
        try:
            await self._cdp.send(method, parameters)
        except WireError as error:
            # Most often the tab was closed while its document was held.
            log.debug("%s: %s", method, error)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def read_answer(event: Mapping[str, Any]) -> Answer:
    """Read DevTools' `Fetch.requestPaused`; `status` is None where the network failed."""
    headers = {item["name"].lower(): item["value"] for item in event.get("responseHeaders") or []}
    length = headers.get("content-length", "")
    return Answer(
        frame=str(event.get("frameId", "")),
        url=str(event.get("request", {}).get("url", "")),
        status=event.get("responseStatusCode"),
        mime=headers.get("content-type", "").partition(";")[0].strip().lower(),
        length=int(length) if length.isdecimal() else None,
        location=headers.get("location"),
        chain=str(event.get("networkId") or event["requestId"]),
    )
