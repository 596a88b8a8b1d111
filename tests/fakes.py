"""Stand-ins at the wire: a small web server of pages, and others that tests talk to over HTTP, on a free local port."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urlsplit


class Reply(NamedTuple):
    """An answer of the site. `seconds` is how long it takes to come; an endless one goes on ten times a second."""

    body: bytes
    mime: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = {}
    seconds: float = 0
    is_endless: bool = False


Answer = Reply | bytes | str | Callable[[str], "Reply"]


class LocalSite:
    """Serves pages by (host, path); a browser is led here by host-resolver rules, any other client by its Host header.

    An answer may be text, bytes, a Reply, or a function of the query string. Paths are matched without their query.
    `host` "" in the key serves the path on every host. Use as a context manager.
    """

    def __init__(self, pages: Mapping[tuple[str, str], Answer] | None = None) -> None:
        self.pages: dict[tuple[str, str], Answer] = dict(pages or {})
        self.asked: list[str] = []
        self.wrap: Callable[[socket], socket] = lambda connection: connection
        """Takes each connection before it is read, and gives the one to read; a test may put TLS here."""
        self._stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def port(self) -> int:
        """Return the port it listens on."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Return its address without any host name."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def browser_args(self) -> tuple[str, ...]:
        """Return what leads every host name of a Chromium here; nothing of it can reach the web."""
        rules = f"MAP * 127.0.0.1:{self.port},EXCLUDE 127.0.0.1,EXCLUDE localhost"
        return (f"--host-resolver-rules={rules}", "--disable-features=HttpsUpgrades,HttpsFirstBalancedMode")

    def is_stopping(self, seconds: float) -> bool:
        """Wait for the end of the site, not longer than this, and tell whether it has come."""
        return self._stopping.wait(seconds)

    def reply(self, host: str, target: str) -> Reply:
        """Return what is served for a request."""
        parts = urlsplit(target)
        self.asked.append(f"{host}{target}")
        answer = self.pages.get((host, parts.path), self.pages.get(("", parts.path)))
        if answer is None:
            return Reply(b"<title>Not found</title>not found", status=404)
        if callable(answer):
            answer = answer(parts.query)
        if isinstance(answer, str):
            answer = answer.encode()
        reply = Reply(answer) if isinstance(answer, bytes) else answer
        self.is_stopping(reply.seconds)
        return reply


def _handler(site: LocalSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65536  # head and body in one packet

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").partition(":")[0]
            reply = site.reply(host, self.path)
            self.send_response(reply.status)
            for name, value in {"Content-Type": reply.mime, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header(
                *(("Connection", "close") if reply.is_endless else ("Content-Length", str(len(reply.body))))
            )
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)
                while reply.is_endless and not site.is_stopping(0.1):
                    self.wfile.write(reply.body)
                    self.wfile.flush()

        do_HEAD = do_GET

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.do_GET()

        def setup(self) -> None:
            self.request = site.wrap(self.request)
            super().setup()

        def handle(self) -> None:
            with suppress(OSError):  # a browser hangs up when it likes
                super().handle()

        def finish(self) -> None:
            with suppress(OSError):
                super().finish()
            self.request.close()

        def log_message(self, format: str, *args: object) -> None:
            return

    return Handler
