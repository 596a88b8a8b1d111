"""Scores: computed from the stored attempts, by the answer of the attempt's day, without clocks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from browser_capture.json_records import from_json, to_json
from exports.agents.first_result import FirstResult
from exports.agents.silent import Silent
from exports.benchmark.reader import Release
from exports.evaluation.as_of import as_of_date
from exports.evaluation.plan import PlannedAttempt, RunPlan, plan_run, planned_attempts
from exports.evaluation.scores import RunScores, run_scores
from exports.evaluation.scoring import grade_attempts
from tests.exports.small_release import DAY, NOON
from verifier.answers.reply_text import format_reply
from verifier.attempts.attempt import Attempt, Call, Outcome
from verifier.scoring.versions import answer_as_of


def _plan(release: Release, epochs: int = 1) -> RunPlan:
    tasks = [task.task_id for task in release.tasks]
    return plan_run(release, [Silent(), FirstResult()], tasks=tasks, epochs=epochs, deadline_s=1)


def _planned(release: Release, plan: RunPlan) -> list[PlannedAttempt]:
    return list(planned_attempts(plan, release, [Silent(), FirstResult()]))


def _attempt(planned: PlannedAttempt, reply: str | None, outcome: Outcome = "scored", as_of: str = DAY) -> Attempt:
    return Attempt(
        attempt_id=planned.attempt_id,
        run_id="r",
        key=planned.key,
        started_at=NOON,
        ended_at=NOON,
        as_of=as_of,
        outcome=outcome,
        stop_reason="answer",
        reply=reply,
        calls=(Call(seq=1, at=NOON, kind="search", name="search", matched="ranked"),),
    )


def _right(release: Release, planned: PlannedAttempt) -> str:
    answer = release.answers_of(planned.key.task_id)[0]
    return format_reply(answer.header, answer.rows)


def _scores(release: Release, plan: RunPlan, attempts: list[Attempt]) -> RunScores:
    return run_scores(release.manifest, [plan], grade_attempts(attempts, release))


def test_means_are_over_questions_and_silence_counts_as_zero(release: Release) -> None:
    plan = _plan(release)
    attempts = [
        _attempt(one, None, "agent_failure") if one.key.agent == "silent" else _attempt(one, _right(release, one))
        for one in _planned(release, plan)
    ]
    first, silent = _scores(release, plan, attempts).agents
    assert (first.agent, first.exact.mean, first.calls, first.matched) == ("first-result", 1.0, 1.0, {"ranked": 4})
    assert (silent.exact.mean, silent.faults, silent.agent_failed) == (0.0, {"no_answer": 4}, 4)


def test_infrastructure_failures_leave_bounds_instead_of_zeros(release: Release) -> None:
    plan = _plan(release)
    mine = [one for one in _planned(release, plan) if one.key.agent == "first-result"]
    attempts = [_attempt(one, _right(release, one)) for one in mine[:2]]
    attempts.append(_attempt(mine[2], None, "infrastructure_failure"))
    agent = _scores(release, plan, attempts).agents[0]
    assert (agent.exact.mean, agent.exact.n, agent.bounds) == (1.0, 2, (0.5, 1.0))
    assert (agent.scored, agent.infrastructure_failed, agent.missing) == (2, 1, 1)


def test_repeats_of_a_question_are_one_question(release: Release) -> None:
    plan = _plan(release, epochs=2)
    mine = [one for one in _planned(release, plan) if one.key.agent == "first-result"]
    attempts = [_attempt(one, _right(release, one) if one.key.epoch == 0 else None) for one in mine]
    agent = _scores(release, plan, attempts).agents[0]
    assert (agent.exact.mean, agent.exact.n, agent.planned) == (0.5, 4, 8)


def test_scores_do_not_depend_on_the_order_of_attempts(release: Release) -> None:
    plan = _plan(release)
    attempts = [_attempt(one, _right(release, one)) for one in _planned(release, plan)]
    assert _scores(release, plan, attempts) == _scores(release, plan, attempts[::-1])


def test_scores_are_a_record(release: Release) -> None:
    plan = _plan(release)
    scores = _scores(release, plan, [_attempt(one, _right(release, one)) for one in _planned(release, plan)])
    assert from_json(RunScores, to_json(scores)) == scores
    assert NOON not in str(to_json(scores))


@pytest.mark.parametrize(
    ("day", "version"), [("2026-11-27", 1), ("2026-11-28", 1), ("2026-12-28", 1), ("2026-12-29", 2), ("2027-02-01", 2)]
)
def test_answer_of_the_day_decides(release: Release, day: str, version: int) -> None:
    old = release.answers_of("1-item")[0]
    new = replace(old, version=2, valid_from="2026-12-29", rows=(("1848",),))
    assert answer_as_of([old, new], day).version == version


def test_as_of_is_the_day_of_the_newest_recording(release: Release) -> None:
    assert as_of_date(release, "1-item") == DAY


def test_as_of_is_never_before_the_newest_answer_holds(release: Release) -> None:
    later = tuple(replace(answer, valid_from="2026-12-01") for answer in release.answers)
    assert as_of_date(replace(release, answers=later), "1-item") == "2026-12-01"
