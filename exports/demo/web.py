"""Folders of pages and a search engine come in; a web on this machine comes out, with www.google.com in front of it.

One port serves every host, by its Host header, over http and https alike: the first byte of a connection tells which.
A browser reaches it through `browser_arguments`, which send every name to this port, so nothing can reach out.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
import tempfile
import threading
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

from exports.demo.certificate import write_certificate
from exports.demo.pages import Content, PageFolder, read_content
from exports.demo.result_page import Advertisement, result_page, start_page
from exports.demo.search_engine import SearchEngine

SEARCH_HOST = "www.google.com"
_HTML = "text/html; charset=utf-8"
_TLS_HELLO = b"\x16"
_log = logging.getLogger(__name__)


class DemoWeb:
    """A running web; a context manager that ends it and every connection to it."""

    def __init__(
        self, folders: Sequence[PageFolder], engine: SearchEngine, advertisements: Sequence[Advertisement] = ()
    ) -> None:
        self.folders = tuple(folders)
        self.engine = engine
        self.advertisements = tuple(advertisements)
        hosts = sorted({SEARCH_HOST, *(folder.prefix.partition("/")[0] for folder in folders)})
        self._tls, self._key_hash = _tls_context(tuple(hosts))
        self._server = _Server(self, self._tls)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="demo web")

    @property
    def port(self) -> int:
        """The port it listens on, chosen by the system."""
        return int(self._server.server_address[1])

    @property
    def browser_arguments(self) -> tuple[str, ...]:
        """What a Chromium must be started with to see this web, and this web only."""
        return (
            f"--host-resolver-rules=MAP * 127.0.0.1:{self.port},EXCLUDE 127.0.0.1,EXCLUDE localhost",
            f"--ignore-certificate-errors-spki-list={self._key_hash}",
        )

    def answer(self, host: str, path: str) -> Content | None:
        """Return what a host shows at a path, None where there is nothing."""
        if host != SEARCH_HOST:
            return read_content(self.folders, host, path)
        parts = urlsplit(path)
        if parts.path == "/":
            return Content(start_page().encode(), _HTML)
        if parts.path != "/search":
            return None
        fields = parse_qs(parts.query)
        query, start = fields.get("q", [""])[0].strip(), fields.get("start", ["0"])[0]
        if not query:
            return Content(start_page().encode(), _HTML)
        first = int(start) if start.isdecimal() and start.isascii() and len(start) < 6 else 0
        return Content(result_page(self.engine, query, first, self.advertisements).encode(), _HTML)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.end_connections()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 64

    def __init__(self, web: DemoWeb, tls: ssl.SSLContext) -> None:
        self.web = web
        self.tls = tls
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Speak http or https with one connection; runs in the connection's own thread."""
        with self._lock:
            self._open.add(request)
        try:
            # Chromium opens spare connections and leaves them silent; the peek ends when it closes them.
            hello = request.recv(1, socket.MSG_PEEK)
            if hello == _TLS_HELLO:
                with self.tls.wrap_socket(request, server_side=True, suppress_ragged_eofs=True) as secured:
                    with self._lock:
                        self._open.add(secured)
                    super().finish_request(secured, client_address)
            elif hello:
                super().finish_request(request, client_address)
        except (OSError, ValueError) as error:
            # A browser drops connections as it likes: a closed tab, a preview not needed. Nothing was lost.
            _log.debug("connection of %s ended: %s", client_address, error)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open = {other for other in self._open if other is not request and other.fileno() != -1}
        super().shutdown_request(request)

    def end_connections(self) -> None:
        """Wake every thread that waits on a connection, so that `server_close` can join them."""
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    not_found: ClassVar[bytes] = (
        b"<!doctype html><title>Not found</title><h1>Not found</h1><p>The demo's web ends here.</p>"
    )

    def do_GET(self) -> None:
        """Answer by Host header and path."""
        host = (self.headers.get("Host") or "").partition(":")[0].lower()
        found = self.server.web.answer(host, self.path)
        status = HTTPStatus.OK if found else HTTPStatus.NOT_FOUND
        self._send(status, found or Content(self.not_found, _HTML))

    do_HEAD = do_GET

    def log_message(self, format: str, *arguments: object) -> None:
        _log.debug("%s " + format, self.headers.get("Host") if hasattr(self, "headers") else "-", *arguments)

    def _send(self, status: HTTPStatus, content: Content) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content.mime)
        self.send_header("Content-Length", str(len(content.data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content.data)


def _tls_context(hosts: tuple[str, ...]) -> tuple[ssl.SSLContext, str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="trailbench-") as folder:
        file = Path(folder) / "web.pem"
        key_hash = write_certificate(file, hosts)
        context.load_cert_chain(file)
    return context, key_hash
