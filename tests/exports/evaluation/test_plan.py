"""A plan names a run by all that could change its outcomes, and each attempt by its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from browser_capture.json_records import from_json, to_json
from exports.agents.agent import Agent
from exports.agents.replay_human import ReplayHuman
from exports.agents.silent import Silent
from exports.benchmark.reader import Release
from exports.errors import UnknownTask
from exports.evaluation.plan import RunPlan, plan_run, planned_attempts


def _plan(release: Release, agents: Sequence[Agent], epochs: int = 1, tasks: Sequence[str] = ("1-item",)) -> RunPlan:
    return plan_run(release, agents, tasks=tasks, epochs=epochs, deadline_s=1)


def test_same_command_names_the_same_run(release: Release) -> None:
    assert _plan(release, [Silent()]) == _plan(release, [Silent()])


def test_every_change_of_set_up_is_another_run(release: Release) -> None:
    plans = [
        _plan(release, [Silent()]),
        _plan(release, [Silent()], epochs=2),
        _plan(release, [Silent()], tasks=("2-set",)),
        _plan(release, [Silent(config={"version": "2"})]),
        _plan(release, [Silent(), ReplayHuman()]),
        _plan(replace(release, manifest=replace(release.manifest, release_id="other")), [Silent()]),
    ]
    assert len({plan.run_id for plan in plans}) == len(plans)


def test_each_attempt_has_its_own_id(release: Release) -> None:
    agents: list[Agent] = [Silent(), ReplayHuman()]
    plan = _plan(release, agents, epochs=2, tasks=("1-item", "2-set"))
    assert len({attempt.attempt_id for attempt in planned_attempts(plan, release, agents)}) == 8


def test_only_an_agent_that_declares_it_sees_the_human_path(release: Release) -> None:
    agents: list[Agent] = [Silent(), ReplayHuman()]
    silent, replay = planned_attempts(_plan(release, agents), release, agents)
    assert silent.view.human_path is None
    assert replay.view.human_path is not None


def test_plan_is_a_record(release: Release) -> None:
    plan = _plan(release, [Silent(), ReplayHuman()])
    assert from_json(RunPlan, to_json(plan)) == plan


def test_unknown_task_is_refused(release: Release) -> None:
    with pytest.raises(UnknownTask, match="'99'"):
        _plan(release, [Silent()], tasks=("99",))
