"""The benchmark of the scorer runs, says what it measured, and notices what it should."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import scorer
from benchmarks.made_answers import Shape, make_answers
from benchmarks.rescore import rescore

ROOT = Path(__file__).parents[2]
QUICK = ["--repetitions", "1", "--answers", "2", "--only", "table 30x5", "--only", "list 10"]

STUB = """
class SimpleEvaluator:
    def evaluate_one(self, prediction, gt_path, question_type, qid=None):
        print("noise")
        return {"question_type": question_type, "table_row_f1": 0.5, "global_em": open(gt_path).read().count("x")}
"""


def test_it_runs_as_a_script_and_writes_json(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    command = [sys.executable, "benchmarks/scorer.py", *QUICK, "--rescore", "20", "--json", str(out)]
    assert subprocess.run(command, cwd=ROOT, timeout=120).returncode in (0, 4)
    report = json.loads(out.read_text())
    assert [one["shape"] for one in report["shapes"]] == ["table 30x5", "list 10", "list 100", "list 1000"]
    assert report["machine"]["processors"] >= 1
    assert {one["profile"] for one in report["rescored"]} == {"strict", "gisa-compat"}
    assert all(one["strict"]["cpu_ms_min"] > 0 for one in report["shapes"])


def test_a_missed_budget_is_exit_4_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer, "BUDGETS", {"table 30x5": scorer.Budget(0.0, 1.0)})
    result = CliRunner().invoke(scorer.main, QUICK[:-2])
    assert result.exit_code == 4
    assert "missed: table 30x5: strict takes more than 0.0 ms" in result.output


def test_the_published_evaluator_is_timed_on_the_same_files(tmp_path: Path) -> None:
    (tmp_path / "evaluator.py").write_text(STUB)
    result = CliRunner().invoke(scorer.main, [*QUICK[:-2], "--evaluator", str(tmp_path)])
    assert result.exit_code == 4
    assert "2 differ" in result.output
    assert "takes more than 0.125 of the published evaluator's time" in result.output


def test_an_evaluator_that_cannot_run_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "evaluator.py").write_text("import no_such_library")
    result = CliRunner().invoke(scorer.main, [*QUICK[:-2], "--evaluator", str(tmp_path)])
    assert (result.exit_code, "--evaluator-python" in result.output) == (2, True)


def test_a_folder_without_the_evaluator_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(scorer.main, ["--evaluator", str(tmp_path)])
    assert (result.exit_code, "evaluator.py" in result.output) == (2, True)


def test_help_has_an_example() -> None:
    assert "Example: .venv/bin/python -m benchmarks.scorer" in CliRunner().invoke(scorer.main, ["--help"]).output


def test_answers_have_the_stated_faults_and_the_seed_decides() -> None:
    shape = Shape("table", 1000, 8)
    made = make_answers(shape, 1, seed=1)
    assert made == make_answers(shape, 1, seed=1)
    assert made.replies != make_answers(shape, 1, seed=2).replies
    rows = {row[0]: row for row in made.rows}
    found = [tuple(line.split("\t")) for line in made.replies[0].split("\n")[3:-2]]
    assert len(found) == pytest.approx(950, abs=30)
    paired = [(row, rows[row[0]]) for row in found if row[0] in rows]
    wrong = sum(one != other for row, gold in paired for one, other in zip(row[1:], gold[1:], strict=True))
    assert wrong / (7 * len(paired)) == pytest.approx(0.1, abs=0.02)


def test_every_stored_answer_is_scored_again() -> None:
    result = rescore("strict", answers=7, repetitions=2)
    assert (result["answers"], len(result["seconds"])) == (7, 2)
