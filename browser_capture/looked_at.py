"""Where the project asks for it, nothing leaves this machine before its person has looked at the recording.

`trailbench capture inspect` notes up to which event the person saw; the upload asks whether that is all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from browser_capture.log_lines import Line
from browser_capture.spool import KEPT_WHEN_FORGETTING, About

FILE = "inspected"
_FRAME = KEPT_WHEN_FORGETTING | {"visit_end"}
"""What the end of a recording adds by itself, and what shows nothing of what was seen."""


def asks_for_a_look(about: About) -> bool:
    """Tell whether the project of a recording wants it looked at before it leaves."""
    return isinstance(about.policy, Mapping) and about.policy.get("inspect_first") is True


def note_looked_at(folder: Path, seq: int) -> None:
    """Note that a person has seen the recording up to this event. Raises OSError."""
    temporary = folder / f"{FILE}.new"
    temporary.write_text(str(seq), encoding="ascii")
    os.replace(temporary, folder / FILE)


def must_be_looked_at(folder: Path, about: About, lines: Sequence[Line]) -> bool:
    """Tell whether a recording may not leave yet: the project asks for a look, and there is more than was seen."""
    if not asks_for_a_look(about):
        return False
    newest = max((line.event.seq for line in lines if line.event.type not in _FRAME), default=0)
    return newest > _looked_at(folder)


def look_first(session: str) -> str:
    """Return the sentence for who has to look first."""
    return (
        "this project asks you to look at a recording before it is sent: trailbench capture inspect "
        f"{session}, then trailbench capture upload"
    )


def _looked_at(folder: Path) -> int:
    try:
        return int((folder / FILE).read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return 0
