"""A run's questions are scored one by one; what breaks one of them costs no other."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.builders import reply
from verifier.errors import AnswerUnreadable
from verifier.scoring import run_scores
from verifier.scoring.answer_schema import read_schema
from verifier.scoring.prediction_files import AnswerFiles, Prediction, open_files
from verifier.scoring.question_file import QuestionRow
from verifier.scoring.run_scores import CHUNK, run_data, score_question, score_run

BOTH = ("strict", "gisa-compat")
KEY_C = read_schema({"key": ["C"]})
PARIS = Prediction(reply("Value\nParis"))

Run = tuple[list[QuestionRow], AnswerFiles]
"""Questions and their files."""


class GivenFiles:
    """Truths and predictions that are in no folder; an exception stands for a file that cannot be read."""

    def __init__(self, truth: bytes | Exception, prediction: Prediction | Exception) -> None:
        self._truth, self._prediction = truth, prediction

    def truth_path(self, question_id: str) -> Path | None:
        return Path("answers") / f"{question_id}.csv"

    def read_truth(self, question_id: str) -> bytes:
        if isinstance(self._truth, Exception):
            raise self._truth
        return self._truth

    def read_prediction(self, question_id: str) -> Prediction:
        if isinstance(self._prediction, Exception):
            raise self._prediction
        return self._prediction


def question(kind: str = "item", **members: Any) -> QuestionRow:
    return QuestionRow(question_id="1", answer_type=kind, **members)


def statuses(row: QuestionRow, truth: bytes | Exception, prediction: Prediction | Exception) -> Mapping[str, str]:
    scored = score_question(row, GivenFiles(truth, prediction), BOTH)
    return {profile: one.status for profile, one in scored.items()}


def test_right_answer_is_right_in_both_profiles() -> None:
    scored = score_question(question(), GivenFiles(b"Paris\n", PARIS), BOTH)
    assert [(one.status, one.metrics["global_em"]) for one in scored.values()] == [("scored", 1.0), ("scored", 1.0)]


def test_question_keeps_what_its_row_says() -> None:
    scored = score_question(question("Item", temporal="live", topic="Art"), GivenFiles(b"Paris\n", PARIS), ("strict",))[
        "strict"
    ]
    assert (scored.question_id, scored.answer_type, scored.temporal, scored.topic) == ("1", "item", "live", "Art")


def test_truth_that_cannot_be_read_is_an_error_in_both() -> None:
    scored = score_question(question(), GivenFiles(AnswerUnreadable("truth file missing"), PARIS), BOTH)
    assert [(one.status, one.error, one.metrics) for one in scored.values()] == 2 * [
        ("error", "truth file missing", {})
    ]


@pytest.mark.parametrize("kind", ["item", "set", "list", "table"])
def test_agent_that_gave_none_gets_0_for_every_figure_of_the_type(kind: str) -> None:
    truth = b"Name,Year\nA,1\n" if kind == "table" else b"Paris\n"
    failed = score_question(question(kind), GivenFiles(truth, AnswerUnreadable("prediction is null")), BOTH)
    scored = score_question(question(kind), GivenFiles(truth, PARIS), BOTH)
    for profile in BOTH:
        assert (failed[profile].status, failed[profile].error) == ("agent_failed", "prediction is null")
        assert failed[profile].metrics == dict.fromkeys(scored[profile].metrics, 0.0)


def test_empty_reply_is_an_answer_that_scores_0() -> None:
    (one,) = score_question(question("set"), GivenFiles(b"A\n", Prediction("")), ("strict",)).values()
    assert (one.status, one.metrics["set_f1"], "no_answer" in one.faults) == ("scored", 0.0, True)


@pytest.mark.parametrize(
    ("row", "truth", "expected"),
    [
        (question("rank"), b"Paris\n", {"strict": "error", "gisa-compat": "scored"}),
        (question("set", truth_encoding="cp1252"), b"Caf\xe9\n", {"strict": "scored", "gisa-compat": "error"}),
        (question("set"), b"Smith\nLee, Ann\n", {"strict": "scored", "gisa-compat": "error"}),
        (question("table"), b"A,B\n1,2\n1,2,3,4\n", {"strict": "error", "gisa-compat": "error"}),
        (question("table", schema=KEY_C), b"A,B\n1,2\n", {"strict": "error", "gisa-compat": "scored"}),
    ],
    ids=["unknown type", "other encoding", "comma", "ragged", "schema"],
)  # fmt: skip
def test_profile_scores_what_it_can(row: QuestionRow, truth: bytes, expected: dict[str, str]) -> None:
    assert statuses(row, truth, PARIS) == expected


@pytest.mark.parametrize(
    ("prediction", "strict", "published"),
    [
        (Prediction("Paris", ending=".txt"), 1.0, 0.0),
        (Prediction(file=b"Paris\n", ending=".csv"), 1.0, 1.0),
        (Prediction(file=b"Value\nParis\n", ending=".tsv"), 1.0, 1.0),
        (Prediction(reply("Value\nParis") + " see paris.csv"), 1.0, 1.0),
        (Prediction("answers/1.csv"), 0.0, 1.0),
        (Prediction("answers/../answers/1.csv"), 0.0, 1.0),
        (Prediction("answers/2.csv"), 0.0, 0.0),
        (Prediction("/etc/passwd"), 0.0, 0.0),
    ],
)
def test_every_form_of_a_prediction_is_read(prediction: Prediction, strict: float, published: float) -> None:
    scored = score_question(question(), GivenFiles(b"Paris\n", prediction), BOTH)
    assert [scored[profile].metrics["global_em"] for profile in BOTH] == [strict, published]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\xff", b"Caf\xe9\n"])
def test_file_without_cells_is_no_answer(data: bytes) -> None:
    assert statuses(question("set"), b"A\n", Prediction(file=data, ending=".csv"))["strict"] == "agent_failed"


def test_fault_of_the_scorer_costs_one_question_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(run_scores, "parse_reply", fail)
    scored = score_question(question(), GivenFiles(b"Paris\n", PARIS), BOTH)
    assert (scored["strict"].status, scored["gisa-compat"].status) == ("error", "scored")
    assert scored["strict"].error == "the scorer itself failed: ZeroDivisionError: oh"
    assert "question '1' could not be scored in profile strict" in caplog.text


@pytest.fixture
def many(tmp_path: Path) -> Run:
    """More questions than go to one process at once, every third answered right, with their files."""
    for name in ("answers", "predictions"):
        (tmp_path / name).mkdir()
    rows = [QuestionRow(question_id=str(number), answer_type="item") for number in range(2 * CHUNK + 5)]
    for row in rows:
        (tmp_path / "answers" / f"{row.question_id}.csv").write_text(f"{int(row.question_id) % 3}\n")
        (tmp_path / "predictions" / f"{row.question_id}.txt").write_text(reply("Value\n0"))
    return rows, open_files(tmp_path / "answers", tmp_path / "predictions")


def test_workers_give_the_same_scores_in_the_same_order(many: Run) -> None:
    rows, files = many
    with ThreadPoolExecutor(3) as executor:
        assert list(score_run(rows, files, BOTH, executor)) == list(score_run(rows, files, BOTH))


def test_run_comes_one_question_at_a_time(many: Run) -> None:
    rows, files = many
    for path in files.truths.folder.iterdir():
        if path.stem not in ("0", "1"):
            path.unlink()
    scores = score_run(rows, files, ("strict",))
    assert [next(scores)["strict"].status for _ in range(3)] == ["scored", "scored", "error"]


def test_data_of_a_run_is_plain(many: Run) -> None:
    rows, files = many
    scored = {row.question_id: one for row, one in zip(rows, score_run(rows, files, BOTH), strict=True)}
    data = run_data(scored, BOTH, ("a note",))
    assert set(data) == {"profiles", "summary", "questions", "warnings"}
    assert data["questions"]["0"]["strict"] == {
        "status": "scored", "metrics": {"item_em": 1.0, "global_em": 1.0}, "faults": [],
    }  # fmt: skip
    assert data["summary"]["strict"]["overall_global_em"] == pytest.approx(69 / 205)
