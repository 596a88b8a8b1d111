"""An amount of rows comes in, a report page goes out, made by the commands a researcher uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from browser_capture.page_store import PageStore
from tests.exports import small_release

AGENTS = ("replay-human", "first-result", "silent")


def write_report(folder: Path, rows: int) -> Path:
    """Write a report about the small release: of an agent that said nothing, of three, of three and a long answer."""
    store = PageStore(folder / "store")
    contents = small_release.contents(store)
    if rows > 1:
        many = tuple((f"Light {number}", str(1700 + number % 300), f"{number % 60} m") for number in range(rows))
        contents[-1] = small_release.with_rows(contents[-1], many)
    small_release.write(folder / "release", store, contents)
    agents = [word for name in (AGENTS if rows else AGENTS[-1:]) for word in ("--agent", name)]
    release = ["--release", str(folder / "release")]
    report = folder / "report.html"
    _quietly("eval", "run", *release, *agents, "--out", str(folder / "run"))
    _quietly("eval", "report", str(folder / "run"), *release, "--out", str(report))
    return report


def _quietly(*words: str) -> None:
    # A process of its own: Playwright's event loop runs in ours, and a run needs one for itself.
    done = subprocess.run([sys.executable, "-m", "exports", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"trailbench {' '.join(words)} ended with {done.returncode}: {done.stderr}")
