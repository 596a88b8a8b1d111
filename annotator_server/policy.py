"""Who may do what, when: one table of actions, and one of routes. What stands in neither is refused.

An action names the roles that may do it, the states of the task in which it makes sense, and how the person must stand
to the thing. Annotators see their own answers only; nobody reviews an answer of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from annotator_server.errors import Conflict, NotAllowed
from annotator_server.workflow.lifecycle import DEEDS, WORDS, states_open_to

Role = Literal["annotator", "reviewer", "maintainer", "researcher", "admin"]
ROLES: tuple[Role, ...] = ("annotator", "reviewer", "maintainer", "researcher", "admin")

Standing = Literal["any", "author", "holder", "not_author"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line of the policy table. `overseers` are roles excused from the standing, never from the state."""

    roles: frozenset[Role]
    states: frozenset[str] | None = None
    standing: Standing = "any"
    overseers: frozenset[Role] = frozenset()
    refusal: str = "Your role in this project does not include this."


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who is asking, in which project. `panel_task` is set where the sign-in is for one task's panel only."""

    user_id: int
    name: str
    pseudonym: str
    project_id: int
    project: str
    project_name: str
    roles: frozenset[Role]
    panel_task: int | None = None


def _are(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


EVERYONE = frozenset(ROLES)
WRITERS = _are("annotator", "maintainer", "admin")
REVIEWERS = _are("reviewer", "maintainer", "admin")
MAINTAINERS = _are("maintainer", "admin")

RULES: Mapping[str, Rule] = {
    "see_work": Rule(roles=EVERYONE),
    "see_questions": Rule(roles=EVERYONE),
    "write_question": Rule(roles=WRITERS),
    "edit": Rule(
        roles=WRITERS,
        states=states_open_to("edit"),
        standing="author",
        overseers=MAINTAINERS,
        refusal="Only its author or a maintainer may change this question.",
    ),
    "mark_ready": Rule(
        roles=WRITERS,
        states=states_open_to("mark_ready"),
        standing="author",
        overseers=MAINTAINERS,
        refusal="Only its author or a maintainer may mark this question ready.",
    ),
    "jot": Rule(roles=WRITERS),
    "pair": Rule(roles=WRITERS),
    "claim": Rule(roles=WRITERS, states=states_open_to("claim")),
    "hand_back": Rule(
        roles=WRITERS,
        states=states_open_to("hand_back"),
        standing="holder",
        overseers=MAINTAINERS,
        refusal="Only the person who holds this task can hand it back.",
    ),
    "record": Rule(
        roles=WRITERS,
        states=states_open_to("record"),
        standing="holder",
        refusal="This task is not claimed by you.",
    ),
    "see_panel": Rule(roles=WRITERS),
    "submit": Rule(
        roles=WRITERS,
        states=states_open_to("submit"),
        standing="holder",
        refusal="This task is not claimed by you.",
    ),
    "see_answers": Rule(roles=REVIEWERS, states=None),
    "approve": Rule(
        roles=REVIEWERS,
        states=states_open_to("approve"),
        standing="not_author",
        refusal="You wrote this answer, so someone else has to review it.",
    ),
    "return": Rule(
        roles=REVIEWERS,
        states=states_open_to("return"),
        standing="not_author",
        refusal="You wrote this answer, so someone else has to review it.",
    ),
    "verify_again": Rule(roles=REVIEWERS, states=states_open_to("verified")),
    "see_page": Rule(
        roles=REVIEWERS | WRITERS,
        standing="author",
        overseers=REVIEWERS,
        refusal="This page belongs to another person's recording.",
    ),
    "see_people": Rule(roles=MAINTAINERS),
}

OPEN: Literal["open"] = "open"
"""Needs no sign-in."""
SIGNED_IN: Literal["signed in"] = "signed in"
"""Needs a sign-in, but no role in a project."""

ROUTES: Mapping[str, str] = {
    "static": OPEN,
    "bootstrap.static": OPEN,
    "accounts.sign_in": OPEN,
    "accounts.sign_out": SIGNED_IN,
    "accounts.choose_project": SIGNED_IN,
    "accounts.pair": "pair",
    "work.home": "see_work",
    "work.people_page": "see_people",
    "questions.listing": "see_questions",
    "questions.new": "write_question",
    "questions.create": "write_question",
    "questions.show": "see_questions",
    "questions.editor": "write_question",
    "questions.save": "write_question",
    "questions.preview": "write_question",
    "seeds.listing": "jot",
    "seeds.set_aside": "jot",
    "seeds.take_back": "jot",
    "tasks.claim": "claim",
    "tasks.hand_back": "hand_back",
    "panel.enter": OPEN,
    "panel.show": "see_panel",
    "panel.answer": "submit",
    "panel.autosave": "see_panel",
    "panel.lint": "see_panel",
    "reviews.queue": "see_answers",
    "reviews.show": "see_answers",
    "reviews.evidence": "see_answers",
    "reviews.decide": "approve",
    "reviews.verify_again": "verify_again",
    "pages.show": "see_page",
    "pages.replay": "see_page",
    "api_pairing.pair": OPEN,
    "api_tasks.show": "record",
    "api_tasks.heartbeat": "record",
    "api_recordings.open_recording": "record",
    "api_recordings.show": "record",
    "api_recordings.events": "record",
    "api_recordings.finish": "record",
    "api_blobs.look": "record",
    "api_blobs.put": "record",
    "api_seeds.start_sites": "jot",
    "api_seeds.create": "jot",
    "api_panels.make": "record",
    "api_time.show": "record",
}
"""The action each route needs. The routes' own verbs look at state and standing; here only roles are asked."""

PANEL_ROUTES = frozenset(
    {"static", "bootstrap.static", "panel.enter", "panel.show", "panel.answer", "panel.autosave", "panel.lint"}
)
"""What a sign-in of the capture window may reach; anything else needs a real sign-in."""


def role_allows(roles: frozenset[Role], action: str) -> bool:
    """Tell whether any of these roles may do an action at all. An action the table does not know is refused.

    >>> role_allows(frozenset({"researcher"}), "approve")
    False
    """
    rule = RULES.get(action)
    return rule is not None and bool(roles & rule.roles)


def require(
    actor: Actor, action: str, *, state: str | None = None, is_author: bool = False, is_holder: bool = False
) -> None:
    """Refuse with NotAllowed (role, standing) or Conflict (state) unless the table allows the action here and now."""
    rule = RULES.get(action)
    if rule is None or not role_allows(actor.roles, action):
        raise NotAllowed("Your role in this project does not include this.")
    stands = {"any": True, "author": is_author, "holder": is_holder, "not_author": not is_author}[rule.standing]
    if not stands and not actor.roles & rule.overseers:
        raise NotAllowed(rule.refusal)
    if rule.states is not None and state is not None and state not in rule.states:
        raise Conflict(f"this question is {WORDS[state]}, so it cannot be {DEEDS.get(action, 'changed')} now")


def allows(
    actor: Actor, action: str, *, state: str | None = None, is_author: bool = False, is_holder: bool = False
) -> bool:
    """Tell what `require` would say, for pages that show a button only where it works."""
    try:
        require(actor, action, state=state, is_author=is_author, is_holder=is_holder)
    except (NotAllowed, Conflict):
        return False
    return True
