"""Checks what a recording needs of this machine beside browser and server: disk, display, fonts, no leftovers."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from browser_capture.browser_process import find_browser, processes_on
from browser_capture.claims import holder
from browser_capture.errors import TrailbenchError, UserError
from browser_capture.findings import Finding
from browser_capture.folders import PROFILE
from browser_capture.kept_recordings import state_of, task_of
from browser_capture.looking import look_at
from browser_capture.spool import spools
from browser_capture.vital_signs import ENOUGH_FREE, disk_free

SCARCE = 1_000_000_000
"""Bytes of disk below which an hour of searching may not fit."""
SLOW_SYNC_MS = 500
NO_DISPLAY = "none: DISPLAY and WAYLAND_DISPLAY are not set, so no window can be shown"
GET_A_DISPLAY = "run this in a desktop session, or under: xvfb-run --auto-servernum trailbench capture start TASK"
_DISPLAY = re.compile(r"(?P<host>[^:/]*):(?P<number>\d+)(?:\.\d+)?")
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ar": "Arabic"}


def check_disk(home: Path) -> Sequence[Finding]:
    """Tell whether recordings can be written to the home folder, or to where it would be made."""
    place = next(folder for folder in (home, *home.absolute().parents) if folder.exists())
    if not place.is_dir():
        return [Finding("disk", "fail", f"{place} is a file", "a folder", "choose another --home")]
    try:
        took = _write_and_sync(place)
    except OSError as error:
        found = f"cannot write to {place}: {error.strerror or error}"
        mend = "choose another --home, or set TRAILBENCH_CAPTURE_HOME to a folder of yours"
        return [Finding("disk", "fail", found, "a folder that can be written to", mend)]
    return [_room(home, disk_free(place)), _speed(took), *_privacy(home)]


def check_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Sequence[Finding]:
    """Tell whether a browser's window can be shown."""
    if not platform.startswith("linux"):
        return [Finding("display", "ok", f"{platform} shows windows by itself")]
    wayland, display = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    if wayland and Path(environment.get("XDG_RUNTIME_DIR", ""), wayland).exists():
        return [Finding("display", "ok", f"Wayland, {wayland}")]
    if not display and not wayland:
        return [Finding("display", "fail", NO_DISPLAY, "a display, or --headless for scripts", GET_A_DISPLAY)]
    if not display:
        found = f"nothing answers at WAYLAND_DISPLAY={wayland}"
        return [Finding("display", "warn", found, "a running display", GET_A_DISPLAY)]
    if not _is_shown(display):
        return [Finding("display", "warn", f"nothing answers at DISPLAY={display}", "a running display", GET_A_DISPLAY)]
    return [Finding("display", "ok", f"X, {display}")]


def require_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """Raise UserError where no window can be shown for sure, in the words of the check."""
    finding = check_display(environment, platform)[0]
    if finding.verdict == "fail":
        raise UserError(f"display: {finding.found}; expected {finding.expected}; to mend: {finding.mend}")


def check_fonts(platform: str = sys.platform) -> Sequence[Finding]:
    """Tell whether pages in scripts of their own can be read."""
    program = shutil.which("fc-list")
    if not platform.startswith("linux") or program is None:
        return [Finding("fonts", "ok", "not looked at on this system")]
    missing = [name for code, name in _LANGUAGES.items() if not _fonts(program, f":lang={code}")]
    mend = "Debian, Ubuntu: apt-get install fonts-noto-core fonts-noto-cjk"
    if not _fonts(program, ":"):
        return [Finding("fonts", "warn", "none is installed: pages show no text at all", "fonts", mend)]
    if missing:
        found = f"none for {', '.join(missing)}: such pages show boxes"
        return [Finding("fonts", "warn", found, "fonts for all scripts", mend)]
    return [Finding("fonts", "ok", "there for all scripts that were looked for")]


def check_leftovers(home: Path) -> Sequence[Finding]:
    """Tell what earlier recorders left behind: a process, a browser, a profile."""
    profile = home / PROFILE
    other = holder(home, PROFILE)
    if other is not None:
        found = f"{other}; one machine records one search at a time"
        return [Finding("recorders", "ok", found)]
    if find_browser(profile) is not None:
        found = "the browser of an earlier recording is still open and nobody records in it"
        mend = "trailbench capture resume, or close that browser's windows"
        return [Finding("recorders", "warn", found, "no browser on the capture profile", mend)]
    stray = processes_on(profile)
    if stray:
        numbers = ", ".join(str(process.pid) for process in stray)
        found = f"a capture browser hangs, with nobody who records in it: process {numbers}"
        mend = f"end process {numbers} (Linux, macOS: kill {numbers.replace(',', '')}), then: trailbench capture resume"
        return [Finding("recorders", "warn", found, "no browser on the capture profile", mend)]
    if profile.exists() and next(spools(home), None) is None:
        found = f"a browser profile is left in {profile}, though no recording waits: it may hold cookies"
        return [Finding("recorders", "warn", found, "no profile without a recording", f"delete the folder {profile}")]
    return [Finding("recorders", "ok", "nothing is left behind")]


def check_recordings(home: Path) -> Sequence[Finding]:
    """Tell how the recordings fare that wait on this machine."""
    found = [_recording(home, folder) for folder in spools(home)]
    return found or [Finding("recordings", "ok", "none waits on this machine")]


def _recording(home: Path, folder: Path) -> Finding:
    name = f"{folder.name} (task {task_of(folder)})"
    try:
        look = look_at(home, folder)
    except (TrailbenchError, OSError, ValueError) as error:
        mend = f"keep the folder {folder} and send it to the maintainer of the server; others are sent without it"
        return Finding("recordings", "fail", f"{name} cannot be read: {error}", "a whole log", mend)
    state = state_of(home, folder)
    if look.missing and state not in {"being recorded", "being sent"}:
        found = f"{name}: {look.missing} parts of its pages are missing here"
        return Finding(
            "recordings",
            "warn",
            found,
            "every page it names",
            "trailbench capture upload, and tell the server's maintainer",
        )
    if look.needs_look and state == "waits":
        mend = f"trailbench capture inspect {folder.name}, then trailbench capture upload"
        return Finding("recordings", "warn", f"{name} waits for you to look at it", "nothing that waits", mend)
    if state == "interrupted":
        mend = f"trailbench capture resume {folder.name}, or end and send it: trailbench capture upload"
        return Finding("recordings", "warn", f"{name} was cut short", "a Stop", mend)
    if state in {"waits", "empty"}:
        return Finding(
            "recordings", "warn", f"{name} waits to be sent", "nothing that waits", "trailbench capture upload"
        )
    return Finding("recordings", "ok", f"{name} is {state}")


def _write_and_sync(folder: Path) -> int:
    """Write a small file, have the disk confirm it, and return how many milliseconds that took. Raises OSError."""
    began = time.perf_counter()
    with tempfile.TemporaryFile(dir=folder, prefix=".doctor-") as file:
        file.write(b"x" * 4096)
        file.flush()
        os.fsync(file.fileno())
    return round((time.perf_counter() - began) * 1000)


def _room(home: Path, free: int | None) -> Finding:
    if free is None:
        return Finding("disk", "warn", f"the system does not say how much is free at {home}", "1 GB free")
    found, expected = f"{free / 1e9:.1f} GB free at {home}", "1 GB free for an hour of searching"
    if free < ENOUGH_FREE:
        found = f"{free / 1e6:.0f} MB free at {home}: a recording would wait instead of recording"
        return Finding("disk", "fail", found, expected, "free some space, or choose another --home")
    if free < SCARCE:
        return Finding("disk", "warn", found, expected, "free some space, or choose another --home")
    return Finding("disk", "ok", found)


def _speed(milliseconds: int) -> Finding:
    found = f"confirms a write in {milliseconds} ms"
    if milliseconds > SLOW_SYNC_MS:
        expected, mend = f"at most {SLOW_SYNC_MS} ms", "choose a --home on a disk of this machine, not on the network"
        return Finding("disk", "warn", found, expected, mend)
    return Finding("disk", "ok", found)


def _privacy(home: Path) -> Iterator[Finding]:
    # Elsewhere the folder of a user is nobody else's by other means than these bits.
    if os.name != "posix" or not home.exists():
        return
    for path, right in ((home, 0o700), (home / "credentials.json", 0o600)):
        if path.exists() and path.stat().st_mode & 0o077:
            found = f"others on this machine can read {path} (mode {path.stat().st_mode & 0o777:o})"
            yield Finding("disk", "warn", found, f"mode {right:o}", f"chmod {right:o} '{path}'")


def _is_shown(display: str) -> bool:
    found = _DISPLAY.fullmatch(display)
    if found is None:
        return True  # a form that is not known here: the browser will say
    if found["host"] not in {"", "unix"}:
        try:
            socket.create_connection((found["host"], 6000 + int(found["number"])), timeout=1).close()
        except OSError:
            return False
        return True
    name = f"/tmp/.X11-unix/X{found['number']}"  # noqa: S108 - where every X server puts its socket
    return Path(name).exists() or name in _open_sockets()


def _open_sockets() -> str:
    try:
        return Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _fonts(program: str, pattern: str) -> bool:
    try:
        done = subprocess.run([program, pattern], capture_output=True, timeout=2, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return True  # not known: nothing to complain about
    return bool(done.stdout.strip())
