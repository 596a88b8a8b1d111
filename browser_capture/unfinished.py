"""Finds the recordings of this machine that were cut short, and says which of them a command means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from browser_capture.claims import holder
from browser_capture.errors import UserError
from browser_capture.log_lines import last_type, read_lines
from browser_capture.past import Past, read_past
from browser_capture.spool import About, is_stopped, read_about, spools


class Unfinished(NamedTuple):
    """A recording that was never stopped and that nobody works on."""

    about: About
    folder: Path

    def past(self) -> Past:
        """Read what a recorder needs to go on. Raises SpoolDamaged."""
        return read_past(read_lines(self.folder))


def unfinished(home: Path, server: str) -> list[Unfinished]:
    """Return the recordings for a server that were cut short, the one written to last at the end."""
    found = list[Unfinished]()
    for folder in spools(home):
        if last_type(folder) is None or is_stopped(folder) or holder(home, folder.name) is not None:
            continue
        try:
            about = read_about(folder)
        except UserError:
            continue
        if about.server == server:
            found.append(Unfinished(about, folder))
    return found


def stopped(home: Path) -> list[str]:
    """Return the recordings that were stopped and only wait to be sent."""
    return [folder.name for folder in spools(home) if last_type(folder) is not None and is_stopped(folder)]


def chosen(found: list[Unfinished], session: str | None, stopped: Sequence[str] = ()) -> Unfinished:
    """Return the recording that is meant. Raises UserError, with the choice, when none or several could be.

    One that was stopped does not go on; who asks for it reads so.
    """
    if session in stopped:
        raise UserError(f"recording {session} was stopped, not cut short; send it with: trailbench capture upload")
    if not found and stopped and session is None:
        raise UserError(
            f"no recording on this machine was cut short; stopped and not sent yet: {', '.join(stopped)}; "
            "send with: trailbench capture upload"
        )
    if not found:
        raise UserError("no recording on this machine was cut short; begin one: trailbench capture start TASK")
    meant = found if session is None else [item for item in found if item.about.session == session]
    if len(meant) == 1:
        return meant[0]
    names = ", ".join(f"{item.about.session} (task {item.about.task})" for item in found)
    if not meant:
        raise UserError(f"no recording {session!r} was cut short; there is: {names}")
    raise UserError(f"several recordings were cut short: {names}; name one: trailbench capture resume SESSION")
