"""Half an hour at the capture browser, two hundred visits: memory stays, nothing is left running or missing."""

from __future__ import annotations

import asyncio
import os
import random
import struct
import time
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import psutil
import pytest

from browser_capture.derivation import derive_trajectory
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import Person, person_at
from tests.browser_capture.result_page import result_page
from tests.browser_capture.small_pdf import a_pdf
from tests.browser_capture.test_durability import no_browser_left, whole
from tests.fakes import Answer, LocalSite, Reply

pytestmark = [pytest.mark.browser, pytest.mark.long]

MINUTES = float(os.environ.get("TRAILBENCH_SOAK_MINUTES", "30"))
"""How long the session takes; visits come at the same pace in a shorter one."""
VISITS = max(16, round(200 * MINUTES / 30))
PACE = MINUTES * 60 / VISITS
GROWTH = 100_000_000
"""Bytes by which the recorder and its driver may grow together."""


def a_png(seed: int, side: int = 120) -> bytes:
    """Write a picture of noise: about three bytes a point, whatever packs it."""
    noise = random.Random(seed)
    rows = b"".join(b"\0" + noise.randbytes(3 * side) for _ in range(side))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, 1)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def number_of(query: str) -> int:
    """Return the number a page is asked for."""
    return int(parse_qs(query)["n"][0])


def serve_results(query: str) -> Reply:
    """Answer a search with articles of its own."""
    text = parse_qs(query)["q"][0]
    n = int(text.split()[-1])
    results = [(f"http://soak.example/article?n={10 * n + k}", f"Article {10 * n + k}") for k in range(1, 9)]
    return Reply(result_page(text, results).encode())


def serve_article(query: str) -> Reply:
    """Serve a long text with a table, four pictures and a script that adds more later."""
    n = number_of(query)
    words = random.Random(n)
    rows = "".join(f"<tr><td>row {row}</td><td>{words.random():.9f}</td></tr>" for row in range(100))
    text = "".join(
        f"<p>Paragraph {part} of {n}: {' '.join(str(words.random()) for _ in range(60))}</p>" for part in range(40)
    )
    pictures = "".join(f"<img src=/picture?n={n}{part} width=120>" for part in range(4))
    late = "<script>setTimeout(() => document.body.append('came later'), 1500)</script>"
    more = f"<a id=more href=/article?n={n}1>more</a> <a id=tab href=/gallery?n={n}2>pictures</a>"
    return Reply(
        f"<title>Article {n}</title><h1>Article {n}</h1>{more}<table>{rows}</table>{text}{pictures}{late}".encode()
    )


def serve_gallery(query: str) -> Reply:
    """Serve thirty pictures."""
    n = number_of(query)
    pictures = "".join(f"<img src=/picture?n={n}{part:02} width=120>" for part in range(30))
    return Reply(f"<title>Gallery {n}</title><h1>Gallery {n}</h1>{pictures}".encode())


def serve_app(query: str) -> Reply:
    """Serve a page that moves on by script."""
    n = number_of(query)
    script = f"history.pushState(null, '', '/app?n={n}1'); document.querySelector('p').textContent = 'Now {n}1'"
    return Reply(f'<title>App {n}</title><p>First {n}</p><button id=go onclick="{script}">go</button>'.encode())


PAGES: dict[tuple[str, str], Answer] = {
    ("www.google.com", "/"): "<title>Google</title><form action=/search><input name=q id=q></form>",
    ("www.google.com", "/search"): serve_results,
    ("soak.example", "/article"): serve_article,
    ("soak.example", "/gallery"): serve_gallery,
    ("soak.example", "/picture"): lambda query: Reply(a_png(number_of(query)), mime="image/png"),
    ("soak.example", "/app"): serve_app,
    ("soak.example", "/paper"): lambda query: Reply(a_pdf(f"Paper {number_of(query)}"), mime="application/pdf"),
    ("", "/favicon.ico"): Reply(b"", status=204),
}


@dataclass
class Soak:
    """A session under way: its visits so far, its memory, and every process it had."""

    person: Person
    visits: int = 0
    began: float = field(default_factory=time.monotonic)
    seen: set[psutil.Process] = field(default_factory=set)
    sizes: list[tuple[int, int]] = field(default_factory=list)

    async def visited(self) -> None:
        """Note a visit and its memory, and wait until the next one is due."""
        self.visits += 1
        self.sizes.append(self.memory())
        if self.visits % 10 == 0:
            minutes = (time.monotonic() - self.began) / 60
            sizes = " + ".join(f"{size / 1e6:.0f}" for size in self.sizes[-1])
            print(f"{minutes:4.1f} min, {self.visits} visits, {sizes} MB", flush=True)
        await asyncio.sleep(max(0.5, self.began + self.visits * PACE - time.monotonic()))

    def memory(self) -> tuple[int, int]:
        """Return the bytes the recorder holds, and those of its driver."""
        recorder = psutil.Process(self.person.process.pid)
        family = recorder.children(recursive=True)
        self.seen.update(family, [recorder])
        drivers = [child for child in family if any("driver" in word for word in words_of(child)[:3])]
        assert drivers, "the recorder has no driver"
        return recorder.memory_info().rss, sum(driver.memory_info().rss for driver in drivers)


def words_of(process: psutil.Process) -> list[str]:
    """Return the command line of a process, empty when it has just ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def rounds(soak: Soak) -> AsyncIterator[None]:
    """Move as a searcher does; yields at each page that stands."""
    main, context = soak.person.main, soak.person.context
    for n in range(1, 10_000):
        await main.goto(f"http://www.google.com/search?q=depth+of+{n}")
        yield
        await main.locator("h3").nth(n % 8).click()
        await main.wait_for_selector("#more")
        await main.mouse.wheel(0, 900)
        yield
        async with context.expect_page() as opening:
            await main.click("#tab", modifiers=["Control"])
        page = await opening.value
        await page.bring_to_front()
        await page.wait_for_selector("h1")
        yield
        await page.close()
        await main.bring_to_front()
        await main.click("#more")
        await main.wait_for_url("**/article?n=*1")
        yield
        await main.go_back(wait_until="commit")
        await main.wait_for_selector("#more")
        yield
        await main.goto(f"http://soak.example/paper?n={n}")
        yield
        await main.goto(f"http://soak.example/app?n={n}")
        yield
        await main.click("#go")
        yield
        await main.goto(f"http://soak.example/gallery?n={n}")
        yield
        await main.reload()
        yield


def test_a_long_session_stays_whole_and_small(server: CaptureServer, home: Path) -> None:
    with LocalSite(PAGES) as site, no_browser_left(home):
        soak = asyncio.run(soaked(site, home))
    trajectory = derive_trajectory(whole(server))
    sizes = [recorder + driver for recorder, driver in soak.sizes]
    print(f"{sizes[0] / 1e6:.0f} MB at first, at most {max(sizes) / 1e6:.0f} MB, {len(server.blobs)} blobs")
    assert len(trajectory.visits) == VISITS + 1
    assert [visit.url for visit in trajectory.visits if not visit.snapshots] == []
    assert [notice for notice in trajectory.notices if notice.kind != "query_without_click"] == []
    assert [process for process in soak.seen if process.is_running()] == []
    assert max(sizes) - sizes[0] < GROWTH


async def soaked(site: LocalSite, home: Path) -> Soak:
    """Record the session from Start to Stop."""
    async with person_at(site, home) as person:
        await person.press("start", until="recording")
        soak = Soak(person)
        soak.sizes.append(soak.memory())
        async for _ in rounds(soak):
            await soak.visited()
            if soak.visits == VISITS:
                break
        await person.press("stop", until="uploaded")
        assert await person.quit() == 0, person.said.read_text()
    assert person.said.read_text() == ""
    return soak
