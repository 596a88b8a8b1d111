"""Writing a release: whole, the same bytes each time, never over something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from browser_capture.errors import IncompleteError
from browser_capture.page_store import PageStore
from exports.benchmark.pages import Web
from exports.benchmark.release_content import ReleaseTaskContent, newest_moment, snapshots_of
from exports.benchmark.writer import write_release
from exports.errors import ReleaseRefused
from tests.exports import small_release

Unfit = Callable[[ReleaseTaskContent], list[ReleaseTaskContent]]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_same_contents_give_same_bytes(tmp_path: Path, store: PageStore) -> None:
    small_release.write(tmp_path / "one", store)
    small_release.write(tmp_path / "two", store, list(reversed(small_release.contents(store))))
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "two")


def test_release_id_does_not_depend_on_the_name(tmp_path: Path, store: PageStore) -> None:
    ids = {
        write_release(
            small_release.contents(store), store, tmp_path / name, name=name, project="coast", created_at="2026-11-28"
        ).release_id
        for name in ("one", "two")
    }
    assert len(ids) == 1


def test_only_pages_of_the_recordings_are_released(tmp_path: Path, store: PageStore) -> None:
    foreign = small_release.put(store, "https://elsewhere.example/", "Not part of any recording")
    small_release.write(tmp_path / "release", store)
    pages = PageStore(tmp_path / "release" / "pages")
    named = {page for content in small_release.contents(store) for page in snapshots_of(content.trajectories[0])}
    assert named <= set(pages.shas())
    assert not pages.has(foreign.id)


def test_every_file_holds_the_canary(tmp_path: Path, store: PageStore) -> None:
    manifest = small_release.write(tmp_path / "release", store)
    texts = [(tmp_path / "release" / file.path).read_text() for file in manifest.files]
    assert manifest.canary
    assert all(manifest.canary in text for text in texts)


@pytest.mark.parametrize(("web", "kept"), [("text", True), ("pointers", False)])
def test_form_of_the_web_decides_what_is_kept(tmp_path: Path, store: PageStore, web: Web, kept: bool) -> None:
    contents = small_release.contents(store)
    write_release(contents, store, tmp_path / "r", name="r", project="p", created_at="", web=web)
    snapshot = contents[0].trajectories[0].snapshots[0]
    pages = PageStore(tmp_path / "r" / "pages")
    assert pages.has(snapshot.id)
    assert pages.has(snapshot.text_sha) is kept


def test_own_release_is_replaced(tmp_path: Path, store: PageStore) -> None:
    first = small_release.write(tmp_path / "release", store)
    changed = small_release.contents(store)
    changed[0] = small_release.with_rows(changed[0], (("1848",),))
    second = small_release.write(tmp_path / "release", store, changed)
    assert first.release_id != second.release_id
    assert sorted(path.name for path in tmp_path.iterdir()) == ["release", "store"]


def test_foreign_folder_is_left_alone(tmp_path: Path, store: PageStore) -> None:
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "thesis.txt").write_text("years of work")
    with pytest.raises(ReleaseRefused, match="no release"):
        small_release.write(tmp_path / "release", store)
    assert (tmp_path / "release" / "thesis.txt").read_text() == "years of work"


def test_release_of_another_name_is_left_alone(release_folder: Path, store: PageStore) -> None:
    before = _bytes(release_folder)
    with pytest.raises(ReleaseRefused, match="'small' of project 'coast'"):
        write_release(
            small_release.contents(store), store, release_folder, name="other", project="coast", created_at=""
        )
    assert _bytes(release_folder) == before


def test_missing_page_leaves_no_half_release(tmp_path: Path, store: PageStore) -> None:
    contents = small_release.contents(store)
    store.delete(contents[0].trajectories[0].snapshots[0].text_sha)
    with pytest.raises(IncompleteError, match="has no blob"):
        small_release.write(tmp_path / "release", store, contents)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store"]


@pytest.mark.parametrize(
    ("unfit", "says"),
    [
        (lambda good: [], "no task is approved"),
        (lambda good: [good, good], "comes twice"),
        (lambda good: [ReleaseTaskContent(task=good.task, answers=())], "no approved answer"),
    ],
)
def test_unfit_contents_are_refused(tmp_path: Path, store: PageStore, unfit: Unfit, says: str) -> None:
    contents = unfit(small_release.contents(store)[0])
    with pytest.raises(ReleaseRefused, match=says):
        write_release(contents, store, tmp_path / "release", name="n", project="p", created_at="")


def test_release_without_a_name_is_refused(tmp_path: Path, store: PageStore) -> None:
    with pytest.raises(ReleaseRefused, match="has no name; give one"):
        write_release(small_release.contents(store), store, tmp_path / "r", name=" ", project="p", created_at="")
    assert not (tmp_path / "r").exists()


def test_release_is_dated_by_its_newest_record(store: PageStore) -> None:
    assert newest_moment(tuple(small_release.contents(store))) == small_release.NOON
