"""Finds what a demo left running, by the folder its processes name."""

from __future__ import annotations

from pathlib import Path

import psutil


def processes_naming(folder: Path) -> set[int]:
    """Return the ids of the running processes that name a folder in their command line."""
    return {
        process.pid
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
        and any(str(folder) in argument for argument in process.info["cmdline"] or ())
    }
