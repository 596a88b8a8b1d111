"""The draft of an answer on this machine's disk, while the server does not have it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from browser_capture.folders import make_private

FOLDER = "drafts"


def kept_drafts(home: Path) -> Iterator[str]:
    """Yield the tasks for which a draft is kept on this machine, by the names of their files."""
    yield from sorted(path.stem for path in (home / FOLDER).glob("*.json"))


class KeptDraft:
    """The draft of one task. `text` is the answer as it was typed; the panel knows what the rest says."""

    def __init__(self, home: Path, task: str) -> None:
        self.path = home / FOLDER / f"{re.sub(r'[^A-Za-z0-9-]', '_', task)[:80]}.json"

    def keep(self, text: str, origins: Sequence[Any], base: int | None) -> None:
        """Keep a draft. Without `base`, it is upon the same saved version as the one kept before. Raises OSError."""
        before = self.read() or {}
        known = base is not None
        draft = {
            "text": text,
            "origins": list(origins) if known else before.get("origins", []),
            "base": base if known else before.get("base", 0),
        }
        make_private(self.path.parent)
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(draft), encoding="utf-8")
        os.replace(temporary, self.path)

    def read(self) -> dict[str, Any] | None:
        """Return what is kept; None for nothing, or nothing that can be read."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) and isinstance(found.get("text"), str) else None

    def drop(self) -> None:
        """Forget it: the server has it. Raises OSError."""
        self.path.unlink(missing_ok=True)
        if self.path.parent.is_dir() and not any(self.path.parent.iterdir()):
            self.path.parent.rmdir()
