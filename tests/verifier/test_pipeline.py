"""A task, its answer and its recording become one report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from browser_capture.json_records import dumps, from_json, to_json
from browser_capture.page_store import PageStore
from browser_capture.trajectory import Trajectory
from tests.verifier.builders import gold, page_store, recording, table, task
from tests.verifier.scripted_server import says, scripted
from verifier.answers.normalization.normalise import normalise
from verifier.evidence.quote_value import cell_from_quote
from verifier.language_model.client import OpenAIModel
from verifier.pipeline import evidence_links, verify
from verifier.report import VerificationReport

MOONS = table(["Moon", "Day"], {"Moon": "text", "Day": "date"}, sort=["Moon"], Day={"date_format": "YYYY-MM-DD"})
QUESTION = "Which moons of Saturn were found before 1700? Moon, Day (YYYY-MM-DD). Sort by Moon, ascending."
TASK = task(QUESTION, MOONS)
ANSWER = gold(["Rhea", "1672-12-23"], ["Titan", "1655-03-25"], header=MOONS.header)
NOW = "2026-01-02T00:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    return page_store(tmp_path)


@pytest.fixture
def trajectory(store: PageStore) -> Trajectory:
    return recording(
        store,
        {
            "https://a.example/titan": ("Titan", "Titan\nFound on 25 March 1655 by Huygens."),
            "https://a.example/rhea": ("Rhea", "Rhea\nFound on December 23, 1672 by Cassini."),
        },
    )


def verdicts(report: VerificationReport) -> dict[str, str]:
    return {check.check: check.verdict for check in report.checks}


def test_a_fair_task_passes_with_every_cell_proven(store: PageStore, trajectory: Trajectory) -> None:
    report = verify(TASK, ANSWER, trajectory, store, now=NOW)
    assert report.verdict == "pass"
    assert {cell.state for cell in report.cells} == {"proven"}
    assert verdicts(report) == {
        "question_lint": "pass",
        "answer_shape": "pass",
        "log_quality": "pass",
        "solvability": "pass",
        "memorization": "skipped",
    }


def test_links_rebuild_the_answer_without_knowing_it(store: PageStore, trajectory: Trajectory) -> None:
    links = evidence_links(verify(TASK, ANSWER, trajectory, store, now=NOW))
    columns = {column.name: column for column in MOONS.columns}
    rebuilt = {(link.row, link.column): cell_from_quote(link.quote, columns[link.column]) for link in links}
    wanted = {
        (row, name): cell
        for row, cells in enumerate(ANSWER.rows)
        for name, cell in zip(MOONS.header, cells, strict=True)
    }
    assert {place: normalise(cell, columns[place[1]]) for place, cell in rebuilt.items()} == wanted | {
        (0, "Moon"): "rhea",
        (1, "Moon"): "titan",
    }


def test_an_altered_cell_fails_the_task_and_is_named(store: PageStore, trajectory: Trajectory) -> None:
    altered = replace(ANSWER, rows=(ANSWER.rows[0], ("Titan", "1655-03-26")))
    report = verify(TASK, altered, trajectory, store, now=NOW)
    solvability = next(check for check in report.checks if check.check == "solvability")
    assert report.verdict == "fail"
    assert [(finding.row, finding.column) for finding in solvability.findings] == [(1, "Day")]


def test_without_a_recording_evidence_is_skipped_not_passed(store: PageStore) -> None:
    report = verify(TASK, ANSWER, None, store, now=NOW)
    assert (verdicts(report)["log_quality"], verdicts(report)["solvability"]) == ("skipped", "skipped")


def test_the_same_inputs_give_the_same_report_and_it_is_a_valid_record(
    store: PageStore, trajectory: Trajectory
) -> None:
    one, other = (verify(TASK, ANSWER, trajectory, store, now=NOW) for _ in range(2))
    assert dumps(to_json(one)) == dumps(to_json(other))
    assert from_json(VerificationReport, to_json(one)) == one


def test_the_model_is_asked_last_and_its_verdict_counts(store: PageStore, trajectory: Trajectory) -> None:
    reply = "<answer>\n```tsv\nMoon\tDay\nRhea\t1672-12-23\nTitan\t1655-03-25\n```\n</answer>"
    with scripted(says(reply)) as server:
        model = OpenAIModel(server.base_url, "key", "scripted")
        report = verify(TASK, ANSWER, trajectory, store, now=NOW, model=model)
    assert (report.checks[-1].check, report.checks[-1].verdict, report.verdict) == ("memorization", "fail", "fail")


def test_a_task_of_another_kind_is_skipped_check_by_check(store: PageStore) -> None:
    report = verify(replace(TASK, kind="open", answer_format=None), replace(ANSWER, rows=()), None, store, now=NOW)
    assert (report.verdict, set(verdicts(report).values())) == ("skipped", {"skipped"})
