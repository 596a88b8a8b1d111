"""What recording costs: load times with and without it, events a second, snapshots; held against the limits below.

Recording takes processor time of its own (about half of what a heavy page takes itself), most of it in parallel: on a
machine whose processors are taken already the ratios grow towards the ratio of the work, and say little.

Three browsers stand side by side, one bare, one with `trailbench capture` before Start, one recorded by it. They load
the same page by turns, so that a busy machine slows all. A load time is the page's own, from the navigation's start to
the end of the load event; pages tell it and are led on by the server, without another client of DevTools. The server is
another process and answers at once: on the real web the share of the recorder is smaller.
"""

from __future__ import annotations

import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import httpx2

from benchmarks.capture_browsers import Browsers, Pair, all_browsers, connected
from benchmarks.capture_site import served
from benchmarks.capture_steering import LOAD_SECONDS
from browser_capture.cli.json_output import json_option, write_json
from browser_capture.events import Event, iso_utc
from browser_capture.log_lines import LogTail
from browser_capture.page_store import PageStore
from browser_capture.snapshots import unpack_mhtml
from browser_capture.sources.tabs import CallBudget
from browser_capture.spool import About, Spool, spools

PAGES = {
    "heavy": "http://pages.example/heavy",
    "small": "http://pages.example/small",
    "results": "http://www.google.com/search?q=depth",
}
PICTURES = (6, 60, 200)
RATIO_LIMIT, SMALL_LIMIT_MS = 1.15, 60.0
"""Recording may make the page of 79 requests this much slower than the same browser attached and not recording, and the
small page by so many milliseconds. What being attached costs against a bare browser is measured too, and has no limit:
that is the driver's."""
BINDING_LIMIT, LOG_LIMIT = 100.0, 1_000.0
"""Events a second, at least: from a page into the log, and into the log alone. A person makes ten at most."""
KEPT_SECONDS = 15.0
"""How long to wait at most until a page is kept. That is done after it has loaded, and is not the next page's time."""
QUIET_SECONDS = 0.3

Say = Callable[[str], None]

_CALLS = """async count => {
    const tell = window[Object.getOwnPropertyNames(window).find(name => /^__tb[0-9a-f]{12}$/.test(name))];
    const began = performance.now();
    const calls = [];
    for (let n = 1; n <= count; n += 1) {
      const data = {button: 0, link_url: location.origin + "/clicked?n=" + n, trusted: false};
      calls.push(tell(JSON.stringify({kind: "click", n, at: performance.timeOrigin + performance.now(), data})));
    }
    await Promise.all(calls);
    return performance.now() - began;
}"""


async def load_times(browsers: Browsers, port: int, name: str, pairs: int, say: Say) -> dict[str, Any]:
    """Load a page by turns in the three browsers; which one is first changes from turn to turn.

    `ratio` and `added_ms` hold the recorded browser against the same browser attached and not recording, `whole_ratio`
    and `whole_ms` against the bare one; each is the median over the turns.
    """
    times: dict[str, list[float]] = {"bare": [], "attached": [], "recorded": []}
    (spool,) = spools(browsers.home)
    log = LogTail(spool)
    async with httpx2.AsyncClient(timeout=LOAD_SECONDS + 5, trust_env=False) as client:
        for number in range(-1, pairs):
            turn = number % len(times)
            for side in [*times][turn:] + [*times][:turn]:
                before = _count(log, "snapshot")
                answer = await client.get(f"http://127.0.0.1:{port}/drive", params={"side": side, "to": PAGES[name]})
                if not answer.text:
                    raise click.ClickException(f"the {side} browser did not load {PAGES[name]} in {LOAD_SECONDS:.0f} s")
                if side == "recorded":
                    await _until(lambda: _count(log, "snapshot") > before)  # noqa: B023 - waited for here
                await asyncio.sleep(QUIET_SECONDS)
                if number >= 0:  # the first turn warms all up
                    times[side].append(float(answer.text))
            if number >= 0:
                last = ", ".join(f"{side} {took[-1]:.0f} ms" for side, took in times.items())
                say(f"{name}: turn {number + 1} of {pairs}: {last}")
    medians = {f"{side}_ms": statistics.median(took) for side, took in times.items()}
    ratio, added = _against(times["recorded"], times["attached"])
    whole_ratio, whole = _against(times["recorded"], times["bare"])
    return {"page": name, "pairs": pairs, **medians, "ratio": ratio, "added_ms": added, "whole_ratio": whole_ratio,
            "whole_ms": whole, "times_ms": times}  # fmt: skip


def _against(recorded: Sequence[float], without: Sequence[float]) -> tuple[float, float]:
    pairs = list(zip(recorded, without, strict=True))
    return statistics.median(a / b for a, b in pairs), statistics.median(a - b for a, b in pairs)


def _count(log: LogTail, kind: str) -> int:
    return sum(line.event.type == kind for line in log.read())


async def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + KEPT_SECONDS
    while not condition() and time.monotonic() < deadline:
        await asyncio.sleep(0.1)


async def binding_rate(pair: Pair, events: int, repetitions: int, say: Say) -> dict[str, Any]:
    """Have a page call the recorder many times at once; a call returns when its event is in the log.

    Between two repetitions it waits, for a page that goes on like this is heard no more. Raises ClickException when
    not every call is in the log.
    """
    (spool,) = spools(pair.home)
    log = LogTail(spool)
    await pair.recorded.goto(PAGES["small"])
    rates = []
    for number in range(repetitions):
        await asyncio.sleep(events / CallBudget.PER_SECOND)
        before = _count(log, "click")
        took = await pair.recorded.evaluate(_CALLS, events)
        if _count(log, "click") - before != events:
            raise click.ClickException(f"of {events} calls {_count(log, 'click') - before} are in the log")
        rates.append(1000 * events / took)
        say(f"binding: {events} events in {took:.0f} ms ({number + 1} of {repetitions})")
    return {"events": events, "per_second": max(rates), "per_second_median": statistics.median(rates)}


def log_rate(events: int) -> dict[str, Any]:
    """Write events into a log of its own, first as they come, then each with the disk's word that it holds it."""
    with tempfile.TemporaryDirectory() as folder:
        about = About(session="s", task="t", server="http://127.0.0.1", created_at=iso_utc(0))
        spool = Spool.create(Path(folder, "s"), about)
        plain = _timed(lambda: [spool.append(_a_click(n)) for n in range(events)])
        few = max(1, events // 50)
        synced = _timed(lambda: _append_synced(spool, few))
        spool.close()
    return {"events": events, "per_second": events / plain, "microseconds": 1e6 * plain / events,
            "synced_microseconds": 1e6 * synced / few}  # fmt: skip


def _append_synced(spool: Spool, events: int) -> None:
    for n in range(events):
        spool.append(_a_click(n))
        spool.sync()


def _a_click(n: int) -> Event:
    data = {
        "button": 0,
        "x": 10,
        "y": 20,
        "trusted": True,
        "link_url": f"http://pages.example/{n}",
        "link_text": "a link",
    }
    return Event(session="s", seq=1, type="click", src="dom", t_wall=n, t_mono=n, task="t", tab="t1", visit="v1",
                 url="http://pages.example/", data=data)  # fmt: skip


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


async def snapshot_cost(pair: Pair, pictures: int, repetitions: int, say: Say) -> dict[str, Any]:
    """Take snapshots of a page with so many pictures and unpack each into a store; the bare browser takes them."""
    await pair.bare.goto(f"http://pages.example/pictures?n={pictures}", wait_until="load")
    cdp = await pair.bare.context.new_cdp_session(pair.bare)
    captures, unpackings, sizes, kept = [], [], [], []
    for number in range(repetitions):
        began = time.perf_counter()
        mhtml = (await cdp.send("Page.captureSnapshot", {"format": "mhtml"}))["data"].encode()
        captures.append(1000 * (time.perf_counter() - began))
        sizes.append(len(mhtml))
        with tempfile.TemporaryDirectory() as folder:
            store = PageStore(Path(folder))
            unpackings.append(1000 * _timed(lambda: unpack_mhtml(mhtml, store, captured_at=iso_utc(0))))  # noqa: B023
            kept.append(sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()))
        say(f"snapshot of {pictures} pictures: {captures[-1]:.0f} ms ({number + 1} of {repetitions})")
    await cdp.detach()
    return {"pictures": pictures, "capture_ms": statistics.median(captures), "unpack_ms": statistics.median(unpackings),
            "mhtml_bytes": sizes[-1], "kept_bytes": kept[-1]}  # fmt: skip


async def measure(pairs: int, repetitions: int, only: Sequence[str], say: Say) -> dict[str, Any]:
    """Measure everything, or what has one of these words in its name."""

    def wanted(name: str) -> bool:
        return not only or any(word in name for word in only)

    report: dict[str, Any] = {"loads": [], "snapshots": []}
    with served() as port:
        async with all_browsers(port) as browsers:
            for name in PAGES:
                if wanted(f"load {name}"):
                    report["loads"].append(await load_times(browsers, port, name, pairs, say))
            async with connected(browsers) as pair:
                if wanted("binding"):
                    report["binding"] = await binding_rate(pair, 400, repetitions, say)
                for pictures in PICTURES:
                    if wanted(f"snapshot {pictures}"):
                        report["snapshots"].append(await snapshot_cost(pair, pictures, repetitions, say))
    if wanted("log"):
        report["log"] = await asyncio.to_thread(log_rate, 20_000)
    return report


def over_limits(report: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each limit that is not held."""
    over = []
    for one in report["loads"]:
        if one["page"] == "heavy" and one["ratio"] > RATIO_LIMIT:
            over.append(f"load heavy: {one['ratio']:.2f} times as long while recorded; the limit is {RATIO_LIMIT}")
        if one["page"] == "small" and one["added_ms"] > SMALL_LIMIT_MS:
            over.append(f"load small: {one['added_ms']:.0f} ms longer; the limit is {SMALL_LIMIT_MS:.0f} ms")
    for name, least in (("binding", BINDING_LIMIT), ("log", LOG_LIMIT)):
        if name in report and report[name]["per_second"] < least:
            over.append(f"{name}: {report[name]['per_second']:.0f} events a second; at least {least:.0f} are wanted")
    return over


def print_report(report: Mapping[str, Any]) -> None:
    """Print a report as people read it."""
    machine = report["machine"]
    click.echo(
        f"{machine['processors']} processors, load {machine['load'][0]:.2f} before and {machine['load_after'][0]:.2f} "
        f"after, Python {machine['python']}"
    )
    if max(machine["load"][0], machine["load_after"][0]) > machine["processors"] + 1:
        click.echo("the machine has other work: nothing runs beside a load any more, and every ratio is too high")
    for one in report["loads"]:
        click.echo(f"load {one['page']:8} {one['bare_ms']:7.0f} ms bare, {one['attached_ms']:7.0f} ms attached, "
                   f"{one['recorded_ms']:7.0f} ms recorded; of {one['pairs']} turns the median is x{one['ratio']:.2f} "
                   f"({one['added_ms']:+.0f} ms) against attached, x{one['whole_ratio']:.2f} "
                   f"({one['whole_ms']:+.0f} ms) against bare")  # fmt: skip
    if "binding" in report:
        one = report["binding"]
        click.echo(f"binding: {one['per_second']:.0f} events a second (median {one['per_second_median']:.0f})")
    if "log" in report:
        one = report["log"]
        click.echo(f"log: {one['per_second']:.0f} events a second, {one['microseconds']:.0f} microseconds each, "
                   f"{one['synced_microseconds']:.0f} when each is synced")  # fmt: skip
    for one in report["snapshots"]:
        click.echo(f"snapshot of {one['pictures']:3} pictures: {one['capture_ms']:.0f} ms, "
                   f"{one['mhtml_bytes'] / 1e6:.1f} MB; unpacked in {one['unpack_ms']:.0f} ms to "
                   f"{one['kept_bytes'] / 1e6:.1f} MB")  # fmt: skip
    for sentence in report["over"]:
        click.echo(f"over the limit: {sentence}")


@click.command(epilog="Example: .venv/bin/python -m benchmarks.capture --pairs 20 --json capture.json")
@click.option("--pairs", default=20, show_default=True, type=click.IntRange(min=1), help="At least 20 to be quoted.")
@click.option("--repetitions", default=5, show_default=True, type=click.IntRange(min=1), help="Of all but the loads.")
@click.option(
    "--only", multiple=True, metavar="WORD",
    help="Only what has this word in its name: load heavy, load small, load results, binding, log, snapshot 60; "
    "may be repeated.",
)  # fmt: skip
@json_option
def main(pairs: int, repetitions: int, only: Sequence[str], json_to: str | None) -> None:
    """Measure what recording costs. Exit code 0 within the limits, 1 over one of them."""
    machine: dict[str, Any] = {
        "processors": os.cpu_count(), "load": list(os.getloadavg()), "python": platform.python_version(),
        "system": platform.platform(),
    }  # fmt: skip
    report = asyncio.run(measure(pairs, repetitions, only, lambda sentence: click.echo(sentence, err=True)))
    machine["load_after"] = list(os.getloadavg())
    report = {"machine": machine, **report, "over": over_limits(report)}
    print_report(report) if json_to is None else write_json(json_to, report)
    sys.exit(1 if report["over"] else 0)


if __name__ == "__main__":
    main()
