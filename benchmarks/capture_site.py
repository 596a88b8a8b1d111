"""The pages on which recording is timed, served by a process of its own on a free local port; it prints the port.

`/small` is a page with six pictures, `/heavy` one of 79 requests (scripts, styles, pictures, data), `/results` a result
page of an engine, `/pictures?n=60` a page with so many pictures. Every other address is a part of them.
"""

from __future__ import annotations

import random
import re
import struct
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import PIPE, Popen
from typing import NamedTuple

from benchmarks.capture_steering import SCRIPT, Steering

HEAVY = {"style": 8, "script": 18, "data": 6, "picture": 46}
"""What the heavy page asks for: with itself, 79 requests."""


class Part(NamedTuple):
    """What is served."""

    mime: str
    body: bytes


@cache
def a_png(seed: int, side: int = 120) -> bytes:
    """Write a picture of noise, about 43 KB."""
    noise = random.Random(seed)  # noqa: S311 - pictures, no secrets
    rows = b"".join(b"\0" + noise.randbytes(3 * side) for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def a_page(title: str, body: str) -> Part:
    """Write a page with some text."""
    text = "".join(f"<p>Paragraph {n} of {title}: {'lorem ipsum dolor sit amet ' * 12}</p>" for n in range(30))
    return Part("text/html; charset=utf-8", f"<!doctype html><title>{title}</title>{SCRIPT}{body}{text}".encode())


def pictures(count: int) -> str:
    """Write so many pictures."""
    return "".join(f"<img width=60 height=60 src=/picture/{n}>" for n in range(count))


def heavy_page() -> Part:
    """Write the page of 79 requests."""
    styles = "".join(f"<link rel=stylesheet href=/style/{n}>" for n in range(HEAVY["style"]))
    scripts = "".join(f"<script src=/script/{n}></script>" for n in range(HEAVY["script"]))
    data = (
        f"<script>for (let n = 0; n < {HEAVY['data']}; n++) fetch('/data/' + n).then(answer => answer.text())</script>"
    )
    return a_page("heavy", styles + scripts + data + pictures(HEAVY["picture"]))


def results_page() -> Part:
    """Write a result page of ten results."""
    boxes = "".join(
        f'<div class="MjjYud"><div><a href="https://r{n}.example/page"><h3>Result {n}</h3><cite>r{n}.example</cite></a>'
        f'<div data-sncf="1">What stands on page {n}, in some words.</div></div></div>'
        for n in range(10)
    )
    search = f"<form action=/search><input name=q value=depth></form><div id=search><div id=rso>{boxes}</div></div>"
    html = f"<!doctype html><title>depth - Google Search</title>{SCRIPT}{search}"
    return Part("text/html; charset=utf-8", html.encode())


def part_of(path: str, query: str) -> Part | None:
    """Return what stands at a path, None when nothing does."""
    if path in _PAGES:
        return _PAGES[path](query)
    kind, _, number = path[1:].partition("/")
    maker = _PARTS.get(kind)
    return maker(int(number)) if maker is not None and number.isdecimal() else None


_PAGES: Mapping[str, Callable[[str], Part]] = {
    "/": lambda query: a_page("start", ""),
    "/small": lambda query: a_page("small", pictures(6)),
    "/heavy": lambda query: heavy_page(),
    "/search": lambda query: results_page(),
    "/pictures": lambda query: a_page("pictures", pictures(int(re.sub(r"\D", "", query) or 0))),
}
_PARTS: Mapping[str, Callable[[int], Part]] = {
    "picture": lambda n: Part("image/png", a_png(n)),
    "style": lambda n: Part("text/css", f".part{n} {{ color: rgb({n}, 0, 0) }}\n".encode() * 200),
    "script": lambda n: Part("text/javascript", f"window.part{n} = [{'1,' * 4_000}].length;".encode()),
    "data": lambda n: Part("application/json", b"[" + b"1," * 5_000 + b"1]"),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    steering = Steering()

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        told = self.steering.answer(path, query)
        part = part_of(path, query) if told is None else Part("text/plain", told.encode())
        self.send_response(200 if part else 404)
        self.send_header("Content-Type", part.mime if part else "text/plain")
        self.send_header("Content-Length", str(len(part.body) if part else 0))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(part.body if part else b"")

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            return

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def served() -> Iterator[int]:
    """Serve the pages from another process; gives its port."""
    process = Popen([sys.executable, "-m", "benchmarks.capture_site"], stdin=PIPE, stdout=PIPE, text=True)
    assert process.stdout is not None  # noqa: S101 - a pipe
    try:
        yield int(process.stdout.readline())
    finally:
        # Its input ends: it leaves by itself, also when this process is killed.
        process.communicate(timeout=10)


def main() -> None:
    """Serve until the input ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    for number in range(200):
        a_png(number)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
