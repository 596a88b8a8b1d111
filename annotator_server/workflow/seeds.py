"""Seeds: kept as a machine sends them, listed for their author, turned into one question each or set aside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import BadInput, Conflict, NotFound
from annotator_server.models.questions import Question
from annotator_server.models.seeds import Seed
from annotator_server.policy import Actor, require
from annotator_server.workflow.audit import note
from browser_capture.events import Event
from browser_capture.urls import is_web

PAGE = 100
_LONGEST = {"title": 500, "quote": 4_000, "question": 20_000, "topic": 200}


class SeedPage(NamedTuple):
    """A person's seeds: those that wait, those that became questions, those set aside; the newest first."""

    waiting: Sequence[Seed]
    became: Sequence[Seed]
    set_aside: Sequence[Seed]


def keep_seed(actor: Actor, event: Event) -> tuple[Seed, bool]:
    """Keep what a `jot` event says and return it, and whether it is new. Raises BadInput for what is no jot."""
    require(actor, "jot")
    said = _read(event)
    with writing() as session:
        known = session.scalar(select(Seed).where(Seed.author_id == actor.user_id, Seed.name == event.session))
        if known is not None:
            return known, False
        seed = Seed(
            project_id=actor.project_id,
            author_id=actor.user_id,
            name=event.session,
            url=event.url or "",
            **said,
            jotted_at=datetime.fromtimestamp(event.t_wall / 1000, UTC),
            received_at=utc_now(),
        )
        session.add(seed)
        session.flush()
        note(session, actor.project_id, actor.user_id, "seed_jotted", str(seed.id))
        return seed, True


def seed_of(session: Session, actor: Actor, seed_id: int, *, to_change: bool = False) -> Seed:
    """Return a seed of the actor's own. Raises NotFound for any other."""
    query = select(Seed).where(Seed.id == seed_id, Seed.author_id == actor.user_id, Seed.project_id == actor.project_id)
    query = query.options(joinedload(Seed.became))
    seed = session.scalar(query.with_for_update(of=Seed) if to_change else query)
    if seed is None:
        raise NotFound("there is no such seed of yours in this project")
    return seed


def seed_behind(session: Session, question: Question) -> Seed | None:
    """Return the seed that became a question, if one did."""
    return session.scalar(select(Seed).where(Seed.question_id == question.id))


def use_seed(session: Session, actor: Actor, seed_id: int, question: Question) -> None:
    """Let a seed become this question, inside the question's own transaction. Raises Conflict when it is another."""
    seed = seed_of(session, actor, seed_id, to_change=True)
    if seed.became is not None:
        raise Conflict(f"this seed has become question {seed.became.number} already; a seed leads to one question")
    seed.question_id, seed.set_aside_at = question.id, None


def seeds_page(actor: Actor) -> SeedPage:
    """Return a person's seeds."""
    mine = (
        select(Seed)
        .where(Seed.author_id == actor.user_id, Seed.project_id == actor.project_id)
        .options(joinedload(Seed.became))
        .order_by(Seed.jotted_at.desc(), Seed.id.desc())
        .limit(PAGE)
    )
    session = db.session()
    return SeedPage(
        session.scalars(mine.where(Seed.question_id.is_(None), Seed.set_aside_at.is_(None))).all(),
        session.scalars(mine.where(Seed.question_id.is_not(None))).all(),
        session.scalars(mine.where(Seed.question_id.is_(None), Seed.set_aside_at.is_not(None))).all(),
    )


def waiting_seeds(actor: Actor, limit: int = 5) -> Sequence[Seed]:
    """Return the newest seeds of a person that wait to become questions."""
    return seeds_page(actor).waiting[:limit]


def set_aside(actor: Actor, seed_id: int, *, aside: bool) -> None:
    """Set a seed aside, or take it back. One that became a question is left as it is."""
    require(actor, "jot")
    with writing() as session:
        seed = seed_of(session, actor, seed_id, to_change=True)
        if seed.question_id is None and (seed.set_aside_at is not None) != aside:
            seed.set_aside_at = utc_now() if aside else None
            note(
                session, actor.project_id, actor.user_id, "seed_set_aside" if aside else "seed_taken_back", str(seed_id)
            )


def _read(event: Event) -> dict[str, str]:
    if event.type != "jot" or not 1 <= len(event.session) <= 80:
        raise BadInput("this is no jot")
    if not is_web(event.url or "") or len(event.url or "") > 8_000:
        raise BadInput("a jot names the page it came up on, by an address of the web")
    said = {name: str(event.data.get(name) or "").strip() for name in _LONGEST}
    for name, text in {**said, "url": event.url or "", "session": event.session}.items():
        if len(text) > _LONGEST.get(name, 8_000):
            raise BadInput(f"{name!r} is longer than {_LONGEST[name]:,} characters")
        if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
            raise BadInput(f"{name!r} holds a character that is no text")
    try:
        at = datetime.fromtimestamp(event.t_wall / 1000, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise BadInput("a jot says when it was made") from error
    if not datetime(2020, 1, 1, tzinfo=UTC) < at < utc_now() + timedelta(days=2):
        raise BadInput(f"the machine's clock says {at:%Y-%m-%d}: set it, then send again")
    return said
