"""The folder of a run: its plan and its attempts. A folder belongs to one plan; the same plan resumes in it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from browser_capture.errors import RecordError
from browser_capture.json_records import from_json, to_json
from exports.errors import RunFolderTaken
from exports.evaluation.plan import RunPlan, identity
from verifier.attempts.store import AttemptStore

PLAN = "run.json"
ATTEMPTS = "attempts"
SCORES = "scores.json"


def open_run(folder: Path, plan: RunPlan) -> AttemptStore:
    """Return the attempts of a run, in a new folder or in the one the same plan began.

    Raises RunFolderTaken when the folder holds something else, saying what differs.
    """
    if folder.exists() and not folder.is_dir():
        raise RunFolderTaken(f"{folder} is a file; name a folder for the run")
    if (folder / PLAN).exists():
        _refuse_other(folder, read_plan(folder), plan)
    elif folder.exists() and any(folder.iterdir()):
        raise RunFolderTaken(f"{folder} already holds something that is no run; choose an empty folder")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / PLAN, json.dumps(to_json(plan), indent=2, sort_keys=True) + "\n")
    return AttemptStore(folder / ATTEMPTS)


def read_plan(folder: Path) -> RunPlan:
    """Return the plan of a run. Raises RunFolderTaken when the folder holds no run, or none that can be read."""
    try:
        return from_json(RunPlan, json.loads((folder / PLAN).read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        raise RunFolderTaken(f"{folder} holds no run: it has no {PLAN}") from None
    except (ValueError, RecordError) as error:
        raise RunFolderTaken(f"{folder / PLAN} cannot be read as a run: {error}") from error


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _refuse_other(folder: Path, found: RunPlan, asked: RunPlan) -> None:
    ours, theirs = identity(asked), identity(found)
    if differing := [name for name in ours if ours[name] != theirs[name]]:
        raise RunFolderTaken(
            f"{folder} holds run {found.run_id} with other {', '.join(differing)}; choose another folder, "
            "or give the command that began it to resume"
        )
