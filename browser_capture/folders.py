"""Where this machine keeps what belongs to one person: the recordings not yet sent, and what can be fetched again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HOME_VARIABLE = "TRAILBENCH_CAPTURE_HOME"
PROFILE = "profile"
"""The folder of the capture browser's own profile, in the home; also what recorders claim."""


def capture_home(given: Path | None = None) -> Path:
    """Return the folder of credentials, profile and spool: as given, else as the environment or the platform says."""
    named = os.environ.get(HOME_VARIABLE)
    return given or (Path(named) if named else _data_folder() / "trailbench")


def cache_folder() -> Path:
    """Return the folder of what may be thrown away and fetched again."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "trailbench"
    if sys.platform == "win32":
        return _data_folder() / "trailbench" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trailbench"


def make_private(folder: Path) -> Path:
    """Make a folder that only its owner may enter, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder


def _data_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
