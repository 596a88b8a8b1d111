"""The whole road on the demo's own web: written, searched, handed in, checked, approved, released, replayed, scored."""

from __future__ import annotations

from pathlib import Path

import httpx2
import psutil
import pytest

from exports.benchmark.reader import Release
from exports.demo.demo_tasks import DemoTask, demo_tasks
from exports.demo.run import DemoResult
from exports.evaluation.scores import AgentScores
from tests.journeys.altered_release import altered, scores_on
from tests.journeys.left_behind import processes_naming

pytestmark = pytest.mark.browser
each_task = pytest.mark.parametrize("task", demo_tasks("own"), ids=lambda task: task.task.task_id)


def figures(demo: DemoResult, agent: str) -> AgentScores:
    return next(one for one in demo.scores.agents if one.agent == agent)


def test_replayed_search_is_right_on_every_task(own_demo: DemoResult) -> None:
    replay = figures(own_demo, "replay-human")
    assert (replay.planned, replay.scored, replay.exact.mean, replay.partial.mean) == (4, 4, 1.0, 1.0)


def test_every_call_of_the_replay_is_matched_exactly(own_demo: DemoResult) -> None:
    replay = figures(own_demo, "replay-human")
    assert set(replay.matched) == {"exact"}
    assert replay.matched["exact"] >= 4 * 2


def test_silence_scores_nothing(own_demo: DemoResult) -> None:
    silent = figures(own_demo, "silent")
    assert (silent.planned, silent.infrastructure_failed, silent.exact.mean, silent.partial.mean) == (4, 0, 0.0, 0.0)


def test_first_result_is_no_match_for_the_person(own_demo: DemoResult) -> None:
    mean = figures(own_demo, "first-result").exact.mean
    assert mean is not None
    assert mean < 1.0


@each_task
def test_one_altered_gold_cell_is_noticed(
    task: DemoTask, own_demo: DemoResult, own_release: Release, tmp_path: Path
) -> None:
    changed = altered(own_release, own_demo.public_ids[task.task.task_id], tmp_path / "release")
    assert scores_on(changed, "replay-human", tmp_path / "run").exact.mean == 0.75


def test_every_cell_of_every_answer_has_a_passage(own_release: Release) -> None:
    cells = {answer.task_id: len(answer.rows) * len(answer.header) for answer in own_release.answers}
    proven = {
        answer.task_id: len({(link.row, link.column) for link in answer.evidence}) for answer in own_release.answers
    }
    assert cells == proven


@each_task
def test_copied_values_are_proven_by_the_page_they_were_copied_from(
    task: DemoTask, own_demo: DemoResult, own_release: Release
) -> None:
    (answer,) = own_release.answers_of(own_demo.public_ids[task.task.task_id])
    proofs = {(proof.row, proof.column): proof.url for proof in task.proofs}
    pasted = {(link.row, link.column): link.url for link in answer.evidence if link.how == "paste"}
    assert len(pasted) == min(5, len(proofs))
    assert pasted.items() <= proofs.items()


def test_correction_is_believed_before_the_page_it_corrects(own_demo: DemoResult, own_release: Release) -> None:
    (answer,) = own_release.answers_of(own_demo.public_ids["merrow-lights-table"])
    (height,) = {
        link.url for link in answer.evidence if answer.rows[link.row][0] == "Gannet Rock" and link.quote == "38"
    }
    assert height == "https://lights.merrow.example/notices.html"


@each_task
def test_recording_holds_every_step_in_order(task: DemoTask, own_demo: DemoResult, own_release: Release) -> None:
    (trajectory,) = own_release.trajectories_of(own_demo.public_ids[task.task.task_id])
    seen = [visit.url for visit in trajectory.visits if visit.url != "https://www.google.com/"]
    assert seen == [step.url for step in task.path if step.do != "close_tab"]


@pytest.mark.parametrize(
    ("task", "kind", "cause"),
    [
        ("merrow-last-keeper", "bfcache", "history"),
        ("merrow-last-keeper", "new", "form"),
        ("merrow-lights-table", "new", "click"),
        ("merrow-lights-table", "new", "address_bar"),
        ("merrow-sunday-lights", "reload", "reload"),
    ],
)
def test_recording_knows_how_each_page_was_reached(
    task: str, kind: str, cause: str, own_demo: DemoResult, own_release: Release
) -> None:
    (trajectory,) = own_release.trajectories_of(own_demo.public_ids[task])
    assert (kind, cause) in {(visit.kind, visit.cause) for visit in trajectory.visits}


def test_report_is_one_file_that_loads_nothing(own_demo: DemoResult) -> None:
    html = own_demo.folder.report.read_text(encoding="utf-8")
    assert "replay-human" in html
    assert "<script src" not in html
    assert '<link rel="stylesheet"' not in html


def test_kept_server_lets_its_people_in(own_demo: DemoResult) -> None:
    with httpx2.Client(base_url=own_demo.server_url, follow_redirects=True) as client:
        for account in own_demo.accounts:
            client.cookies.clear()
            token = client.get("/sign-in").text.split('name="csrf_token" value="')[1].split('"')[0]
            form = {"email": account.email, "password": account.password, "csrf_token": token}
            assert client.post("/sign-in", data=form).url.path == "/"


def test_only_the_kept_server_runs_on(own_demo: DemoResult) -> None:
    assert own_demo.server is not None
    server = psutil.Process(own_demo.server.pid)
    kept = {server.pid, *(child.pid for child in server.children(recursive=True))}
    assert processes_naming(own_demo.folder.root) == kept
