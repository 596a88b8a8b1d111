"""The baselines over the small release: the ceiling is 100, the floor is 0, and what is not on the page stays blank."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from exports.agents.agent import Agent, AgentResult, HumanPath, TaskView, path_of, view_of
from exports.agents.first_result import FirstResult, first_rows
from exports.agents.replay_human import ReplayHuman, steps
from exports.agents.roster import ROSTER, ModelSettings, build_agent
from exports.agents.silent import Silent
from exports.benchmark.reader import Release
from exports.errors import AgentFailed, UnknownAgent
from exports.recorded_web.resolve import RecordedWeb
from exports.tools.tool import Clock, Toolbox
from exports.tools.web_tools import recorded_toolbox
from tests.exports.small_release import DAY, LIGHTS, LOW_SKERRY, NOON
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.answer_version import EvidenceState
from verifier.answers.parsing import parse_reply
from verifier.scoring.answer_score import score_answer

TASKS = ["1-item", "2-set", "3-list", "4-table"]


def _try(agent: Agent, view: TaskView, web: RecordedWeb) -> tuple[AgentResult, Toolbox]:
    tools = recorded_toolbox(web, DAY, agent.budget, Clock(now=lambda: NOON, seconds=lambda: 0.0))
    return asyncio.run(agent.attempt(view, tools)), tools


def _view(release: Release, task_id: str) -> TaskView:
    answer = release.answers_of(task_id)[0]
    return view_of(release.task(task_id), DAY, path_of(answer, release.trajectories_of(task_id)[0]))


def _exact(release: Release, task_id: str, reply: str | None) -> float:
    answer_format = release.task(task_id).answer_format
    assert answer_format is not None
    return score_answer(release.answers_of(task_id)[0], reply, answer_format).metrics["global_em"]


@pytest.mark.parametrize("task_id", TASKS)
def test_replayed_path_gives_the_whole_answer(release: Release, web: RecordedWeb, task_id: str) -> None:
    result, _ = _try(ReplayHuman(), _view(release, task_id), web)
    assert _exact(release, task_id, result.reply) == 1.0


@pytest.mark.parametrize("task_id", TASKS)
def test_every_replayed_call_is_exact(release: Release, web: RecordedWeb, task_id: str) -> None:
    _, tools = _try(ReplayHuman(), _view(release, task_id), web)
    assert {call.kind for call in tools.calls} == {"search", "fetch"}
    assert {call.matched for call in tools.calls} == {"exact"}


def test_replay_keeps_the_order_of_the_recording(release: Release) -> None:
    path = _view(release, "1-item").human_path
    assert path is not None
    assert [step.query or step.url for step in steps(path)] == ["low skerry light year lit", LOW_SKERRY]


def test_replay_leaves_blank_what_the_page_does_not_say(release: Release, web: RecordedWeb) -> None:
    view = _view(release, "4-table")
    assert view.human_path is not None
    lost = tuple(link._replace(quote="99 m") if link.quote == "31 m" else link for link in view.human_path.links)
    result, _ = _try(ReplayHuman(), replace(view, human_path=HumanPath(view.human_path.trajectory, lost)), web)
    assert view.answer_format is not None
    assert parse_reply(result.reply, view.answer_format).rows[1] == ("Low Skerry", "1847", "")
    assert _exact(release, "4-table", result.reply) == 0.0


@pytest.mark.parametrize("state", ["derived", "near", "conflict", "consulted"])
def test_replay_takes_no_cell_from_a_passage_that_does_not_prove_it(
    release: Release, web: RecordedWeb, state: EvidenceState
) -> None:
    view = _view(release, "4-table")
    assert view.human_path is not None
    links = tuple(link._replace(state=state) if link.quote == "31 m" else link for link in view.human_path.links)
    result, _ = _try(ReplayHuman(), replace(view, human_path=view.human_path._replace(links=links)), web)
    assert view.answer_format is not None
    assert parse_reply(result.reply, view.answer_format).rows[1] == ("Low Skerry", "1847", "")


def test_replay_is_not_told_the_rows(release: Release) -> None:
    view = _view(release, "4-table")
    altered = replace(release.answers_of("4-table")[0], rows=(("wrong", "0", "0"),))
    assert path_of(altered, release.trajectories_of("4-table")[0]) == view.human_path


def test_replay_skips_a_query_whose_results_were_not_kept(release: Release) -> None:
    path = _view(release, "4-table").human_path
    assert path is not None
    doubted = tuple(replace(page, status="interstitial") for page in path.trajectory.result_pages)
    asked = steps(path._replace(trajectory=replace(path.trajectory, result_pages=doubted)))
    assert [step.url for step in asked] == [LIGHTS]


def test_replay_finds_a_cell_in_the_results(release: Release, web: RecordedWeb) -> None:
    view = _view(release, "1-item")
    assert view.human_path is not None
    result_page = view.human_path.trajectory.visits[0].url
    link = view.human_path.links[0]._replace(url=result_page, quote="Low Skerry light", prefix="", suffix="")
    result, tools = _try(ReplayHuman(), replace(view, human_path=view.human_path._replace(links=(link,))), web)
    assert "Low Skerry light" in (result.reply or "")
    assert [call.kind for call in tools.calls] == ["search"]


def test_replay_without_evidence_is_the_agents_failure(release: Release, web: RecordedWeb) -> None:
    with pytest.raises(AgentFailed, match="task 1-item has none"):
        _try(ReplayHuman(), view_of(release.task("1-item"), DAY), web)


def test_silent_scores_nothing(release: Release, web: RecordedWeb) -> None:
    result, tools = _try(Silent(), _view(release, "1-item"), web)
    assert _exact(release, "1-item", result.reply) == 0.0
    assert tools.calls == []


def test_first_result_believes_the_first_page(release: Release, web: RecordedWeb) -> None:
    result, tools = _try(FirstResult(), view_of(release.task("4-table"), DAY), web)
    assert [call.kind for call in tools.calls] == ["search", "fetch"]
    assert "Low Skerry\t1847\t31 m" in (result.reply or "")


ONE = AnswerFormat(type="list", columns=(Column(name="Item"),))
TWO = AnswerFormat(type="table", columns=(Column(name="A"), Column(name="B")))


@pytest.mark.parametrize(
    ("text", "answer_format", "rows"),
    [
        ("Title\nA\tB\n1\t2\n3\t4", TWO, (("1", "2"), ("3", "4"))),
        ("Title\nA\tB\tC\n1\t2\t3", TWO, (("1", "2"),)),
        ("Title\nOnly prose here.", TWO, ()),
        ("Title\nred\ngreen", ONE, (("red",), ("green",))),
        (f"Title\n{'long ' * 20}\nred\ngreen", ONE, (("red",), ("green",))),
        ("Title", ONE, ()),
        ("", ONE, ()),
    ],
)
def test_first_rows_of_a_page(text: str, answer_format: AnswerFormat, rows: tuple[tuple[str, ...], ...]) -> None:
    assert first_rows(text, answer_format) == rows


def test_unknown_agent_names_the_roster() -> None:
    with pytest.raises(UnknownAgent, match=r"'genius'.*replay-human"):
        build_agent("genius", ModelSettings())


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (ModelSettings(), "needs --model"),
        (ModelSettings("m", "http://127.0.0.1:1/v1", "NO_SUCH_VARIABLE"), "NO_SUCH_VARIABLE is not set"),
    ],
)
def test_model_agent_says_what_it_lacks(settings: ModelSettings, says: str) -> None:
    with pytest.raises(UnknownAgent, match=says):
        build_agent("model-only", settings)


@pytest.mark.parametrize("name", [name for name in ROSTER if name != "model-only"])
def test_agent_is_called_as_on_the_roster(name: str) -> None:
    assert build_agent(name, ModelSettings()).name == name
