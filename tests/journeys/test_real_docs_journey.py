"""The whole road on pages that nobody here wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.benchmark.reader import load_release
from exports.demo.run import DemoResult
from exports.evaluation.scores import AgentScores
from tests.journeys.altered_release import altered, scores_on

pytestmark = [pytest.mark.browser, pytest.mark.real_docs, pytest.mark.long]

TASKS = ("debian-project-leaders", "debian-releases-and-leaders", "python-superseded-modules")


def figures(demo: DemoResult, agent: str) -> AgentScores:
    return next(one for one in demo.scores.agents if one.agent == agent)


def test_replayed_search_is_right_on_every_task(real_docs_demo: DemoResult) -> None:
    replay = figures(real_docs_demo, "replay-human")
    assert (replay.scored, replay.exact.mean, set(replay.matched)) == (3, 1.0, {"exact"})


def test_silence_scores_nothing(real_docs_demo: DemoResult) -> None:
    assert figures(real_docs_demo, "silent").exact.mean == 0.0


@pytest.mark.parametrize("task", TASKS)
def test_one_altered_gold_cell_is_noticed(task: str, real_docs_demo: DemoResult, tmp_path: Path) -> None:
    release = load_release(real_docs_demo.folder.release)
    changed = altered(release, real_docs_demo.public_ids[task], tmp_path / "release")
    mean = scores_on(changed, "replay-human", tmp_path / "run").exact.mean
    assert mean == pytest.approx(2 / 3, abs=1e-5)


def test_each_module_is_proven_on_its_own_page(real_docs_demo: DemoResult) -> None:
    release = load_release(real_docs_demo.folder.release)
    (answer,) = release.answers_of(real_docs_demo.public_ids["python-superseded-modules"])
    since = {answer.rows[link.row][0]: link.url for link in answer.evidence if link.column == "Deprecated since"}
    assert len(since) == 24
    assert all(url.endswith(f"/{module}.html") for module, url in since.items())
