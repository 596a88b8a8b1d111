"""Approved tasks and a page store come in, a release folder goes out: the same contents give the same bytes.

The folder is built beside its place and renamed, so that a release is there whole or not at all.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from browser_capture.errors import RecordError
from browser_capture.json_records import Record, dumps, from_json, sha256, to_json
from browser_capture.page_store import PageStore
from browser_capture.version import VERSION
from exports.benchmark import layout
from exports.benchmark.canary import canary_line, release_canary, task_canary
from exports.benchmark.card import card_text
from exports.benchmark.identity import release_id
from exports.benchmark.manifest import ReleaseFile, ReleaseManifest, ReleaseTask
from exports.benchmark.pages import Web, copy_pages
from exports.benchmark.release_content import ReleaseTaskContent, snapshots_of
from exports.errors import ReleaseRefused

log = logging.getLogger(__name__)


def write_release(
    contents: Sequence[ReleaseTaskContent],
    store: PageStore,
    folder: Path,
    *,
    name: str,
    project: str,
    created_at: str,
    web: Web = "full",
) -> ReleaseManifest:
    """Write a release and return its manifest.

    A folder that already holds a release of this name and project is replaced. Raises ReleaseRefused when there is
    no name or nothing to write, a task comes twice or has no answer, or the folder holds anything else.
    """
    ordered = tuple(sorted(contents, key=lambda content: content.task.task_id))
    if not name.strip():
        raise ReleaseRefused("the release has no name; give one, such as demo-1")
    _refuse_unfit(ordered)
    _refuse_foreign(folder, name, project)
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        manifest = _build(ordered, store, building, name=name, project=project, created_at=created_at, web=web)
        _put_in_place(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    log.info("wrote release %s with %d tasks", manifest.release_id, len(manifest.tasks))
    return manifest


def _build(
    contents: Sequence[ReleaseTaskContent],
    store: PageStore,
    folder: Path,
    *,
    name: str,
    project: str,
    created_at: str,
    web: Web,
) -> ReleaseManifest:
    folder.chmod(0o755)  # a temporary folder is private; a release is for others to read
    canary = release_canary(project, _record_lines(contents))
    marked = [_with_canary(content, canary) for content in contents]
    pages = {page for content in marked for trajectory in content.trajectories for page in snapshots_of(trajectory)}
    blobs = copy_pages(pages, store, PageStore(folder / layout.PAGES), web)
    counts = _counts(marked, len(pages))
    files = [
        _write_records(folder, layout.TASKS, canary, [content.task for content in marked]),
        _write_records(folder, layout.ANSWERS, canary, [one for content in marked for one in content.answers]),
        _write_records(
            folder, layout.TRAJECTORIES, canary, [one for content in marked for one in content.trajectories]
        ),
        _write_records(folder, layout.REPORTS, canary, [one for content in marked for one in content.reports]),
        _write_lines(folder, layout.BLOBS, canary, [dumps(blob._asdict()) for blob in blobs]),
        _write(folder, layout.README, card_text(project, created_at, canary, web, counts)),
    ]
    draft = ReleaseManifest(
        name=name,
        release_id="",
        created_at=created_at,
        trailbench=VERSION,
        project=project,
        files=tuple(sorted(files, key=lambda file: file.path)),
        tasks=tuple(_task_entry(content) for content in marked),
        counts=counts,
        canary=canary,
        web=web,
    )
    manifest = replace(draft, release_id=release_id(draft))
    _write(folder, layout.MANIFEST, json.dumps(to_json(manifest), indent=2, sort_keys=True) + "\n")
    return manifest


def _refuse_unfit(contents: Sequence[ReleaseTaskContent]) -> None:
    if not contents:
        raise ReleaseRefused("no task is approved, so there is nothing to release; approve a task first")
    counted = Counter(content.task.task_id for content in contents)
    if twice := [task_id for task_id, times in counted.items() if times > 1]:
        raise ReleaseRefused(f"task {twice[0]} comes twice; a release holds one version of each task")
    if bare := [content.task.task_id for content in contents if not content.answers]:
        raise ReleaseRefused(f"task {bare[0]} has no approved answer; approve one or leave the task out")


def _refuse_foreign(folder: Path, name: str, project: str) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ReleaseRefused(f"{folder} is a file; name a folder for the release")
    if not any(folder.iterdir()):
        return
    try:
        found = from_json(ReleaseManifest, json.loads((folder / layout.MANIFEST).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecordError) as error:
        raise ReleaseRefused(f"{folder} already holds something that is no release; choose an empty folder") from error
    if (found.name, found.project) != (name, project):
        raise ReleaseRefused(
            f"{folder} holds release {found.name!r} of project {found.project!r}, not {name!r} of {project!r}; "
            "choose another folder"
        )


def _put_in_place(building: Path, folder: Path) -> None:
    if not folder.exists():
        os.rename(building, folder)
        return
    old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-old-"))
    os.rename(folder, old / "release")
    try:
        os.rename(building, folder)
    except OSError:
        os.rename(old / "release", folder)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _record_lines(contents: Iterable[ReleaseTaskContent]) -> Iterable[str]:
    for content in contents:
        records: list[Record] = [content.task, *content.answers, *content.trajectories, *content.reports]
        for record in records:
            yield dumps(to_json(record))


def _with_canary(content: ReleaseTaskContent, canary: str) -> ReleaseTaskContent:
    task = replace(content.task, canary=task_canary(canary, content.task.task_id))
    return ReleaseTaskContent(
        task=task,
        answers=tuple(sorted(content.answers, key=lambda answer: answer.version)),
        trajectories=tuple(sorted(content.trajectories, key=lambda trajectory: trajectory.id)),
        reports=tuple(sorted(content.reports, key=lambda report: (report.answer_version, report.created_at))),
    )


def _task_entry(content: ReleaseTaskContent) -> ReleaseTask:
    task = content.task
    return ReleaseTask(
        task_id=task.task_id,
        version=task.version,
        answers=tuple(answer.version for answer in content.answers),
        type=task.answer_format.type if task.answer_format else task.kind,
        temporal=task.temporal,
        topic=task.topic,
        trajectories=tuple(trajectory.id for trajectory in content.trajectories),
    )


def _counts(contents: Sequence[ReleaseTaskContent], pages: int) -> dict[str, int]:
    return {
        "tasks": len(contents),
        "answers": sum(len(content.answers) for content in contents),
        "trajectories": sum(len(content.trajectories) for content in contents),
        "reports": sum(len(content.reports) for content in contents),
        "pages": pages,
    }


def _write_records(folder: Path, path: str, canary: str, records: Sequence[Record]) -> ReleaseFile:
    return _write_lines(folder, path, canary, [dumps(to_json(record)) for record in records])


def _write_lines(folder: Path, path: str, canary: str, lines: Sequence[str]) -> ReleaseFile:
    text = "".join(f"{line}\n" for line in [canary_line(canary), *lines])
    return replace(_write(folder, path, text), records=len(lines))


def _write(folder: Path, path: str, text: str) -> ReleaseFile:
    data = text.encode()
    with (folder / path).open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return ReleaseFile(path=path, sha256=sha256(data), bytes=len(data))
