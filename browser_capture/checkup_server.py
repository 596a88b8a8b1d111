"""Checks the annotation server from this machine: paired, reached, known by its token, same version, same time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx2

from browser_capture.capture_api import CaptureApi
from browser_capture.clock import Offset, measure_offset
from browser_capture.credentials import Credentials, load_credentials
from browser_capture.errors import ServerAway, ServerRefused, TrailbenchError, UserError
from browser_capture.findings import Finding
from browser_capture.spool import read_about, spools
from browser_capture.version import VERSION

ANSWER_SECONDS = 4.0
FAR_OFF_MS = 2_000
WRONG_MS = 10 * 60_000
_LOGIN = "trailbench capture login SERVER --code CODE (a code stands on the server's page /account/pair)"
_SET_CLOCK = {
    "darwin": "sudo sntp -sS time.apple.com",
    "win32": "w32tm /resync (as administrator)",
}


def check_server(
    home: Path, server: str | None = None, transport: httpx2.AsyncBaseTransport | None = None
) -> Sequence[Finding]:
    """Tell whether the paired server answers and knows this machine, and how far apart the clocks are."""
    try:
        paired = load_credentials(home, server)
    except UserError as error:
        return [
            Finding("server", "fail", str(error), "a pairing", _LOGIN),
            Finding("clock", "warn", "not compared: there is no server to ask", "a pairing first"),
        ]
    return [
        Finding("server", "ok", f"paired with {paired.server} as {paired.user}"),
        *asyncio.run(_ask(paired, transport)),
        *_strangers(home, paired.server),
    ]


def clock_finding(offset: Offset | None) -> Finding:
    """Return what an offset between the clocks means.

    >>> clock_finding(Offset(-120.0, 8.0)).verdict, clock_finding(Offset(7_000.0, 8.0)).verdict
    ('ok', 'warn')
    """
    if offset is None:
        return Finding("clock", "warn", "not compared: the server did not say its time", "the server's time")
    seconds, way = abs(offset.offset_ms) / 1000, "behind" if offset.offset_ms > 0 else "ahead of"
    found = f"{seconds:.1f} s {way} the server's (round trip {offset.rtt_ms:.0f} ms)"
    if seconds * 1000 <= FAR_OFF_MS:
        return Finding("clock", "ok", found)
    expected, mend = f"at most {FAR_OFF_MS / 1000:g} s", _SET_CLOCK.get(sys.platform, "sudo timedatectl set-ntp true")
    return Finding("clock", "fail" if seconds * 1000 > WRONG_MS else "warn", found, expected, mend)


async def _ask(paired: Credentials, transport: httpx2.AsyncBaseTransport | None) -> Sequence[Finding]:
    not_compared = Finding("clock", "warn", "not compared: the server gave no answer", "the server's time")
    try:
        async with asyncio.timeout(ANSWER_SECONDS), CaptureApi(paired.server, paired.token, transport) as api:
            version = await api.server_version()
            offset = await measure_offset(api.server_time)
    except ServerRefused as error:
        return [_refusal(paired, error), not_compared]
    except (ServerAway, TimeoutError) as error:
        found = str(error) or f"{paired.server} gave no answer within {ANSWER_SECONDS:g} seconds"
        mend = f"look whether {paired.server} opens in your usual browser; a recording can begin without it and is kept"
        return [Finding("server", "warn", found, "an answer", mend), not_compared]
    except TrailbenchError as error:
        return [Finding("server", "fail", str(error), "an annotation server", _LOGIN), not_compared]
    return [_version_finding(version), clock_finding(offset)]


def _refusal(paired: Credentials, error: ServerRefused) -> Finding:
    if error.status == 401:
        found = f"{paired.server} does not know this machine's token: it ran out (90 days) or was taken back"
        return Finding(
            "server", "fail", found, "a valid token", f"trailbench capture login {paired.server} --code CODE"
        )
    return Finding("server", "fail", str(error), "an annotation server at this address", _LOGIN)


def _version_finding(version: str) -> Finding:
    if version in {"", VERSION}:
        says = f"trailbench {version}, as here" if version else "it does not say its version"
        return Finding("server", "ok", f"answers and knows this machine's token ({says})")
    found = f"answers with trailbench {version}; here is {VERSION}"
    return Finding("server", "warn", found, "the same version", f"pip install 'trailbench=={version}'")


def _strangers(home: Path, server: str) -> Sequence[Finding]:
    """Return the recordings that this pairing cannot send."""
    found = list[Finding]()
    for folder in spools(home):
        try:
            other = read_about(folder).server
        except UserError:
            continue  # said where the recordings are looked at
        if other != server:
            words = f"recording {folder.name} belongs to {other}, not to the paired {server}"
            found.append(Finding("server", "warn", words, "one server", f"trailbench capture login {other}"))
    return found
