"""Reading a release: what was written comes back, what was changed is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from browser_capture.page_store import PageStore
from exports.benchmark.reader import Release, find_strangers, load_release, read_manifest
from exports.errors import ReleaseDamaged, ReleaseNotFound, UnknownTask
from tests.exports import small_release


def test_records_come_back_as_written(release: Release, store: PageStore) -> None:
    written = small_release.contents(store)
    assert [answer for content in written for answer in content.answers] == list(release.answers)
    assert [task.question for task in release.tasks] == [content.task.question for content in written]


def test_recordings_are_found_by_task(release: Release) -> None:
    assert [trajectory.task for trajectory in release.trajectories_of("2-set")] == ["2-set"]
    assert release.trajectory("unknown") is None


def test_every_task_has_its_own_canary(release: Release) -> None:
    assert len({task.canary for task in release.tasks} - {""}) == len(release.tasks)


def test_unknown_task_names_those_there_are(release: Release) -> None:
    with pytest.raises(UnknownTask, match=r"'99'.*1-item"):
        release.task("99")


def _append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


@pytest.mark.parametrize("name", ["tasks.jsonl", "answers.jsonl", "trajectories.jsonl", "reports.jsonl", "README.md"])
@pytest.mark.parametrize(("change", "says"), [(_append, "was changed"), (Path.unlink, "is missing")])
def test_changed_file_is_refused_by_name(
    release_folder: Path, name: str, change: Callable[[Path], None], says: str
) -> None:
    change(release_folder / name)
    with pytest.raises(ReleaseDamaged, match=f"{name} {says}"):
        load_release(release_folder)


@pytest.mark.parametrize(
    ("change", "says"), [(lambda path: path.write_bytes(b"other"), "was changed"), (Path.unlink, "is missing")]
)
def test_changed_page_is_refused_by_name(release_folder: Path, change: Callable[[Path], None], says: str) -> None:
    blob = sorted((release_folder / "pages").rglob("*.zst"))[0]
    change(blob)
    with pytest.raises(ReleaseDamaged, match=f"{blob.name} {says}"):
        load_release(release_folder)


def test_changed_manifest_is_refused(release_folder: Path) -> None:
    path = release_folder / "manifest.json"
    path.write_text(path.read_text().replace('"stable"', '"live"', 1))
    with pytest.raises(ReleaseDamaged, match=r"manifest\.json was changed"):
        load_release(release_folder)


def test_many_damaged_files_are_counted(release_folder: Path) -> None:
    for blob in (release_folder / "pages").rglob("*.zst"):
        blob.unlink()
    with pytest.raises(ReleaseDamaged, match=r"and \d+ more"):
        load_release(release_folder)


@pytest.mark.parametrize(
    ("text", "says"), [(None, "no release"), ("{", "cannot be read"), ('{"schema": "x/1"}', "cannot be read")]
)
def test_what_is_no_release_is_named(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ReleaseNotFound, match=says):
        load_release(tmp_path)


def test_stranger_is_found(release_folder: Path) -> None:
    (release_folder / "notes.txt").write_text("mine")
    assert find_strangers(release_folder, read_manifest(release_folder)) == ("notes.txt",)
