"""Finds a recording that lies on this machine by what a person calls it, and says in which state it is."""

from __future__ import annotations

from pathlib import Path

from browser_capture.claims import holder
from browser_capture.errors import SpoolDamaged, TrailbenchError, UserError
from browser_capture.log_lines import LINES, last_type
from browser_capture.spool import is_stopped, read_about, spools

SHORTEST = 4
"""Letters of a session's name that are enough where they are the beginning of one only."""


def find_recording(home: Path, name: str | None = None) -> Path:
    """Return the folder of a recording: by session, the beginning of one, its folder, or its task (the newest).

    Without a name it is the recording written to last. Raises UserError with the choice when none is meant.
    """
    kept = list(spools(home))
    if name is None:
        if not kept:
            raise UserError(
                f"no recording waits in {home}: it was sent and deleted here, or none was begun. "
                "(trailbench capture start TASK begins one, --home names another folder)"
            )
        return kept[-1]
    if not name.strip():
        raise UserError("a recording's name is missing; they stand in: trailbench capture status")
    same = [folder for folder in kept if folder.name == name]
    begins = [folder for folder in kept if folder.name.startswith(name)] if len(name) >= SHORTEST else []
    if same or len(begins) == 1:
        return (same or begins)[0]
    if begins:
        raise UserError(f"several recordings begin with {name!r}: {_named(begins)}")
    if (Path(name) / LINES).is_file():
        return Path(name)
    of_task = [folder for folder in kept if task_of(folder) == name]
    if of_task:
        return of_task[-1]
    if Path(name).is_dir():
        raise UserError(f"{name} is no recording: it has no {LINES}; expected a folder below {home / 'spool'}")
    there_is = f"there is: {_named(kept)}" if kept else f"none waits in {home} (what is on the server is no more here)"
    raise UserError(f"no recording {name!r} on this machine; {there_is}")


def state_of(home: Path, folder: Path) -> str:
    """Return where a recording stands: empty, being recorded, being sent, interrupted, or waits (for the upload)."""
    kind = last_type(folder)
    is_over = kind is None or is_stopped(folder)
    if holder(home, folder.name) is not None:
        return "being sent" if is_over and kind is not None else "being recorded"
    if kind is None:
        return "empty"
    return "waits" if is_over else "interrupted"


def task_of(folder: Path) -> str:
    """Return the task of a recording, a question mark where it cannot be read."""
    try:
        return read_about(folder).task
    except TrailbenchError:
        return "?"


def require_lines(folder: Path) -> None:
    """Raise SpoolDamaged when a recording's folder has no log at all."""
    if not (folder / LINES).is_file():
        raise SpoolDamaged(f"the recording in {folder} has no {LINES}; nothing of it can be shown or sent")


def _named(folders: list[Path]) -> str:
    return ", ".join(f"{folder.name} (task {task_of(folder)})" for folder in folders)
