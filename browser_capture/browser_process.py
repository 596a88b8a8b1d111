"""Starts a Chromium of our own with its DevTools port, finds one that still runs, and ends it with all its children.

A browser outlives a killed recorder. Which process it is stands in a file of its profile; where its DevTools are, and
under which name, it writes there itself. One that answers by that name is the browser that was left behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psutil

from browser_capture.browser_profile import prepare_profile
from browser_capture.chromium import Chromium
from browser_capture.chromium_fetch import is_root
from browser_capture.claims import Process, find_process
from browser_capture.errors import BrowserLate, BrowserNotFound, UserError

START_SECONDS = 30
ANSWER_SECONDS = 3
PROCESS_FILE = "browser.json"
PROFILE_IN_USE = 21  # what Chromium itself calls the exit code
_ALWAYS = (
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--window-size=1280,900",
)
# Root has no sandbox to drop into; --test-type hides the bar that says so; /dev/shm is small in containers.
_AS_ROOT = ("--no-sandbox", "--test-type", "--disable-dev-shm-usage")
# Ctrl-C in the terminal is for the recorder, which then closes the browser in order.
_APART: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    _APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}


class BrowserProcess(NamedTuple):
    """A running browser: the address of its DevTools, its process where it is known, and whether we started it."""

    devtools: str
    pid: int | None
    child: subprocess.Popen[bytes] | None = None

    @property
    def was_running(self) -> bool:
        """Whether it was left behind by another recorder."""
        return self.child is None


def start_browser(
    chromium: Chromium,
    profile: Path,
    *,
    headless: bool,
    arguments: Sequence[str] = (),
    urls: Sequence[str] = (),
    seconds: float = START_SECONDS,
) -> BrowserProcess:
    """Start a browser on a profile of its own, with these pages open, and wait for its DevTools port so many seconds.

    Raises BrowserNotFound when it does not start, and UserError when the profile is in use by another one.
    """
    prepare_profile(profile)
    command = [str(chromium.path), f"--user-data-dir={profile}", *_ALWAYS, *(_AS_ROOT if is_root() else ())]
    if headless or chromium.headless_only:
        command.append("--headless" if chromium.headless_only else "--headless=new")
    said = profile / "browser.log"
    with said.open("wb") as output:
        try:
            process = subprocess.Popen(  # noqa: S603 - a browser of this machine, found or named by its user
                [*command, *arguments, *(urls or ("about:blank",))],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **chromium.environment},
                **_APART,
            )
        except OSError as error:
            raise BrowserNotFound(f"{chromium.path} could not be started: {error}") from error
    _note_process(profile, process.pid)
    return BrowserProcess(_wait_for_port(process, profile, said, chromium, seconds), process.pid, process)


def find_browser(profile: Path) -> BrowserProcess | None:
    """Return the browser that still runs on a profile, None when there is none that answers."""
    try:
        port, name = (profile / "DevToolsActivePort").read_text(encoding="ascii").split()
        devtools = f"http://127.0.0.1:{int(port)}"
        answer = httpx2.get(f"{devtools}/json/version", timeout=ANSWER_SECONDS, trust_env=False).json()
        is_ours = str(answer["webSocketDebuggerUrl"]).endswith(name)
    except (OSError, ValueError, TypeError, KeyError, httpx2.HTTPError, httpx2.InvalidURL):
        # No such file, a file cut short, nobody there, or somebody else who listens at that port now.
        return None
    return BrowserProcess(devtools, _noted_process(profile)) if is_ours else None


def stop_browser(browser: BrowserProcess, *, seconds: float = 5) -> None:
    """End a browser and its children: asked first, then killed. One that is gone already is no error."""
    if browser.pid is not None:
        _stop_tree(browser.pid, seconds)
    if browser.child is not None:
        browser.child.wait(timeout=seconds)


def processes_on(profile: Path) -> list[psutil.Process]:
    """Return the browsers that run on a profile, those that answer no more too."""
    found, mark = list[psutil.Process](), f"--user-data-dir={profile}"
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or ()
        # A browser's helpers are told the profile as well; each says what kind of helper it is.
        if mark in words and not any(word.startswith("--type=") for word in words):
            found.append(process)
    return found


def end_processes_on(profile: Path, *, seconds: float = 2) -> None:
    """End every browser that runs on a profile: asked first, then killed."""
    for process in processes_on(profile):
        _stop_tree(process.pid, seconds)


def _stop_tree(pid: int, seconds: float) -> None:
    try:
        tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for member in tree[:1]:
        _unless_gone(member.terminate)
    _, alive = psutil.wait_procs(tree, timeout=seconds)
    for member in alive:
        _unless_gone(member.kill)
    psutil.wait_procs(alive, timeout=seconds)


def _note_process(profile: Path, pid: int) -> None:
    # Without it a browser that is left behind is still found, and asked to close; it only cannot be killed.
    found = find_process(pid)
    with contextlib.suppress(OSError):
        (profile / PROCESS_FILE).write_text(json.dumps(found), encoding="utf-8")


def _noted_process(profile: Path) -> int | None:
    try:
        found = Process(*json.loads((profile / PROCESS_FILE).read_text(encoding="utf-8")))
        return found.pid if found.is_alive else None
    except (OSError, ValueError, TypeError):
        return None


def _wait_for_port(
    process: subprocess.Popen[bytes], profile: Path, said: Path, chromium: Chromium, seconds: float
) -> str:
    port_file, deadline = profile / "DevToolsActivePort", time.monotonic() + seconds
    while time.monotonic() < deadline:
        lines = port_file.read_text(encoding="ascii").split() if port_file.exists() else []
        if len(lines) == 2:
            return f"http://127.0.0.1:{lines[0]}"
        if process.poll() is not None:
            # A browser that finds its profile in use hands over to the other one and leaves without an error;
            # without a window it cannot, and says so with a code of its own.
            if process.returncode in {0, PROFILE_IN_USE}:
                left = f"{chromium.path} left at once without an error: it is no browser, or "
                guess = "" if process.returncode or processes_on(profile) else left
                raise UserError(
                    f"{guess}another capture browser uses the same profile; close it, or choose another --home"
                )
            raise BrowserNotFound(f"{chromium.path} ended with code {process.returncode}: {_last_line(said)}")
        time.sleep(0.02)
    stop_browser(BrowserProcess("", process.pid, process))
    raise BrowserLate(f"{chromium.path} opened no DevTools port within {seconds:g} seconds: {_last_line(said)}")


def _last_line(path: Path) -> str:
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    fatal = [line for line in lines if "FATAL" in line or "ERROR" in line or "annot" in line]
    return (fatal or lines or ["it said nothing"])[-1][:300]


def _unless_gone(action: Callable[[], None]) -> None:
    try:
        action()
    except psutil.NoSuchProcess:
        return
