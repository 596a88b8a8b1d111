"""The life of a task: every verb in every state does what the table says, and nothing else."""

from __future__ import annotations

from typing import get_args

import pytest

from annotator_server.clock import utc_now
from annotator_server.errors import Conflict
from annotator_server.models.tasks import Task
from annotator_server.policy import RULES
from annotator_server.views.template_words import STATES
from annotator_server.workflow.lifecycle import DEEDS, TRANSITIONS, WORDS, Move, State, Verb, move


@pytest.mark.parametrize("state", get_args(State))
@pytest.mark.parametrize("verb", get_args(Verb))
def test_a_verb_moves_only_along_the_table(state: str, verb: Verb) -> None:
    task = Task(state=state, state_since=utc_now())
    target = TRANSITIONS.get(Move(state, verb))
    if target is None:
        with pytest.raises(Conflict, match="cannot be"):
            move(task, verb)
    else:
        move(task, verb)
    assert task.state == (target or state)


def test_every_state_is_reached_from_a_draft() -> None:
    reached, before = {"draft"}, set[str]()
    while reached != before:
        before = set(reached)
        reached |= {target for step, target in TRANSITIONS.items() if step.state in reached}
    assert reached == set(get_args(State))


def test_every_state_and_verb_has_its_words() -> None:
    assert set(WORDS) == set(STATES) == set(get_args(State))
    assert set(DEEDS) == set(get_args(Verb))


def test_an_approved_answer_cannot_be_touched() -> None:
    assert {step.verb for step in TRANSITIONS if step.state == "approved"} == {"verified"}


def test_every_rule_bound_to_states_takes_them_from_the_table() -> None:
    for action, rule in RULES.items():
        if rule.states is not None:
            verb = "verified" if action == "verify_again" else action
            assert rule.states == {step.state for step in TRANSITIONS if step.verb == verb}
