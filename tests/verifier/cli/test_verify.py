"""`trailbench verify` on files: the verdict is printed, the exit code says who acts next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from browser_capture.json_records import Record, to_json
from exports.cli.root import run
from tests.verifier.builders import gold, one_column, page_store, recording, task
from tests.verifier.scripted_server import Answer, fails, says, scripted

Capture = pytest.CaptureFixture[str]

MOONS = one_column("set", column_type="text")
TASK = task("Which moons of Saturn were found by Huygens?", MOONS)


def write(path: Path, record: Record) -> str:
    path.write_text(json.dumps(to_json(record)), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The arguments that name a task and its answer, Titan."""
    task_file = write(tmp_path / "task.json", TASK)
    return ["--task", task_file, "--answer", write(tmp_path / "answer.json", gold(["Titan"]))]


@pytest.fixture
def recorded(tmp_path: Path) -> list[str]:
    """The arguments that name a recording in which Titan was read about."""
    trajectory = recording(page_store(tmp_path), {"https://a.example/titan": ("Titan", "Titan was found by Huygens.")})
    return ["--trajectory", write(tmp_path / "trajectory.json", trajectory), "--pages", str(tmp_path / "pages")]


def test_a_fair_task_exits_with_0(files: list[str], recorded: list[str], capsys: Capture) -> None:
    assert run(["verify", "task", *files, *recorded]) == 0
    assert "1 of 1 cells proven; verdict pass" in capsys.readouterr().out


def test_a_failing_task_exits_with_4_and_names_the_check(
    files: list[str], recorded: list[str], tmp_path: Path, capsys: Capture
) -> None:
    files[3] = write(tmp_path / "other.json", gold(["Iapetus"]))
    assert run(["verify", "task", *files, *recorded]) == 4
    shown = capsys.readouterr()
    assert "no recorded page holds this value" in shown.out
    assert shown.err == "Error: task t fails: solvability\n"


def test_json_is_a_report_record(files: list[str], recorded: list[str], tmp_path: Path, capsys: Capture) -> None:
    assert run(["verify", "task", *files, *recorded, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "report/1"
    run(["verify", "task", *files, *recorded, "--json", str(tmp_path / "report.json")])
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "pass"


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (says("<answer>\n```tsv\nItem\nTitan\n```\n</answer>"), 4, "the question measures memory"),
        (says("no idea"), 0, ""),
        (fails(503, "busy"), 3, "was not checked"),
        (fails(401, "bad key"), 2, "check the API key"),
    ],
)
def test_memorization_exits_by_its_verdict(
    files: list[str], capsys: Capture, answer: Answer, code: int, message: str
) -> None:
    with scripted(answer) as server:
        arguments = ["--base-url", server.base_url, "--model", "scripted", "--tries", "2"]
        assert run(["verify", "memorization", *files, *arguments]) == code
    assert message in capsys.readouterr().err


def damage(files: list[str], tmp_path: Path, kind: str) -> list[str]:
    bad = tmp_path / "bad.json"
    bad.write_text({"no json": "{", "other record": "{}", "no text": "\x00"}.get(kind, ""), encoding="utf-8")
    other_task = gold(["Titan"])
    if kind == "other task":
        write(bad, type(other_task)(task_id="u", task_version=1, version=1, valid_from="2026-01-01"))
    return [*files[:3], str(tmp_path / "nowhere.json" if kind == "missing" else bad)]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("missing", "cannot read"),
        ("no json", "is no JSON file"),
        ("other record", "expected a record with schema 'answer/1'"),
        ("other task", "answers task 'u'"),
    ],
)
def test_a_bad_file_is_one_sentence_and_exit_2(
    files: list[str], tmp_path: Path, capsys: Capture, kind: str, message: str
) -> None:
    assert run(["verify", "task", *damage(files, tmp_path, kind)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_missing_pages_folder_is_named(
    files: list[str], recorded: list[str], tmp_path: Path, capsys: Capture
) -> None:
    assert run(["verify", "task", *files, *recorded[:3], str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_key_that_is_not_set_is_named(files: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    arguments = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--api-key-env", "SOME_KEY"]
    assert run(["verify", "memorization", *files, *arguments]) == 2
    assert "SOME_KEY is not set" in capsys.readouterr().err
