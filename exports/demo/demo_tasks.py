"""The demo's tasks come out of their folders: the question, the answer set by hand, its proof, and a person's path.

A task's folder holds `task.json` (record task/1), `gold.csv` (the published layout: a header row only for tables),
`proof.json` (for each cell the page that proves it and the words it stands in) and `path.json` (what the scripted
annotator does in the browser). `README.md` beside the folders says what was judged how.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

from browser_capture.json_records import from_json
from verifier.tasks import Task

TASKS = Path(__file__).parent / "tasks"
WEBS = ("own", "real_docs")

Action = Literal["search", "click", "open_tab", "close_tab", "back", "reload", "type_address"]


class Step(NamedTuple):
    """One thing a person does. `url` is where it leads; `shows` is a text to wait for on a page a script fills."""

    do: Action
    url: str
    text: str = ""
    shows: str = ""


class Proof(NamedTuple):
    """Where a cell's value comes from. `quote` is the page's visible text; empty says that the page states nothing."""

    row: int
    column: str
    url: str
    quote: str


class DemoTask(NamedTuple):
    """A task of the demo with its answer; `rows` without the header row."""

    task: Task
    gold_csv: bytes
    proofs: tuple[Proof, ...]
    also_needed: tuple[str, ...]
    """Pages that no cell stands on but without which the answer cannot be known."""
    path: tuple[Step, ...]


def demo_tasks(web: str) -> tuple[DemoTask, ...]:
    """Return the tasks of a web, `own` or `real_docs`, by the names of their folders."""
    folders = sorted(path for path in (TASKS / web).iterdir() if path.is_dir())
    return tuple(read_demo_task(folder) for folder in folders)


def read_demo_task(folder: Path) -> DemoTask:
    """Read one task's folder."""
    proof = _json(folder / "proof.json")
    return DemoTask(
        task=from_json(Task, _json(folder / "task.json")),
        gold_csv=(folder / "gold.csv").read_bytes(),
        proofs=tuple(Proof(**cell) for cell in proof["cells"]),
        also_needed=tuple(proof["also_needed"]),
        path=tuple(Step(**step) for step in _json(folder / "path.json")),
    )


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
