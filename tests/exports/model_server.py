"""A model server on loopback that says one thing, or fails with a status: the wire is real, only the model is not."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ModelServer:
    """An OpenAI-compatible server. `status` may be changed while it runs; `requests` holds what was asked."""

    def __init__(self, says: str) -> None:
        self.says, self.status = says, 200
        self.requests: list[dict[str, Any]] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def body(self) -> dict[str, Any]:
        """Return what is answered now."""
        if self.status != 200:
            return {"error": {"message": "not now"}}
        message = {"role": "assistant", "content": self.says}
        return {
            "id": "c-1",
            "object": "chat.completion",
            "created": 0,
            "model": "small",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
        }


def _handler_of(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            server.requests.append(json.loads(self.rfile.read(length)))
            data = json.dumps(server.body()).encode()
            self.send_response(server.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: pytest's output is for failures."""

    return Handler
