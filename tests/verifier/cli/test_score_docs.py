"""The section of the docs about scoring does what it shows, also where no browser can walk all of them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from tests.journeys.doc_pages import Command, fits, read_steps

ROOT = Path(__file__).parents[3]
STEPS = list(read_steps(ROOT / "docs" / "researcher.md", after="Score answers you already have", before="Scores"))


def typed(command: Command, folder: Path) -> str:
    """Type a command into a shell; return what it prints."""
    line = command.line
    if line.startswith("trailbench "):
        line = line.replace(
            "trailbench", f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)} -m exports", 1
        )
    done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), command.line
    return done.stdout


def test_every_command_shows_what_the_docs_say(tmp_path: Path) -> None:
    assert len(STEPS) == 6
    for step in STEPS:
        assert isinstance(step, Command)
        printed = typed(step, tmp_path)
        assert fits(step.output, printed), f"$ {step.line}\n{printed}"
