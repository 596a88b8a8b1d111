"""The clocks of a recording: this machine's two, how far they are from the server's, and when the wall clock jumped.

What is measured here is noted beside the raw times and never added to them: order is `seq`, and what must not hang on
a wall clock that somebody sets (dwell times, the forget window) follows the monotonic one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from browser_capture.errors import ServerAway, ServerRefused

PINGS = 5
PING_SECONDS = 3.0
JUMP_MS = 2_000
"""A wall clock that leaves the monotonic one by this much between two looks was set, or the machine slept."""


class Clock(NamedTuple):
    """Wall clock (UTC) and monotonic clock, both in milliseconds."""

    wall: Callable[[], int]
    mono: Callable[[], int]


def system_clock(start: int = 0) -> Clock:
    """Return this machine's clocks; the monotonic one begins at `start`, so that a resumed recording goes on."""
    origin = time.monotonic_ns() - start * 1_000_000
    return Clock(lambda: time.time_ns() // 1_000_000, lambda: (time.monotonic_ns() - origin) // 1_000_000)


class Ping(NamedTuple):
    """One question for the server's time: when it was asked and answered here, and what the answer was, in ms."""

    sent: float
    received: float
    server: float


class Offset(NamedTuple):
    """How far the server's clock is ahead of ours, and the round trip of the ping that told it, in milliseconds."""

    offset_ms: float
    rtt_ms: float


def best_offset(pings: Sequence[Ping]) -> Offset | None:
    """Return what the quickest ping tells, None without any: the shorter the trip, the less it can be off.

    >>> best_offset([Ping(0, 80, 1_000), Ping(100, 120, 1_110)])
    Offset(offset_ms=1000.0, rtt_ms=20)
    """
    quickest = min(pings, key=lambda ping: ping.received - ping.sent, default=None)
    if quickest is None:
        return None
    return Offset(quickest.server - (quickest.sent + quickest.received) / 2, quickest.received - quickest.sent)


async def measure_offset(ask: Callable[[], Awaitable[float]]) -> Offset | None:
    """Ask the server for its time in ms since the epoch, five times; None when it does not answer within seconds."""
    pings: list[Ping] = []
    try:
        async with asyncio.timeout(PING_SECONDS):
            for _ in range(PINGS):
                sent, began = time.time() * 1000, time.perf_counter()
                server = await ask()
                pings.append(Ping(sent, sent + (time.perf_counter() - began) * 1000, server))
    except (TimeoutError, ServerAway, ServerRefused):
        # A server that is away, or too old to be asked: what was learned so far counts.
        pass
    found = best_offset(pings)
    return found and Offset(round(found.offset_ms, 1), round(found.rtt_ms, 1))


class MeasuredClock:
    """What is known of the server's clock; it is asked in the background, and waited for only a moment."""

    def __init__(self, ask: Callable[[], Awaitable[float]]) -> None:
        self.offset: Offset | None = None
        self._ask = ask
        self._done = asyncio.Event()

    async def measure(self) -> None:
        """Ask; whoever waits goes on."""
        try:
            self.offset = await measure_offset(self._ask)
        finally:
            self._done.set()

    async def known(self, seconds: float) -> None:
        """Wait until the server was asked, not longer than this."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._done.wait()


class Jump(NamedTuple):
    """The wall clock moved from where it should stand to where it stands, both in milliseconds."""

    expected: int
    found: int


class JumpWatch:
    """Compares the two clocks from look to look. A clock that is slowly drawn right never leaps, and is not noted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._mono = clock.wall(), clock.mono()

    def look(self) -> Jump | None:
        """Tell whether the wall clock jumped since the last look."""
        wall, mono = self._clock.wall(), self._clock.mono()
        expected = self._wall + mono - self._mono
        self._wall, self._mono = wall, mono
        return Jump(expected, wall) if abs(wall - expected) >= JUMP_MS else None
