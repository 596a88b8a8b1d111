"""The whole case file as one run of the command: every right figure, every published figure, broken files beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.cli.run_folder import RunFolder, a_right_run

CASE_FILE = Path(__file__).parents[2] / "cases" / "answer_scoring.jsonl"
CASES = {case["id"]: case for case in map(json.loads, CASE_FILE.read_text(encoding="utf-8").split("\n")[:-1])}
PARIS = CASES["F01"]["prediction"]


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of a run that holds every case."""
    made = RunFolder(tmp_path_factory.mktemp("cases") / "run")
    for name, case in CASES.items():
        members = {member: case[member] for member in ("schema", "truth_encoding") if member in case}
        truth = case["truth_csv"].encode(case.get("truth_encoding", "utf-8"))
        made.ask(name, case["answer_type"], truth, **members)
        made.answer(name, case["prediction"].replace("{TRUTH_PATH}", str(made.answers / f"{name}.csv")))
    return made.score("--profile", "all")


def figures(result: dict[str, Any]) -> dict[str, float]:
    return {name: value for name, value in result.items() if isinstance(value, int | float)}


SINGLE_RIGHT = [name for name, case in CASES.items() if "global_em" in case["right_result"]]
SINGLE_PUBLISHED = [name for name, case in CASES.items() if "global_em" in case["reference_result"]]
GAVE_UP = [name for name, case in CASES.items() if "exception" in case["reference_result"] and name[0] != "F"]


def test_no_case_is_left_out() -> None:
    assert set(CASES) - set(SINGLE_RIGHT) == {"F01", "F02", "F03", "F04", "F05", "F06"}
    assert set(CASES) - set(SINGLE_PUBLISHED) - set(GAVE_UP) == {"F01", "F02", "F03", "F04", "F06"}


@pytest.mark.parametrize("name", SINGLE_RIGHT)
def test_strict_gives_the_right_result(scored: tuple[int, dict[str, Any]], name: str) -> None:
    one = scored[1]["questions"][name]["strict"]
    wanted = figures(CASES[name]["right_result"])
    assert {metric: one["metrics"].get(metric) for metric in wanted} == pytest.approx(wanted, abs=1e-4), CASES[name][
        "why"
    ]


@pytest.mark.parametrize("name", SINGLE_PUBLISHED)
def test_gisa_compat_gives_the_published_result(scored: tuple[int, dict[str, Any]], name: str) -> None:
    one = scored[1]["questions"][name]["gisa-compat"]
    wanted = figures(CASES[name]["reference_result"])
    assert {metric: one["metrics"].get(metric) for metric in wanted} == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize(("name", "status"), [("C22", "scored"), ("E02", "error"), ("E03", "error"), ("F06", "error")])
def test_what_ended_the_published_run_costs_at_most_its_question(
    scored: tuple[int, dict[str, Any]], name: str, status: str
) -> None:
    assert scored[1]["questions"][name]["gisa-compat"]["status"] == status


def test_broken_questions_are_entries_and_the_run_exits_with_3(scored: tuple[int, dict[str, Any]]) -> None:
    code, data = scored
    assert code == 3
    assert data["summary"]["strict"]["errors"] == ["F05: unknown answer_type rank", "F06: truth file empty"]
    assert data["questions"]["F05"]["strict"] == {
        "status": "error", "metrics": {}, "faults": [], "error": CASES["F05"]["right_result"]["error"],
    }  # fmt: skip
    assert data["questions"]["F06"]["strict"]["error"] == CASES["F06"]["right_result"]["error"]
    assert data["summary"]["strict"]["coverage"] == f"{len(CASES) - 2}/{len(CASES)}"


def test_f01_whole_number_ids_find_their_files(tmp_path: Path) -> None:
    code, data = a_right_run(tmp_path / "run", [1]).score()
    assert (code, data["summary"]["strict"]["overall_global_em"]) == (0, 1.0)


def test_f02_no_name_of_a_folder_takes_missing_answers_out_of_the_mean(tmp_path: Path) -> None:
    made = RunFolder(tmp_path / "run", "human_performance")
    for question_id in ("1", "2"):
        made.ask(question_id, "item", b"Paris\n")
    made.answer("1", PARIS)
    code, data = made.score("--profile", "all")
    for profile in ("strict", "gisa-compat"):
        summary = data["summary"][profile]
        assert (code, summary["overall_global_em"], summary["coverage"]) == (0, 0.5, "1/2")
        assert summary["errors"] == ["2: no prediction"]


def test_f03_answer_types_are_one_group_without_case(tmp_path: Path) -> None:
    made = RunFolder(tmp_path / "run")
    for question_id, answer_type in (("1", "Item"), ("2", "item")):
        made.ask(question_id, answer_type, b"Paris\n")
        made.answer(question_id, PARIS)
    _, data = made.score("--profile", "all")
    for profile in ("strict", "gisa-compat"):
        summary = data["summary"][profile]
        assert (summary["overall_global_em"], summary["types"]) == (1.0, {"item": 2})
        assert summary["item"] == {"num_samples": 2, "overall_item_em": 1.0, "overall_global_em": 1.0}


def test_f04_null_prediction_counts_0_and_is_named(tmp_path: Path) -> None:
    made = a_right_run(tmp_path / "run", ["1", "2"])
    made.answer("2", None)
    code, data = made.score("--profile", "all")
    assert code == 0
    for profile in ("strict", "gisa-compat"):
        summary = data["summary"][profile]
        assert (summary["overall_global_em"], summary["errors"]) == (0.5, ["2: prediction is null"])
