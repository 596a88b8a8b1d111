"""From the annotation server's home folder to a release that the replay answers to the last cell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.benchmark.reader import load_release
from exports.cli.root import run
from tests.annotator_server import conftest as server

# The server's own fixtures, by name: a home with an answer handed in over its API.
empty_home = server.empty_home
sqlite_home = server.sqlite_home
home = server.home
app = server.app
client = server.client
sign_in_as = server.sign_in_as
actor_of = server.actor_of
token_of = server.token_of
a_ready_task = server.a_ready_task
a_claimed_task = server.a_claimed_task
a_recording = server.a_recording
a_submitted_answer = server.a_submitted_answer


def _export(home: Path, out: Path, project: str = "First") -> int:
    return run(["export", "release", "--server", str(home), "--project", project, "--name", "one", "--out", str(out)])


@pytest.fixture
def approved_home(home: Path, a_submitted_answer: str, sign_in_as: server.SignIn) -> Path:
    """The home of a server where one answer was approved in the form."""
    verdict = {"answer_version": "1", "do": "approve", "comment": "checked"}
    assert sign_in_as("rita").post(f"/reviews/{a_submitted_answer}/decide", data=verdict).status_code in (302, 303)
    return home


def test_approved_answer_is_released_and_replayed_to_the_last_cell(approved_home: Path, tmp_path: Path) -> None:
    assert _export(approved_home, tmp_path / "release") == 0
    agents = ["--agent", "replay-human", "--agent", "silent"]
    assert run(["eval", "run", "--release", str(tmp_path / "release"), *agents, "--out", str(tmp_path / "run")]) == 0
    replay, silent = json.loads((tmp_path / "run" / "scores.json").read_text())["agents"]
    assert (replay["exact"]["mean"], set(replay["matched"])) == (1.0, {"exact"})
    assert silent["exact"]["mean"] == 0.0


def test_exported_twice_it_is_the_same_bytes(approved_home: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        assert _export(approved_home, tmp_path / name) == 0
    assert _bytes(tmp_path / "first") == _bytes(tmp_path / "second")


def test_release_names_people_by_pseudonym_only(approved_home: Path, tmp_path: Path) -> None:
    _export(approved_home, tmp_path / "release")
    assert load_release(tmp_path / "release").answers[0].author == "p0"
    assert not any(b"ana@" in data for data in _bytes(tmp_path / "release").values())


def test_nothing_approved_is_said(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _export(home, tmp_path / "release") == 2
    assert "no task is approved" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "says"), [("Third", "no project 'Third'"), ("", "no project ''")])
def test_unknown_project_is_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    assert _export(home, tmp_path / "release", name) == 2
    assert says in capsys.readouterr().err


def test_home_that_is_no_server_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _export(tmp_path, tmp_path / "release") == 2
    assert "is not set up yet" in capsys.readouterr().err


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
