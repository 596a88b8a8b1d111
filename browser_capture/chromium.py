"""Finds a Chromium on this machine, or gets one, and says which: `python -m browser_capture.chromium`.

Looked for in this order: what the person named, the PATH, the platform's usual places, Playwright's own cache, a shell
fetched earlier. A browser of the Chromium family is enough; recordings always use a profile of their own.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from browser_capture.chromium_fetch import (
    STEPS,
    driver_environment,
    headless_shell_folder,
    shell_environment,
)
from browser_capture.errors import BrowserNotFound

VARIABLE = "TRAILBENCH_CHROMIUM"

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "msedge",
)
_MAC_APPS = ("Chromium", "Google Chrome", "Microsoft Edge")
_WINDOWS_PLACES = (
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
_CACHE_PATTERNS = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chromium:
    """A browser that can be started. `environment` is what it needs beside the usual one."""

    path: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    headless_only: bool = False


def find_chromium(named: Path | None = None) -> Chromium | None:
    """Return a browser of this machine, None when there is none.

    Raises BrowserNotFound when one was named, here or in the environment, and is not there.
    """
    wish = named or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if wish is not None:
        return Chromium(path=_named(wish, "--browser" if named else VARIABLE))
    place = next(_usual_places(), None)
    if place is not None:
        return Chromium(path=place)
    shell = headless_shell_folder() / "chromium"
    if shell.is_file():
        return Chromium(path=shell, environment=shell_environment(shell.parent), headless_only=True)
    return None


def require_chromium(named: Path | None = None) -> Chromium:
    """Return a browser of this machine. Raises BrowserNotFound with what to do when there is none."""
    found = find_chromium(named)
    if found is None:
        raise BrowserNotFound(
            f"found no Chromium, Chrome or Edge; install one (Debian: apt-get install chromium), or name it with "
            f"--browser or {VARIABLE}, or run: {Path(sys.executable).name} -m browser_capture.chromium"
        )
    return found


def get_chromium(named: Path | None = None) -> Chromium:
    """Return a browser of this machine, fetched where there is none. Raises BrowserNotFound with what was tried."""
    found = find_chromium(named)
    tried: list[str] = []
    for step in STEPS:
        if found is not None:
            return found
        tried.append(step())
        log.info("looking for a browser: %s", tried[-1])
        found = find_chromium()
    if found is not None:
        return found
    raise BrowserNotFound(
        f"found no Chromium and could not get one ({'; '.join(tried)}). "
        f"Install Chromium, Chrome or Edge, or set {VARIABLE} to its path"
    )


def main() -> int:
    """Find or get a browser, see that Playwright's driver runs, print the browser's path; 2 when it cannot be."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        found = get_chromium()
        driver_environment(cure=True)
    except BrowserNotFound as error:
        print(f"Error: {error}", file=sys.stderr)
        return error.exit_code
    print(found.path)
    return 0


def _named(wish: Path, by: str) -> Path:
    found = shutil.which(str(wish))
    if found is None:
        raise BrowserNotFound(f"{by} names {wish}, which is no program that can be started")
    return Path(found)


def _usual_places() -> Iterator[Path]:
    for name in _NAMES:
        if (found := shutil.which(name)) is not None:
            yield Path(found)
    if sys.platform == "darwin":
        apps = (Path("/Applications"), Path.home() / "Applications")
        yield from _files(folder / f"{app}.app" / "Contents" / "MacOS" / app for app in _MAC_APPS for folder in apps)
    if sys.platform == "win32":
        roots = [os.environ[key] for key in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA") if key in os.environ]
        yield from _files(Path(root, place) for place in _WINDOWS_PLACES for root in roots)
    cache = _playwright_cache()
    yield from _files(place for pattern in _CACHE_PATTERNS for place in sorted(cache.glob(pattern), reverse=True))


def _files(places: Iterator[Path]) -> Iterator[Path]:
    return (place for place in places if place.is_file() and os.access(place, os.X_OK))


def _playwright_cache() -> Path:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named and named != "0":
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path.home() / ".cache" / "ms-playwright"


if __name__ == "__main__":
    sys.exit(main())
