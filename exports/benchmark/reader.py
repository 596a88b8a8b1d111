"""A release folder comes in, its records and its pages go out, after every file was checked against the manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from browser_capture.errors import IncompleteError, RecordError
from browser_capture.json_records import Record, from_json, sha256
from browser_capture.page_store import PageStore
from browser_capture.trajectory import Trajectory
from exports.benchmark import layout
from exports.benchmark.identity import release_id
from exports.benchmark.manifest import ReleaseFile, ReleaseManifest
from exports.errors import ReleaseDamaged, ReleaseNotFound, UnknownTask
from verifier.answers.answer_version import AnswerVersion
from verifier.report import VerificationReport
from verifier.tasks import Task

NAMED_AT_MOST = 5
"""How many damaged files a message names; the check lists all."""

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Release:
    """A release in memory; pages stay in the store."""

    folder: Path
    manifest: ReleaseManifest
    tasks: tuple[Task, ...]
    answers: tuple[AnswerVersion, ...]
    trajectories: tuple[Trajectory, ...]
    reports: tuple[VerificationReport, ...]
    store: PageStore

    def task(self, task_id: str) -> Task:
        """Return a task. Raises UnknownTask, naming some that are there."""
        for task in self.tasks:
            if task.task_id == task_id:
                return task
        known = ", ".join(task.task_id for task in self.tasks[:NAMED_AT_MOST])
        raise UnknownTask(f"release {self.manifest.name} has no task {task_id!r}; it has {known}")

    def answers_of(self, task_id: str) -> tuple[AnswerVersion, ...]:
        """Return the answer versions of a task, oldest first."""
        return tuple(answer for answer in self.answers if answer.task_id == task_id)

    def trajectories_of(self, task_id: str) -> tuple[Trajectory, ...]:
        """Return the recordings of a task."""
        return tuple(self._by_id[name] for name in self._recordings.get(task_id, ()))

    def trajectory(self, trajectory_id: str | None) -> Trajectory | None:
        """Return a recording by its id, None when the release does not hold it."""
        return self._by_id.get(trajectory_id or "")

    @cached_property
    def _by_id(self) -> dict[str, Trajectory]:
        return {trajectory.id: trajectory for trajectory in self.trajectories}

    @cached_property
    def _recordings(self) -> dict[str, tuple[str, ...]]:
        return {entry.task_id: entry.trajectories for entry in self.manifest.tasks}


def load_release(folder: Path) -> Release:
    """Read a release after checking every hash.

    Raises ReleaseNotFound when the folder holds none, and ReleaseDamaged, naming the files, when one is missing or
    was changed.
    """
    manifest = read_manifest(folder)
    if problems := find_damage(folder, manifest):
        more = f" (and {len(problems) - NAMED_AT_MOST} more)" if len(problems) > NAMED_AT_MOST else ""
        raise ReleaseDamaged(
            f"release {folder} is damaged: {'; '.join(problems[:NAMED_AT_MOST])}{more}. Fetch or export it again"
        )
    return Release(
        folder=folder,
        manifest=manifest,
        tasks=tuple(_records(folder / layout.TASKS, Task)),
        answers=tuple(_records(folder / layout.ANSWERS, AnswerVersion)),
        trajectories=tuple(_records(folder / layout.TRAJECTORIES, Trajectory)),
        reports=tuple(_records(folder / layout.REPORTS, VerificationReport)),
        store=PageStore(folder / layout.PAGES),
    )


def read_manifest(folder: Path) -> ReleaseManifest:
    """Return a release's manifest, unchecked against its files. Raises ReleaseNotFound when there is none."""
    path = folder / layout.MANIFEST
    try:
        return from_json(ReleaseManifest, json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ReleaseNotFound(f"{folder} is no release: it has no {layout.MANIFEST}; name a release folder") from None
    except NotADirectoryError:
        raise ReleaseNotFound(f"{folder} is a file, not a release folder") from None
    except (ValueError, RecordError) as error:
        raise ReleaseNotFound(
            f"{path} cannot be read as a release manifest: {error}. Fetch or export it again"
        ) from error


def find_damage(folder: Path, manifest: ReleaseManifest) -> tuple[str, ...]:
    """Return one sentence for each thing that is not as the manifest says; none for a sound release."""
    problems = list(_damaged_files(folder, manifest))
    if manifest.release_id != release_id(manifest):
        problems.append(f"{layout.MANIFEST} was changed")
    if not problems:
        # The list of blobs is itself such a file: only when it is sound can the blobs be held against it.
        problems.extend(_damaged_blobs(folder))
    return tuple(problems)


def find_strangers(folder: Path, manifest: ReleaseManifest) -> tuple[str, ...]:
    """Return the paths of files that stand in the folder and are no part of the release."""
    own = {layout.MANIFEST, *(file.path for file in manifest.files)}
    if (folder / layout.BLOBS).exists():
        own.update(layout.blob_path(blob["sha"]) for blob in _lines(folder / layout.BLOBS))
    found = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file())
    return tuple(path for path in found if path not in own)


def _damaged_files(folder: Path, manifest: ReleaseManifest) -> Iterator[str]:
    for file in manifest.files:
        if problem := _damage_of(folder, file):
            yield f"{file.path} {problem}"


def _damage_of(folder: Path, file: ReleaseFile) -> str | None:
    try:
        data = (folder / file.path).read_bytes()
    except FileNotFoundError:
        return "is missing"
    return None if sha256(data) == file.sha256 else "was changed"


def _damaged_blobs(folder: Path) -> Iterator[str]:
    store = PageStore(folder / layout.PAGES)
    for blob in _lines(folder / layout.BLOBS):
        try:
            store.get(blob["sha"])
        except IncompleteError:
            yield f"{layout.blob_path(blob['sha'])} is missing"
        except RecordError:
            yield f"{layout.blob_path(blob['sha'])} was changed"


def _records(path: Path, kind: type[R]) -> Iterator[R]:
    for data in _lines(path):
        yield from_json(kind, data)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        next(file)  # the canary line
        for line in file:
            yield json.loads(line)
