"""An OpenAI-compatible server whose answers are written down beforehand: the wire is real, the model is not."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One answer of the server. `body` is sent as it is; `hang` waits until the server ends."""

    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False


def says(text: str, **usage: int) -> Answer:
    """An answer in which the model says a text."""
    message = {"role": "assistant", "content": text}
    return Answer(json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "scripted-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage or None}))  # fmt: skip


def fails(status: int, message: str, **headers: str) -> Answer:
    """An error as such servers send it."""
    return Answer(json.dumps({"error": {"message": message, "type": "x", "code": message}}), status, headers)


class ScriptedServer:
    """The running server: its address and what it was asked."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.requests: list[dict[str, Any]] = []
        self._answers = list(answers)
        self._end = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.base_url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                script.requests.append(json.loads(body))
                # The last answer is given for ever.
                answer = script._answers.pop(0) if len(script._answers) > 1 else script._answers[0]
                if answer.hang:
                    script._end.wait(30)
                    return
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(answer.body.encode())

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def __enter__(self) -> ScriptedServer:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def scripted(*answers: Answer) -> Iterator[ScriptedServer]:
    """Run a scripted server for the length of a `with` block."""
    with ScriptedServer(answers) as server:
        yield server
