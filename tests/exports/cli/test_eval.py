"""`trailbench eval` from the outside: what it prints, leaves behind and returns, also when things go wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from browser_capture.page_store import PageStore
from exports.cli.root import run
from tests.exports import small_release
from tests.exports.model_server import ModelServer

ALL = ("replay-human", "first-result", "silent")


def _run(release: Path, out: Path, *more: str, agents: tuple[str, ...] = ALL) -> list[str]:
    chosen = [part for name in agents for part in ("--agent", name)]
    return ["eval", "run", "--release", str(release), *chosen, "--out", str(out), *more]


def _exact(out: Path) -> dict[str, float]:
    scores = json.loads((out / "scores.json").read_text())
    return {agent["agent"]: agent["exact"]["mean"] for agent in scores["agents"]}


def test_ceiling_is_one_and_silence_is_zero(release_folder: Path, tmp_path: Path) -> None:
    assert run(_run(release_folder, tmp_path / "run")) == 0
    exact = _exact(tmp_path / "run")
    assert (exact["replay-human"], exact["silent"]) == (1.0, 0.0)


def test_every_call_of_the_replay_is_exact(release_folder: Path, tmp_path: Path) -> None:
    run(_run(release_folder, tmp_path / "run", agents=("replay-human",)))
    agent = json.loads((tmp_path / "run" / "scores.json").read_text())["agents"][0]
    assert agent["matched"] == {"exact": 9}


@pytest.mark.parametrize(
    ("task", "rows"),
    [
        (0, (("1848",),)),
        (1, (("Oban",), ("Craignure",), ("Coll",), ("Mull",))),
        (2, (("青島灯台",), ("白浜岬灯台",))),
        (3, (("Outer Ness", "1811", "24 m"), ("Low Skerry", "1847", "31 m"), ("Tarn Head", "1903", "18 m"))),
    ],
)
def test_one_altered_gold_cell_is_seen(
    tmp_path: Path, store: PageStore, task: int, rows: tuple[tuple[str, ...], ...]
) -> None:
    contents = small_release.contents(store)
    contents[task] = small_release.with_rows(contents[task], rows)
    small_release.write(tmp_path / "altered", store, contents)
    run(_run(tmp_path / "altered", tmp_path / "run", agents=("replay-human",)))
    assert _exact(tmp_path / "run") == {"replay-human": 0.75}


def test_run_killed_in_the_middle_resumes_to_the_same_bytes(release_folder: Path, tmp_path: Path) -> None:
    settings = ("--epochs", "60", "--concurrency", "1")
    assert run(_run(release_folder, tmp_path / "whole", *settings)) == 0
    _stop_in_the_middle(_run(release_folder, tmp_path / "killed", *settings), tmp_path / "killed", signal.SIGKILL)
    assert not (tmp_path / "killed" / "scores.json").exists()
    assert run(_run(release_folder, tmp_path / "killed", *settings)) == 0
    assert (tmp_path / "killed" / "scores.json").read_bytes() == (tmp_path / "whole" / "scores.json").read_bytes()


def test_ctrl_c_keeps_what_is_done_and_resumes(release_folder: Path, tmp_path: Path) -> None:
    command = _run(release_folder, tmp_path / "run", "--epochs", "60", "--concurrency", "1")
    code, errors = _stop_in_the_middle(command, tmp_path / "run", signal.SIGINT)
    assert (code, "Traceback" in errors, "Interrupted" in errors) == (130, False, True)
    made = sum(agent["scored"] for agent in json.loads((tmp_path / "run" / "scores.json").read_text())["agents"])
    assert 0 < made < 480
    assert run(command) == 0


def test_failing_server_leaves_the_run_incomplete_until_it_is_back(
    release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer("<answer>\n```tsv\nValue\n1847\n```\n</answer>") as server:
        settings = ("--model", "small", "--base-url", server.address, "--task", "1-item")
        command = _run(release_folder, tmp_path / "run", *settings, agents=("model-only",))
        server.status = 503
        assert run(command) == 3
        assert "INCOMPLETE" in capsys.readouterr().err
        server.status = 200
        assert run(command) == 0
    assert _exact(tmp_path / "run") == {"model-only (small)": 1.0}


def test_refused_key_ends_the_run_in_one_sentence(
    release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer("never said") as server:
        server.status = 401
        settings = ("--model", "small", "--base-url", server.address)
        assert run(_run(release_folder, tmp_path / "run", *settings, agents=("model-only",))) == 2
    assert "check the API key" in capsys.readouterr().err


def test_model_is_asked_for_the_form_and_not_told_the_answer(release_folder: Path, tmp_path: Path) -> None:
    with ModelServer("") as server:
        settings = ("--model", "small", "--base-url", server.address, "--task", "4-table")
        run(_run(release_folder, tmp_path / "run", *settings, agents=("model-only",)))
    prompt = server.requests[0]["messages"][0]["content"]
    assert "Name <tab> Lit <tab> Height" in prompt
    assert "Outer Ness" not in prompt


def test_dry_run_makes_nothing(release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(_run(release_folder, tmp_path / "run", "--dry-run", "--epochs", "3", "--limit", "2")) == 0
    assert "18 attempts" in capsys.readouterr().out
    assert not (tmp_path / "run").exists()


def test_json_is_the_scores_and_nothing_else(
    release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(_run(release_folder, tmp_path / "run", "--json")) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "run" / "scores.json").read_text())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"--agent": "genius"}, "no agent 'genius'"),
        ({"--task": "99"}, "no task '99'"),
        ({"--release": "/nowhere"}, "no release"),
        ({"--epochs": "0"}, "not in the range"),
        ({"--out": __file__ + "/run"}, "Not a directory; name another place"),
        ({"--agent": "model-only", "--model": "m", "--base-url": "banana"}, "'banana' is no address"),
    ],
)
def test_mistake_is_one_sentence_and_exit_2(
    release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, str], says: str
) -> None:
    settings = {"--release": str(release_folder), "--agent": "silent", "--out": str(tmp_path / "run")} | change
    assert run(["eval", "run", *(part for pair in settings.items() for part in pair)]) == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_damaged_release_is_exit_4(release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (release_folder / "answers.jsonl").unlink()
    assert run(_run(release_folder, tmp_path / "run")) == 4
    assert "answers.jsonl is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "agents", "says"),
    [(("--epochs", "2"), ("silent",), "other epochs"), ((), ("silent", "first-result"), "other agents")],
)
def test_folder_of_another_run_is_left_alone(
    release_folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: tuple[str, ...],
    agents: tuple[str, ...],
    says: str,
) -> None:
    run(_run(release_folder, tmp_path / "run", agents=("silent",)))
    before = (tmp_path / "run" / "run.json").read_bytes()
    assert run(_run(release_folder, tmp_path / "run", *more, agents=agents)) == 2
    assert says in capsys.readouterr().err
    assert (tmp_path / "run" / "run.json").read_bytes() == before


def test_folder_with_something_else_is_left_alone(
    release_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("years of work")
    assert run(_run(release_folder, tmp_path / "run")) == 2
    assert "no run" in capsys.readouterr().err


def test_report_is_written_with_its_scores(release_folder: Path, tmp_path: Path) -> None:
    run(_run(release_folder, tmp_path / "run"))
    out = tmp_path / "made" / "report.html"
    assert run(["eval", "report", str(tmp_path / "run"), "--release", str(release_folder), "--out", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    assert (out.parent / "scores.json").read_bytes() == (tmp_path / "run" / "scores.json").read_bytes()


def test_report_that_cannot_be_written_leaves_nothing_half_done(release_folder: Path, tmp_path: Path) -> None:
    run(_run(release_folder, tmp_path / "run"))
    (tmp_path / "taken").mkdir()
    words = ["--release", str(release_folder), "--out", str(tmp_path / "taken")]
    assert run(["eval", "report", str(tmp_path / "run"), *words]) == 2
    assert not list(tmp_path.glob(".*"))


def test_report_of_two_runs_holds_both(release_folder: Path, tmp_path: Path) -> None:
    for name in ("silent", "first-result"):
        run(_run(release_folder, tmp_path / name, agents=(name,)))
    folders = [str(tmp_path / "silent"), str(tmp_path / "first-result"), str(tmp_path / "silent")]
    run(["eval", "report", *folders, "--release", str(release_folder), "--out", str(tmp_path / "both.html")])
    assert _exact(tmp_path) == {"first-result": 0.25, "silent": 0.0}


def test_report_of_another_release_is_refused(
    release_folder: Path, tmp_path: Path, store: PageStore, capsys: pytest.CaptureFixture[str]
) -> None:
    run(_run(release_folder, tmp_path / "run", agents=("silent",)))
    small_release.write(tmp_path / "other", store, small_release.contents(store)[:2])
    arguments = ["--release", str(tmp_path / "other"), "--out", str(tmp_path / "r.html")]
    assert run(["eval", "report", str(tmp_path / "run"), *arguments]) == 2
    assert "was made on release" in capsys.readouterr().err


def _stop_in_the_middle(command: list[str], out: Path, how: signal.Signals) -> tuple[int, str]:
    program = [sys.executable, "-m", "exports", *command]
    root = Path(__file__).parents[3]
    with subprocess.Popen(program, cwd=root, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        deadline = time.monotonic() + 60
        while _lines(out) < 5 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(process.pid, how)
        errors = process.communicate(timeout=60)[1]
    return process.returncode, errors


def _lines(out: Path) -> int:
    return sum(segment.read_bytes().count(b"\n") for segment in (out / "attempts").glob("*.jsonl"))
