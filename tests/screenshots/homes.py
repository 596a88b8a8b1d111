"""An amount of rows comes in, a filled server goes out: so many questions in one project, a long answer in another."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

from flask import Flask
from sqlalchemy import select

from annotator_server import config, revisions
from annotator_server.app import create_app
from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.models.accounts import Project, User
from annotator_server.models.answers import AnswerRow
from annotator_server.models.questions import Question
from annotator_server.models.reports import ReportRow
from annotator_server.models.reviews import Review
from annotator_server.models.tasks import Task
from annotator_server.policy import Actor
from annotator_server.workflow import claiming, drafts, pairing, people, reviewing, seeds, signing_in, submission
from annotator_server.workflow import writing as questions
from annotator_server.workflow.cell_origins import CellOrigin, How
from annotator_server.workflow.once import new_key
from annotator_server.workflow.verification import run_verification
from annotator_server.workflow.writing import QuestionText
from browser_capture.events import Event
from tests.annotator_server.conftest import A_QUESTION, upload
from tests.annotator_server.recorded_search import SEARCH, RecordedSearch, recorded_search

MANY, ONE = "Many questions", "One question"
"""The projects: lists are shown in the first, the pages of a single question in the second."""

PEOPLE = {"Ana Lind": "annotator", "Rita Okafor": "reviewer", "Otto Brandt": "admin", "Noor Haddad": "researcher"}
ANA, RITA, OTTO, NOOR = PEOPLE

STATES = ("in_review", "ready", "draft", "approved", "in_review", "returned", "in_review")
"""Where the questions of a list stand, over and over."""

WORDS = ("aifc", "asynchat", "cgi", "crypt", "imp", "nntplib", "optparse", "telnetlib", "xdrlib", "distutils")
AN_ITEM = replace(
    A_QUESTION,
    text="In which year was the module aifc deprecated? Answer with the year as YYYY.",
    form={
        "type": "item",
        "columns": [{"name": "", "type": "date", "key": False, "date_format": "YYYY", "null_marker": ""}],
        "sort": [],
    },
)
HOWS: tuple[How | Literal["edited"], ...] = ("paste", "paste", "typed", "paste", "outside", "edited", "mark")
"""Where the cells of a pasted answer came from, over and over."""

RULES = (
    ("banned_host", "chatgpt.com", "https://chatgpt.com/", "v2"),
    ("engine", "bing", "https://www.bing.com/search?q=superseded+modules", "v2"),
    ("ai_summary_expanded", "an AI summary was opened", SEARCH, "v1"),
)
"""How a search touched the project's rules."""

JOTS = (
    ("Which of these modules were superseded twice?", "The module was deprecated since version 3.11.", "Python"),
    ("", "Of the forty-one lights that were lit on the northern coast before 1850, nine still burn. " * 8, ""),
    ("Who built the ferry piers of the islands, and when was each one rebuilt after the flood? " * 6, "", "Ferries"),
)
"""Question, quote and topic of what was jotted, over and over."""

COLUMNS = ("Module", "Since", "Removed")
LIST_PAGE = "https://docs.example.org/modules/superseded/index.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledHome:
    """A server's app, ready to be served, with what stands in it."""

    app: Flask
    places: Mapping[str, str]
    """Ids of the questions and pages, by the word that stands for them in an address."""

    def cookie(self, person: str, project: str) -> tuple[str, str]:
        """Return the name and value of the cookie with which a person works in a project."""
        browser = self.app.test_client()
        with self.app.app_context():
            user, place = _user(person), _project(project)
            with writing() as session:
                secret = signing_in.open_session(session, user.id, place.id, timedelta(hours=1))
        with browser.session_transaction() as kept:
            kept["_user_id"] = secret
        name = self.app.config["SESSION_COOKIE_NAME"]
        found = browser.get_cookie(name)
        assert found is not None
        return name, found.value


def fill_home(home: Path, rows: int) -> FilledHome:
    """Make a home in which every list and every answer has so many rows."""
    config.create_home(home)
    app = create_app(home, jobs_at_once=True)
    with app.app_context():
        revisions.upgrade_database(config.load_settings(home))
        for project in (MANY, ONE):
            people.ensure_project(project)
            for name, role in PEOPLE.items():
                email = f"{name.partition(' ')[0].lower()}@example.org"
                people.add_person(email, role, name=name, password="correct horse", project=project)
        _fill_lists(rows)
        _fill_seeds(min(rows, 60))
        places = _fill_questions(app, home, rows)
        db.session.remove()
    return FilledHome(app=app, places=places)


def answer_rows(rows: int) -> list[list[str]]:
    """Return the rows of an answer; every seventh says what no recorded page says.

    >>> answer_rows(2)
    [['aifc', '3.0', '3.13'], ['asynchat', '3.1', '']]
    """
    return [
        [name, f"3.{number % 12}" if number % 7 != 6 else "2.4.1", "3.13" if number % 3 == 0 else ""]
        for number, name in enumerate(_names(rows))
    ]


def _names(rows: int) -> Iterator[str]:
    for number in range(rows):
        turn = number // len(WORDS)
        yield WORDS[number % len(WORDS)] + (f".part{turn}" if turn else "")


def _csv(rows: int) -> str:
    return "".join(f"{','.join(row)}\n" for row in [["Module", "Since", "Removed"], *answer_rows(rows)])


def _pasted_csv(rows: int) -> str:
    """An answer with everything one meets in it: long texts, a row out of order, a key left out."""
    if rows == 0:
        return ""
    few = [["optparse", "3.2", ""], ["aifc", "3.11", "3.13"], ["", "3.3", "never"]]
    long = "Deprecated since version 3.11, will be removed in version 3.13: " * 3
    many = [[name, since, removed] for name, since, removed in answer_rows(100)]
    many[1][1] = long.strip()
    table = [["Module", "Since", "Removed"], *(few if rows == 1 else many)]
    return "".join(",".join(f'"{cell}"' if "," in cell else cell for cell in row) + "\n" for row in table)


def _origins(rows: int) -> list[CellOrigin]:
    _, *table = csv.reader(io.StringIO(_pasted_csv(rows))) if rows else [[]]
    found = []
    for number, (row, name, value) in enumerate(
        (row, name, value) for row, cells in enumerate(table) for name, value in zip(COLUMNS, cells, strict=True)
    ):
        word = HOWS[number % len(HOWS)]
        how: How = "paste" if word == "edited" else word
        text = f"{value} " if word != "edited" else "something else that was copied"
        if value:
            origin = CellOrigin(row=row, column=name, value=value, how=how)
            at = "2026-09-21T14:13:20Z"
            copied = replace(origin, session="s-1", seq=number, url=LIST_PAGE, at=at, text=text)
            found.append(copied if how != "typed" else origin)
    return found


def _recording(task: str, rows: int) -> RecordedSearch:
    said = "\n".join(
        f"{name}\tDeprecated since version 3.{number % 12}{', removed in version 3.13' if number % 3 == 0 else ''}."
        for number, name in enumerate(_names(rows))
    )
    pages = {
        SEARCH: ("superseded modules - Search", "Superseded modules\nThe list of what is no longer kept up"),
        LIST_PAGE: ("Superseded modules: what to use instead, version by version", f"Superseded modules\n{said}"),
    }
    touched = [
        {"type": "policy", "src": "rec", "url": url, "visit": visit, "data": {"rule": rule, "detail": detail}}
        for rule, detail, url, visit in RULES
    ]
    copy = {
        "type": "copy",
        "src": "dom",
        "url": LIST_PAGE,
        "visit": "v2",
        "data": {"text": "3.0", "prefix": "version "},
    }
    return recorded_search(task, f"s-{task}", pages, copies=[copy, *touched])


def _known_cells(task: str, rows: int) -> list[CellOrigin]:
    """The first row as a person fills it: one value pasted from the page, the others typed."""
    _, *table = csv.reader(io.StringIO(_csv(rows)))
    first = {name: value for name, value in zip(COLUMNS, table[0], strict=True) if value}
    typed = [CellOrigin(row=0, column=name, value=value, how="typed") for name, value in first.items()]
    pasted = replace(typed[1], how="paste", session=f"s-{task}", seq=10, text="3.0")
    return [typed[0], pasted, *typed[2:]]


# ---- One question ------------------------------------------------------------------------------
def _fill_questions(app: Flask, home: Path, rows: int) -> dict[str, str]:
    ana = _actor(ANA, ONE)
    columns = [
        {**A_QUESTION.form["columns"][0], "name": f"Column {number}", "key": number == 1}
        for number in range(1, 41 if rows > 1 else 2)
    ]
    form = {**A_QUESTION.form, "columns": columns, "sort": [{"column": "Column 1", "direction": "ascending"}]}
    longer = "\n\n".join([A_QUESTION.text] * (8 if rows > 1 else 1))
    draft = replace(A_QUESTION, form=form, text=longer, seed_url=LIST_PAGE, seed_quote="Superseded modules")
    places = {"draft": questions.write_question(ana, draft, new_key())}
    places["held"] = _held(ana)
    places["item"] = _held(ana, AN_ITEM)
    places["pasted"] = _held(ana)
    if rows:
        jotted = _jot(ana, 0)
        with writing() as session:
            seeds.use_seed(session, ana, jotted, _question_row(places["draft"]))
        places["seed"] = str(_jot(ana, rows if rows > 1 else 3))
    drafts.save_draft(ana, places["pasted"], "answer", _pasted_csv(rows), 0, _origins(rows))
    if rows:
        drafts.save_draft(ana, places["held"], "answer", _csv(rows), 0)
        places |= _answered(app, home, ana, rows)
    return places


def _question_row(public_id: str) -> Question:
    return db.session.scalars(select(Question).where(Question.public_id == public_id)).one()


def _jot(ana: Actor, number: int) -> int:
    question, quote, topic = JOTS[number % len(JOTS)]
    data = {"question": question, "quote": quote, "topic": topic, "title": "Superseded modules: what to use instead"}
    at = round((utc_now() - timedelta(minutes=7 * number + 5)).timestamp() * 1000)
    name = f"jot-{ana.project_id}-{number}"
    event = Event(session=name, seq=1, type="jot", src="panel", t_wall=at, t_mono=1, url=LIST_PAGE, data=data)
    return seeds.keep_seed(ana, event)[0].id


def _held(ana: Actor, question: QuestionText = A_QUESTION) -> str:
    task = questions.write_question(ana, question, new_key())
    questions.mark_ready(ana, task, 1)
    claiming.claim(ana, task, 120)
    return task


def _answered(app: Flask, home: Path, ana: Actor, rows: int) -> dict[str, str]:
    """One question whose answer waits for a verdict, one whose answer came back and is held again."""
    store, places = config.page_store(home), {}
    token = pairing.redeem_code(pairing.show_code(ana).code, "desk", "127.0.0.1").token
    headers = {"Authorization": f"Bearer {token}"}
    for word in ("answered", "returned"):
        task = places[word] = _held(ana)
        recording = _recording(task, rows)
        upload(app.test_client(), headers, task, recording)
        handed_in = submission.submit_answer(
            ana, task, _csv(rows).encode(), 1, new_key(), store, origins=_known_cells(task, rows)
        )
        assert handed_in.job_id is not None
        run_verification(handed_in.job_id, store, config.load_settings(home))
        places["page"] = next(
            sha for sha, data in recording.blobs.items() if data.startswith(b"{") and LIST_PAGE.encode() in data
        )
    rita = _actor(RITA, ONE)
    reviewing.return_answer(rita, places["returned"], 1, ["missing_rows", "format"], "Three modules are missing.")
    claiming.claim(ana, places["returned"], 120)
    return places


# ---- Many questions ----------------------------------------------------------------------------
def _fill_lists(rows: int) -> None:
    """Insert questions in every state at once: a thousand recordings would take an hour and look the same in a list."""
    ana, rita = _actor(ANA, MANY), _actor(RITA, MANY)
    slug = db.session.scalars(select(Project.slug).where(Project.id == ana.project_id)).one()
    with writing() as session:
        now = utc_now()
        for number in range(1, rows + 1):
            state, at = STATES[(number - 1) % len(STATES)], now - timedelta(minutes=7 * (rows - number))
            question = Question(
                project_id=ana.project_id,
                number=number,
                public_id=f"{slug}-{number}",
                author_id=ana.user_id,
                version=1,
                created_at=at,
            )
            session.add(question)
            session.flush()
            version = questions.unsaved_version(_question(number))
            version.question_id, version.author_id, version.created_at = question.id, ana.user_id, at
            session.add_all(
                [version, Task(project_id=ana.project_id, question_id=question.id, state=state, state_since=at)]
            )
            if state not in ("draft", "ready"):
                answer = AnswerRow(
                    question_id=question.id,
                    version=1,
                    question_version=1,
                    author_id=ana.user_id,
                    header=["Module", "Since", "Removed"],
                    rows=answer_rows(number % 40 + 1),
                    raw_sha="",
                    valid_from=at.date().isoformat(),
                    created_at=at,
                )
                session.add(answer)
                session.flush()
                session.add_all(_judged(answer, state, rita))


def _fill_seeds(rows: int) -> None:
    ana = _actor(ANA, MANY)
    found = [_jot(ana, number) for number in range(rows)]
    for seed in found[:2] if rows > 1 else ():
        seeds.set_aside(ana, seed, aside=True)
    for seed, question in zip(found[2:5], db.session.scalars(select(Question).limit(3)).all(), strict=False):
        with writing() as session:
            seeds.use_seed(session, ana, seed, question)


def _question(number: int) -> QuestionText:
    topics = ("Python", "Lighthouses of the northern coast", "Ferries", "")
    return replace(
        A_QUESTION,
        text=f"{A_QUESTION.text[: 60 + 37 * number % 150]} ({number})",
        topic=topics[number % len(topics)],
        temporal="live" if number % 5 == 0 else "stable",
        cadence_days=30 if number % 5 == 0 else None,
    )


def _judged(answer: AnswerRow, state: str, rita: Actor) -> Iterator[ReportRow | Review]:
    cells = 3 * len(answer.rows)
    counts = {"proven": cells - cells // 4 - cells // 7, "consulted": cells // 4, "none": cells // 7}
    verdict = "warn" if counts["none"] else "pass"
    yield ReportRow(
        answer_version_id=answer.id, verdict=verdict, counts=counts, body="{}", created_at=answer.created_at
    )
    if state in ("approved", "returned"):
        yield Review(
            answer_version_id=answer.id,
            reviewer_id=rita.user_id,
            verdict="approve" if state == "approved" else "return",
            reasons=[] if state == "approved" else ["missing_rows"],
            comment="" if state == "approved" else "The list ends at the first page; look at the second one too.",
            created_at=answer.created_at,
        )


def _user(name: str) -> User:
    return db.session.scalars(select(User).where(User.name == name)).one()


def _project(name: str) -> Project:
    return db.session.scalars(select(Project).where(Project.name == name)).one()


def _actor(person: str, project: str) -> Actor:
    found = signing_in.actor_in(_user(person), _project(project).id)
    assert found is not None
    return found
