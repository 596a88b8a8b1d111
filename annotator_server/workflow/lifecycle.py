"""The life of a task: which verb leads from which state to which. What is not in the table cannot happen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from annotator_server.clock import utc_now
from annotator_server.errors import Conflict
from annotator_server.models.tasks import Task

State = Literal["draft", "ready", "claimed", "recording", "submitted", "in_review", "returned", "approved"]
Verb = Literal["edit", "mark_ready", "claim", "hand_back", "record", "submit", "verified", "approve", "return"]


class Move(NamedTuple):
    """A verb applied in a state."""

    state: str
    verb: Verb


TRANSITIONS: Mapping[Move, State] = {
    Move("draft", "edit"): "draft",
    Move("ready", "edit"): "draft",
    Move("returned", "edit"): "draft",
    Move("draft", "mark_ready"): "ready",
    Move("ready", "claim"): "claimed",
    Move("returned", "claim"): "claimed",
    # A claimed task may be claimed anew: by its holder, or by anyone once the lease has run out.
    Move("claimed", "claim"): "claimed",
    Move("recording", "claim"): "recording",
    Move("claimed", "hand_back"): "ready",
    Move("recording", "hand_back"): "ready",
    Move("claimed", "record"): "recording",
    Move("recording", "record"): "recording",
    # Without a new recording where a returned answer only has to be corrected: the one there still proves it.
    Move("claimed", "submit"): "submitted",
    Move("recording", "submit"): "submitted",
    Move("submitted", "verified"): "in_review",
    Move("in_review", "verified"): "in_review",
    Move("approved", "verified"): "approved",
    Move("in_review", "approve"): "approved",
    Move("in_review", "return"): "returned",
}

WORDS: Mapping[str, str] = {
    "draft": "a draft",
    "ready": "ready to be claimed",
    "claimed": "claimed",
    "recording": "being recorded",
    "submitted": "handed in and being checked",
    "in_review": "waiting for review",
    "returned": "returned",
    "approved": "approved",
}
"""A state as a sentence says it: the question is ..."""

DEEDS: Mapping[str, str] = {
    "edit": "edited",
    "mark_ready": "marked ready",
    "claim": "claimed",
    "hand_back": "handed back",
    "record": "recorded",
    "submit": "handed in",
    "verified": "checked",
    "approve": "approved",
    "return": "returned",
}


def states_open_to(verb: Verb) -> frozenset[str]:
    """Return the states in which a verb is possible.

    >>> sorted(states_open_to("approve"))
    ['in_review']
    """
    return frozenset(move.state for move in TRANSITIONS if move.verb == verb)


def move(task: Task, verb: Verb) -> None:
    """Lead a task along one arrow of the table. Raises Conflict when there is none from where it stands."""
    target = TRANSITIONS.get(Move(task.state, verb))
    if target is None:
        raise Conflict(f"this question is {WORDS[task.state]}, so it cannot be {DEEDS[verb]} now")
    if target != task.state:
        task.state, task.state_since = target, utc_now()
