"""Words and helpers all templates share: times, counts, evidence states, what a state is called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from flask import Flask
from flask_login import current_user
from markupsafe import Markup, escape

from annotator_server.clock import from_iso, iso, utc_now
from annotator_server.policy import Actor, allows, role_allows
from annotator_server.workflow.once import new_key
from annotator_server.workflow.reviewing import DOUBT, REASONS
from annotator_server.workflow.signing_in import projects_of
from verifier.answers.answer_version import EvidenceState


class EvidenceWords(NamedTuple):
    """How an evidence state is shown: an icon's name, a word, and a sentence for those who hover."""

    icon: str
    word: str
    meaning: str


EVIDENCE: Mapping[EvidenceState, EvidenceWords] = {
    "proven": EvidenceWords("check", "proven", "A recorded passage says exactly this"),
    "derived": EvidenceWords("func", "derived", "Worked out from recorded passages"),
    "consulted": EvidenceWords("ring", "consulted", "The page was visited, but no passage proves the cell"),
    "near": EvidenceWords("near", "near", "A recorded page says almost this"),
    "conflict": EvidenceWords("bolt", "conflict", "Recorded pages disagree about this cell"),
    "none": EvidenceWords("cross", "none", "No recorded page speaks for this cell"),
}

GIVEN: Mapping[str, str] = {
    "paste": "pasted from this page",
    "mark": "marked on this page by the annotator",
    "review": "marked on this page by a reviewer",
}
"""How a passage is called that a person pointed at, not the verifier."""

STATES: Mapping[str, str] = {
    "draft": "Draft",
    "ready": "Ready",
    "claimed": "Claimed",
    "recording": "Recording",
    "submitted": "Being checked",
    "in_review": "In review",
    "returned": "Returned",
    "approved": "Approved",
}


def init_words(app: Flask) -> None:
    """Make the helpers known to all templates."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.add_template_filter(time_tag, "time")
    app.add_template_filter(clock_time)
    app.add_template_filter(duration)
    app.context_processor(_words)


def _words() -> dict[str, object]:
    actor: Actor | None = getattr(current_user, "actor", None)
    return {
        "me": actor,
        "my_projects": projects_of(actor.user_id) if actor and actor.panel_task is None else [],
        "may": lambda action: actor is not None and role_allows(actor.roles, action),
        "may_now": lambda action, **facts: actor is not None and allows(actor, action, **facts),
        "evidence_words": {state: EVIDENCE[state] for state in DOUBT},
        "given_words": GIVEN,
        "state_words": STATES,
        "reason_words": REASONS,
        "new_key": new_key,
    }


def time_tag(moment: datetime | str | None) -> Markup:
    """Write a moment as a `<time>`: relative for the eye, UTC on hover (a script adds the local time)."""
    if moment is None:
        return Markup("")
    moment = from_iso(moment) if isinstance(moment, str) else moment
    seconds = (utc_now() - moment).total_seconds()
    return Markup('<time datetime="{}" title="{} UTC">{}</time>').format(
        iso(moment), moment.strftime("%Y-%m-%d %H:%M:%S"), _relative(seconds)
    )


def clock_time(moment: datetime | str | None) -> Markup:
    """Write a moment as a time of day, the whole moment on hover."""
    if moment is None:
        return Markup("")
    moment = from_iso(moment) if isinstance(moment, str) else moment
    return Markup('<time datetime="{}" title="{} UTC">{}</time>').format(
        iso(moment), moment.strftime("%Y-%m-%d %H:%M:%S"), escape(moment.strftime("%H:%M:%S"))
    )


def duration(seconds: float) -> str:
    """Write a length of time the way people say it.

    >>> duration(200)
    '3 min 20 s'
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def _relative(seconds: float) -> str:
    size = abs(seconds)
    if size < 45:
        return "just now" if seconds >= 0 else "in a moment"
    for limit, unit, name in ((5400, 60, "min"), (129600, 3600, "h"), (float("inf"), 86400, "d")):
        if size < limit:
            count = max(1, round(size / unit))
            return f"{count} {name} ago" if seconds > 0 else f"in {count} {name}"
    raise AssertionError("unreachable: the last limit is infinite")
