"""Checks the browser: which one is there, that it starts on a profile of its own, and that the recorder attaches."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2

from browser_capture.browser.attached import AttachedBrowser
from browser_capture.browser_process import BrowserProcess, end_processes_on, start_browser, stop_browser
from browser_capture.checkup import verdict_of_late
from browser_capture.chromium import Chromium, require_chromium
from browser_capture.chromium_fetch import driver_environment
from browser_capture.errors import BrowserLate, BrowserNotFound, IncompleteError, UserError
from browser_capture.findings import Finding
from browser_capture.sources.wire import Answer, DomCall, WireTab

START_SECONDS = 7.0
ATTACH_SECONDS = 4.0
OLDEST = 120
_INSTALL = "install Chromium, Chrome or Edge (Debian: apt-get install chromium), or name one with --browser PATH"


class _Silent:
    """Listens to a browser and does nothing with what it says."""

    def tab_opened(self, tab: WireTab, existed: bool) -> None:
        return

    def tab_closed(self, tab: str) -> None:
        return

    def dom_called(self, tab: str, call: DomCall) -> None:
        call.done()

    def document_answered(self, answer: Answer) -> None:
        return

    def dialog_shown(self, tab: str, kind: str, url: str) -> None:
        return

    def panel_called(self, text: str) -> None:
        return

    def browser_gone(self) -> None:
        return


class BrowserTrial:
    """Tries the browser a recording would use, without a window, on a profile below `home` that is deleted again.

    `run` finds it, starts it and attaches; `end` clears away what a trial that was cut short has left.
    """

    def __init__(self, home: Path, named: Path | None = None, arguments: Sequence[str] = ()) -> None:
        self._home = home
        self._named = named
        self._arguments = arguments
        self._folder: Path | None = None

    def run(self) -> Sequence[Finding]:
        """Return what was found."""
        try:
            chromium = require_chromium(self._named)
        except BrowserNotFound as error:
            return [Finding("browser", "fail", str(error), "a Chromium, Chrome or Edge", _INSTALL)]
        try:
            # Where a recording would have it: a confined browser may not write just anywhere.
            place = next(folder for folder in (self._home, *self._home.absolute().parents) if folder.is_dir())
            self._folder = Path(tempfile.mkdtemp(dir=place, prefix=".doctor-"))
            return _started(chromium, self._folder / "profile", self._arguments)
        except OSError as error:
            found = f"no browser profile can be made below {self._home}: {error.strerror or error}"
            return [Finding("browser", "fail", found, "a folder that can be written to", "choose another --home")]
        finally:
            self.end()

    def end(self) -> None:
        """End the browser and delete its profile, if they are still there."""
        if self._folder is not None and self._folder.exists():
            end_processes_on(self._folder / "profile")
            shutil.rmtree(self._folder, ignore_errors=True)


def version_finding(path: Path, said: Mapping[str, Any]) -> Finding:
    """Return what a browser's own words about itself mean.

    >>> version_finding(Path("chromium"), {"Browser": "Chrome/156.0.1"}).found
    'chromium starts, version 156.0.1'
    """
    version = str(said.get("Browser") or "").partition("/")[2]
    found = re.match(r"\d+", version)
    if found is None:
        return Finding("browser", "warn", f"{path} starts and does not say its version", f"version {OLDEST} or newer")
    if int(found[0]) < OLDEST:
        expected = f"version {OLDEST} or newer"
        return Finding("browser", "warn", f"{path} is of version {version}", expected, "bring the browser up to date")
    return Finding("browser", "ok", f"{path} starts, version {version}")


def _started(chromium: Chromium, profile: Path, arguments: Sequence[str]) -> Sequence[Finding]:
    try:
        running = start_browser(chromium, profile, headless=True, arguments=arguments, seconds=START_SECONDS)
    except UserError as error:
        # Here no other browser has the profile: one that leaves without an error is none.
        said = str(error) if isinstance(error, BrowserNotFound) else f"{chromium.path} left at once, without an error"
        mend = f"start it by hand to see what it says: '{chromium.path}' --version; or {_INSTALL}"
        verdict = verdict_of_late() if isinstance(error, BrowserLate) else "fail"
        return [Finding("browser", verdict, said, "a browser that starts", mend)]
    try:
        said = httpx2.get(f"{running.devtools}/json/version", timeout=2, trust_env=False).json()
        found = [version_finding(chromium.path, said if isinstance(said, dict) else {})]
        if chromium.headless_only:
            words = f"{chromium.path} can show no window: it is enough for scripts"
            found.append(Finding("browser", "warn", words, "a browser with a window", _INSTALL))
        return [*found, _attached(running)]
    except (httpx2.HTTPError, ValueError) as error:
        found_words = f"{chromium.path} starts, but its DevTools do not answer ({error})"
        return [Finding("browser", "fail", found_words, "an answer", "look for a firewall that guards 127.0.0.1")]
    finally:
        stop_browser(running, seconds=2)


def _attached(running: BrowserProcess) -> Finding:
    try:
        asyncio.run(_attach(running.devtools))
    except BrowserNotFound as error:
        return Finding("recorder", "fail", str(error), "a driver that runs", "see what the sentence names")
    except (IncompleteError, UserError) as error:
        found = f"cannot attach to the browser: {error}"
        return Finding("recorder", "fail", found, "an attached browser", "pip install --upgrade playwright")
    except TimeoutError:
        found = f"did not attach to the browser within {ATTACH_SECONDS:g} seconds"
        return Finding("recorder", verdict_of_late(), found, "an attached browser", "try again when less runs here")
    return Finding("recorder", "ok", "attaches to the browser and lets it go again")


async def _attach(devtools: str) -> None:
    driver_environment()
    async with asyncio.timeout(ATTACH_SECONDS):
        attached = await AttachedBrowser.attach(devtools, _Silent())
    await attached.close()
