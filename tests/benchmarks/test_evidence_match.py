"""The benchmark of the evidence match counts what it says it counts, and keeps what is held out to itself."""

from __future__ import annotations

import json

from click.testing import CliRunner

from benchmarks.evidence_match import SUPPORTED, figures, judge, main
from tests.verifier.evidence_labels.labelled_answers import FILES, labelled_answers


def test_figures_are_those_of_the_judged_cells() -> None:
    judged = list(judge([one for one in labelled_answers(FILES[0]) if one.split == "tune"][:6]))
    called = [one for one in judged if one.state in SUPPORTED]
    found = figures(judged)
    assert (found["cells"], found["precision"]["n"]) == (len(judged), len(called))
    right = sum(one.cell.label == "supported" for one in called)
    assert found["precision"]["mean"] == right / len(called)
    assert found["recall"]["mean"] == right / found["recall"]["n"]
    assert sum(error["cells"] for error in found["errors"]) == sum(not one.is_right for one in judged)


def test_cells_to_tune_on_are_measured_as_json() -> None:
    asked = CliRunner().invoke(main, ["--json"])
    found = json.loads(asked.stdout)
    assert (asked.exit_code, found["split"]) == (0, "tune")
    assert found["precision"]["low"] <= found["precision"]["mean"] <= found["precision"]["high"]


def test_errors_of_what_is_held_out_are_not_listed() -> None:
    asked = CliRunner().invoke(main, ["--held-out", "--list-errors"])
    assert (asked.exit_code, "that would be tuning on them" in asked.output) == (2, True)
