"""The one folder a demo makes everything in. The next run may replace it, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

from browser_capture.errors import UserError

MARKER = ".trailbench-demo"
_MARK = {"made_by": "trailbench demo"}


class DemoFolder(NamedTuple):
    """Where the parts of a demo stand."""

    root: Path

    @property
    def server(self) -> Path:
        """The annotation server's home."""
        return self.root / "server"

    @property
    def capture(self) -> Path:
        """The annotator's spool and credentials."""
        return self.root / "capture"

    @property
    def release(self) -> Path:
        """The release."""
        return self.root / "release"

    @property
    def run(self) -> Path:
        """The agents' run."""
        return self.root / "run"

    @property
    def report(self) -> Path:
        """The report, one HTML file; the scores stand beside it."""
        return self.root / "report" / "report.html"

    @property
    def logs(self) -> Path:
        """What the started programs said."""
        return self.root / "logs"


def prepare_folder(root: Path) -> DemoFolder:
    """Make an empty demo folder, in place of an earlier demo's. Raises UserError when it holds anything else."""
    if root.exists() and not _is_ours(root):
        raise UserError(
            f"{root} holds something that is no trailbench demo, and a demo replaces its folder. "
            "Name another one with --folder, or move what is there."
        )
    try:
        if root.exists():
            shutil.rmtree(root)
        root.mkdir(parents=True)
        (root / MARKER).write_text(json.dumps(_MARK), encoding="utf-8")
        (root / "logs").mkdir()
    except OSError as error:
        raise UserError(
            f"The demo's folder {root} cannot be made: {error.strerror}. Name another with --folder."
        ) from error
    return DemoFolder(root)


def _is_ours(root: Path) -> bool:
    if not root.is_dir():
        return False
    return (root / MARKER).is_file() or not any(root.iterdir())
