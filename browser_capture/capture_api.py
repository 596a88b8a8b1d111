"""The annotation server as the recorder sees it: pairing, tasks, recordings, blobs. One method a request.

What the server or the network says becomes an error whose class tells who acts next; a busy or absent server is
`ServerAway`, which may be tried again.
"""

from __future__ import annotations

import gzip
import random
import ssl
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import quote, urlsplit

import httpx2

from browser_capture.errors import IncompleteError, ServerAway, ServerRefused, UserError
from browser_capture.policy import CaptureTask, read_task
from browser_capture.start_sites import StartSites, read_start_sites
from browser_capture.urls import is_web

SECONDS = 20
_AWAY = frozenset({408, 425, 429, 500, 502, 503, 504})


class Paired(NamedTuple):
    """What pairing gives: a token for this machine, and whose it is."""

    token: str
    user: str
    project: str


class CaptureApi:
    """A client of one server. Use as `async with`; every call may raise ServerAway or ServerRefused."""

    def __init__(
        self, server: str, token: str | None = None, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        if not _is_address(server):
            raise UserError(f"{server!r} is no address of a server; expected one such as http://127.0.0.1:8085")
        self.server = server.rstrip("/")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx2.AsyncClient(
            base_url=f"{self.server}/api/v1/", headers=headers, timeout=SECONDS, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def pair(self, code: str, machine: str) -> Paired:
        """Trade a one-time code for a token of this machine."""
        data = await self._json("POST", "pairing", json={"code": code, "machine": machine})
        return Paired(str(data.get("token", "")), str(data.get("user", "")), str(data.get("project", "")))

    async def task(self, task_id: str) -> CaptureTask:
        """Return a task; refused when it is unknown (404) or not claimed by me (409)."""
        return read_task(await self._json("GET", f"tasks/{quote(task_id, safe='')}"))

    async def start_sites(self) -> StartSites:
        """Return where people of the project look around, by topic; empty where the server names none."""
        return read_start_sites((await self._json("GET", "start-sites")).get("topics"))

    async def send_jot(self, event: Mapping[str, Any]) -> None:
        """Hand in a `jot` event. Sending again is no harm."""
        await self._json("POST", "seeds", json=dict(event))

    async def heartbeat(self, task_id: str) -> None:
        """Keep the claim on a task."""
        await self._json("POST", f"tasks/{quote(task_id, safe='')}/heartbeat")

    async def open_recording(self, session: str, task_id: str) -> int:
        """Announce a recording and return the number of its last event the server has without a gap."""
        data = await self._json("POST", "recordings", json={"session": session, "task_id": task_id})
        return int(data.get("highest_seq") or 0)

    async def send_events(self, session: str, lines: Sequence[str]) -> int:
        """Send lines of the log; return the highest number the server has without a gap. Sending again is no harm."""
        body = gzip.compress("".join(line + "\n" for line in lines).encode(), 6)
        headers = {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"}
        data = await self._json("POST", f"recordings/{session}/events", content=body, headers=headers)
        return int(data.get("highest_seq") or 0)

    async def has_blob(self, sha: str) -> bool:
        """Tell whether the server holds a blob."""
        return (await self._send("HEAD", f"blobs/{sha}", accept=(404,))).status_code == 200

    async def put_blob(self, sha: str, data: bytes) -> None:
        """Send a blob."""
        headers = {"Content-Type": "application/octet-stream"}
        await self._send("PUT", f"blobs/{sha}", content=data, headers=headers)

    async def finish(self, session: str, last_seq: int, digest: str) -> None:
        """Say that the recording is whole; refused with 409 and what is missing when the server does not agree.

        Raises IncompleteError unless the server names the same digest of all it holds: only that frees our copy.
        """
        body = {"last_seq": last_seq, "digest": digest}
        data = await self._json("POST", f"recordings/{session}/finish", json=body)
        if data.get("state") != "complete" or data.get("digest") != digest:
            raise IncompleteError(
                f"{self.server} does not confirm what it holds of recording {session} (its digest is "
                f"{str(data.get('digest'))[:16]}, ours {digest[:16]}); it is kept on this machine"
            )

    async def server_time(self) -> float:
        """Return the server's clock, in milliseconds since the epoch."""
        answer = (await self._json("GET", "time")).get("now_ms")
        if not isinstance(answer, (int, float)) or isinstance(answer, bool):
            raise ServerRefused(f"{self.server} did not say what time it is", 200)
        return float(answer)

    async def server_version(self) -> str:
        """Return the version of the server's software, empty where it does not say; needs a valid token."""
        return str((await self._json("GET", "time")).get("version") or "")

    async def panel_url(self, task_id: str, session: str) -> str:
        """Return a one-time address that signs the panel's window in."""
        data = await self._json("POST", "panel-sessions", json={"task_id": task_id, "session": session})
        return str(httpx2.URL(self.server + "/").join(str(data.get("url", ""))))

    async def _json(self, method: str, path: str, **options: Any) -> Mapping[str, Any]:
        response = await self._send(method, path, **options)
        try:
            data = response.json()
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise ServerRefused(
                f"{self.server} answered {path} with something that is not JSON; is it an annotation server?",
                response.status_code,
            )
        return data

    async def _send(self, method: str, path: str, *, accept: Sequence[int] = (), **options: Any) -> httpx2.Response:
        try:
            response = await self._client.request(method, path, **options)
        except httpx2.InvalidURL as error:
            raise UserError(f"{self.server!r} is no address of a server: {error}") from error
        except (httpx2.TransportError, ssl.SSLError) as error:
            raise ServerAway(f"cannot reach {self.server}: {_reason(error)}") from error
        if response.is_success or response.status_code in accept:
            return response
        raise self._refusal(response, path)

    def _refusal(self, response: httpx2.Response, path: str) -> ServerAway | ServerRefused:
        body = _body(response)
        error = body.get("error")
        code, message = ("", "")
        if isinstance(error, dict):
            code, message = str(error.get("code", "")), str(error.get("message", ""))
        status = response.status_code
        if status in _AWAY:
            wish = response.headers.get("Retry-After", "")
            return ServerAway(
                f"{self.server} is busy or out of order ({status}): {message or path}",
                float(wish) if wish.isdecimal() else None,
            )
        if status == 401:
            message = "the server does not know this machine's token; pair it again with: trailbench capture login"
        fallback = f"{self.server} refused {path} ({status})"
        return ServerRefused(message or fallback, status, code, body)


def backoff(attempt: int, wish: float | None = None, *, longest: float = 60) -> float:
    """Return how many seconds to wait before the next try: doubling, jittered, at least the server's wish."""
    grown = min(longest, 0.5 * 2.0 ** min(attempt, 12))
    return max(wish or 0.0, grown * random.uniform(0.5, 1.0))  # noqa: S311 - spreads clients, keeps no secret


def _is_address(server: str) -> bool:
    """Tell whether this is a host, perhaps with a port and a path: no name, password, question or white space in it.

    >>> [_is_address(f"http://{rest}") for rest in ("a.example", "[::1]:8085", "a b", "a:99999", "me:secret@a", "a?b")]
    [True, True, False, False, False, False]
    """
    try:
        parts = urlsplit(server)
        is_plain = parts.port != 0 and not (parts.username or parts.password or parts.query or parts.fragment)
    except ValueError:
        return False
    return is_plain and bool(parts.hostname) and is_web(server) and len(server.split()) == 1


def _body(response: httpx2.Response) -> Mapping[str, Any]:
    try:
        found = response.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _reason(error: Exception) -> str:
    return str(error).strip() or type(error).__name__
