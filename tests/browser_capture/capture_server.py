"""A scripted annotation server that speaks the capture API: it keeps what it is sent and may be away for a while."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from browser_capture.events import Event
from browser_capture.json_records import from_json
from browser_capture.page_store import PageStore

TOKEN = "the-token"
CODE = "123-456"
PANEL = """<!doctype html><title>Panel</title><p id=state></p>
<button id=start>Start</button><button id=pause>Pause</button>
<button id=stop>Stop</button><button id=mark>Mark</button><script>
const say = (name, more) => window.__trailbench_panel(JSON.stringify({do: name, ...more}));
for (const name of ["start", "pause", "stop", "mark"]) document.getElementById(name).onclick = () => say(name);
addEventListener("trailbench:state", event => {
  window.detail = event.detail;
  document.getElementById("state").textContent = event.detail.state;
});
say("hello");
</script>"""


@dataclass
class Recording:
    """What the server holds of one recording."""

    task: str
    lines: dict[int, str] = field(default_factory=dict)
    state: str = "open"

    @property
    def highest(self) -> int:
        seq = 0
        while seq + 1 in self.lines:
            seq += 1
        return seq

    @property
    def events(self) -> list[Event]:
        return [from_json(Event, json.loads(self.lines[seq])) for seq in sorted(self.lines)]


@dataclass
class CaptureServer:
    """Serves the capture API on an ephemeral port. `away` answers 503 to everything, `fail_next` to some requests.

    `event_seconds` is how long it takes for a batch, `packed` the requests that came as gzip. Its clock is `ahead_ms`
    ahead of this machine's; `says_digest` is what it names instead of a recording's own digest.
    """

    tasks: dict[str, bool] = field(default_factory=lambda: {"t1": True})
    start_url: str = "about:blank"
    start_sites: Mapping[str, Sequence[str]] = field(default_factory=dict)
    jots: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    forget_minutes: float = 10
    away: bool = False
    fail_next: int = 0
    event_seconds: float = 0
    packed: list[str] = field(default_factory=list)
    ahead_ms: float = 0
    says_digest: str = ""
    codes: set[str] = field(default_factory=lambda: {CODE})
    recordings: dict[str, Recording] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Go away for good: a new connection is refused from now on. Closing again is no harm."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def page_store(self, folder: Any) -> PageStore:
        """Return a page store of the blobs that arrived."""
        store = PageStore(folder)
        for data in self.blobs.values():
            store.put(data)
        return store

    def answer(self, method: str, path: str, body: bytes, authorised: bool) -> tuple[int, Any]:
        """Answer one request: a status and JSON data, bytes or text."""
        if self.away or self.fail_next > 0:
            self.fail_next -= 1
            return 503, _error("away", "try again")
        parts = path.removeprefix("/api/v1/").split("/")
        if path.startswith("/panel/"):
            return 200, PANEL
        if parts == ["pairing"]:
            return self._pair(json.loads(body))
        if not authorised:
            return 401, _error("token", "unknown token")
        resource = {
            "tasks": self._task,
            "recordings": self._recording,
            "blobs": self._blob,
            "panel-sessions": self._panel,
            "time": self._time,
            "start-sites": lambda method, rest, body: (200, {"topics": self.start_sites}),
            "seeds": self._seed,
        }
        return resource[parts[0]](method, parts[1:], body)

    def _pair(self, data: Mapping[str, str]) -> tuple[int, Any]:
        if data["code"] not in self.codes:
            return 403, _error("code", "unknown or used code")
        self.codes.discard(data["code"])
        return 201, {"token": TOKEN, "user": "ada", "project": "demo"}

    def _task(self, method: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        if rest[0] not in self.tasks:
            return 404, _error("task", "no such task")
        if not self.tasks[rest[0]]:
            return 409, _error("claim", "not claimed by you")
        policy = {"allowed_engines": ["google"], "start_url": self.start_url, "forget_minutes": self.forget_minutes}
        return 200, {"task_id": rest[0], "version": 1, "question": "?", "held_by_me": True, "policy": policy}

    def _panel(self, method: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        return 201, {"url": f"/panel/{json.loads(body)['task_id']}"}

    def _seed(self, method: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        event = json.loads(body)
        from_json(Event, event)
        is_new = self.jots.setdefault(event["session"], event) is event
        return (201 if is_new else 200), {"session": event["session"]}

    def _time(self, method: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        return 200, {"now_ms": time.time() * 1000 + self.ahead_ms}

    def _blob(self, method: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        sha = rest[0]
        if method == "HEAD":
            return (200 if sha in self.blobs else 404), {}
        if hashlib.sha256(body).hexdigest() != sha:
            return 422, _error("hash", "other bytes")
        self.blobs[sha] = body
        return 201, {}

    def _recording(self, method: str, rest: list[str], body: bytes) -> tuple[int, Any]:
        if not rest:
            data = json.loads(body)
            recording = self.recordings.setdefault(data["session"], Recording(data["task_id"]))
            return 201, {"session": data["session"], "state": recording.state, "highest_seq": recording.highest}
        recording = self.recordings[rest[0]]
        if rest[1:] == ["events"]:
            return self._events(recording, body)
        return self._finish(recording, json.loads(body))

    def _events(self, recording: Recording, body: bytes) -> tuple[int, Any]:
        lines = body.decode().splitlines()
        time.sleep(self.event_seconds)
        before = len(recording.lines)
        for line in lines:
            recording.lines[from_json(Event, json.loads(line)).seq] = line
        accepted = len(recording.lines) - before
        return 200, {"highest_seq": recording.highest, "accepted": accepted, "duplicates": len(lines) - accepted}

    def _finish(self, recording: Recording, data: Mapping[str, Any]) -> tuple[int, Any]:
        whole = "".join(recording.lines[seq] + "\n" for seq in sorted(recording.lines))
        needed = [
            sha
            for event in recording.events
            if event.type == "snapshot"
            for sha in [event.data["id"], event.data["text_sha"], *(part["sha"] for part in event.data["parts"])]
        ]
        missing = sorted(set(needed) - set(self.blobs))
        right = data == {"last_seq": recording.highest, "digest": hashlib.sha256(whole.encode()).hexdigest()}
        if missing or not right:
            return 409, {**_error("incomplete", "?"), "highest_seq": recording.highest, "missing_blobs": missing}
        recording.state = "complete"
        return 200, {"state": "complete", "digest": self.says_digest or data["digest"]}


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _handler(server: CaptureServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65536  # head and body in one packet

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
                server.packed.append(f"{self.command} {self.path}")
            server.asked.append(f"{self.command} {self.path}")
            authorised = self.headers.get("Authorization") == f"Bearer {TOKEN}"
            status, answer = server.answer(self.command, self.path, body, authorised)
            is_text = isinstance(answer, str)
            data = answer.encode() if is_text else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if is_text else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_POST = do_PUT = do_HEAD = do_GET

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                return

        def log_message(self, format: str, *args: object) -> None:
            return

    return Handler
