"""One task as a film-strip: query, results, page, cell, with the person above and the agents below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from browser_capture.page_store import PageStore
from browser_capture.trajectory import ResultPage, Trajectory, Visit
from browser_capture.urls import fetch_key, host, strict_key
from exports.evaluation.report.markup import Html, el
from exports.evaluation.report.view import ReportView, percent
from exports.evaluation.scores import partial_score
from exports.evaluation.scoring import GradedAttempt, label_of
from verifier.answers.answer_version import AnswerVersion, EvidenceLink, EvidenceState

LISTED = 4
"""Results shown in a frame."""
CELLS = 3
"""Passages shown in a frame."""
PAGES = 8
"""Pages shown in a strip; a count stands for the rest."""
AGENTS = 3
SIGNS: Mapping[EvidenceState, str] = {
    "proven": "✓",
    "derived": "ƒ",
    "consulted": "○",
    "near": "≈",
    "conflict": "⚡",
    "none": "✗",
}
"""The signs a reviewer sees beside a cell."""


class Notes(NamedTuple):
    """What is written into the frames of a strip: by page (strict key), or by the number of the call."""

    links: Mapping[str, Sequence[EvidenceLink]] = {}
    matched: Mapping[int, str] = {}
    found: Mapping[str, str] = {}


def film_strip(view: ReportView) -> Html | None:
    """Return the strips of one task; None when the release holds no recording of a task that was run."""
    task_id = _telling_task(view)
    if task_id is None:
        return None
    answer = view.release.answers_of(task_id)[-1]
    person = view.release.trajectory(answer.trajectory) or view.release.trajectories_of(task_id)[-1]
    attempts = [view.first_attempt(agent.agent, task_id) for agent in view.agents()]
    moving = [one for one in attempts if one and one.attempt.trajectory and one.attempt.trajectory.queries]
    return el(
        "section",
        el("h2", "One task, from query to cell"),
        el("p", view.release.task(task_id).question, class_="question"),
        _strip("Person", "", person, _frames(person, _person_notes(answer))),
        [_agent_strip(one, view.release.store) for one in moving[:AGENTS]],
        class_="film",
    )


def _telling_task(view: ReportView) -> str | None:
    """Return the task with the most columns and the shortest path: it shows most in least room."""
    run = {one.task.task_id for one in view.graded}
    tasks = [task for task in view.release.tasks if task.task_id in run and view.release.trajectories_of(task.task_id)]
    if not tasks:
        return None
    width = {task.task_id: len(task.answer_format.columns) if task.answer_format else 0 for task in tasks}
    links = {task.task_id: len(view.release.answers_of(task.task_id)[-1].evidence) for task in tasks}
    return min(width, key=lambda task_id: (-width[task_id], links[task_id], task_id))


def _agent_strip(one: GradedAttempt, store: PageStore) -> Html:
    trajectory = one.attempt.trajectory
    assert trajectory is not None  # noqa: S101 - the caller chose those that have one
    figures = f"exact {percent(one.exact, 0)} · right cells {percent(partial_score(one), 0)}"
    notes = Notes(
        matched={call.seq: call.matched for call in one.attempt.calls if call.matched},
        found=_cells_on_pages(one, trajectory, store),
    )
    return _strip(label_of(one.attempt), figures, trajectory, _frames(trajectory, notes))


def _strip(name: str, figures: str, trajectory: Trajectory, frames: Sequence[Html]) -> Html:
    pages = len({strict_key(visit.url) for visit in trajectory.visits if not visit.is_result_page})
    counts = f"{_count(len(trajectory.queries), 'query', 'queries')}, {_count(pages, 'page', 'pages')}"
    return el(
        "div",
        el("h3", name, el("span", " · ".join(part for part in (counts, figures) if part), class_="counts")),
        el("ol", frames, class_="frames", tabindex=0, aria_label=f"Path of {name}"),
        class_="strip",
    )


def _person_notes(answer: AnswerVersion) -> Notes:
    links: dict[str, list[EvidenceLink]] = {}
    for link in answer.evidence:
        links.setdefault(strict_key(link.url), []).append(link)
    return Notes(links=links)


def _frames(trajectory: Trajectory, notes: Notes) -> list[Html]:
    opened = {fetch_key(visit.url) for visit in trajectory.visits}
    timed = [(query.seq, _query_frame(query.text, notes.matched.get(query.seq, ""))) for query in trajectory.queries]
    timed += [(page.seq, _results_frame(page, opened)) for page in trajectory.result_pages]
    first_visits = {strict_key(visit.url): visit for visit in reversed(trajectory.visits) if not visit.is_result_page}
    pages = sorted(first_visits.items(), key=lambda pair: pair[1].seq)
    for key, visit in pages[:PAGES]:
        title = visit.title or _title(trajectory, key) or visit.url
        timed.append((visit.seq, _page_frame(key, title, visit, notes)))
    frames = [frame for _, frame in sorted(timed, key=lambda pair: pair[0])]
    more = len(pages) - PAGES
    return [*frames, el("li", f"+ {more} more pages", class_="frame more")] if more > 0 else frames


def _query_frame(text: str, matched: str) -> Html:
    return el("li", el("span", "Query", class_="kind"), el("q", text), _chip(matched), class_="frame query")


def _results_frame(page: ResultPage, opened: set[str]) -> Html:
    rows = [
        el("li", result.title, class_="opened" if fetch_key(result.url) in opened else None)
        for result in page.results[:LISTED]
    ]
    rest = len(page.results) - LISTED
    return el(
        "li",
        el("span", f"{len(page.results)} results", class_="kind"),
        el("ol", rows, class_="results"),
        el("span", f"+ {rest} more", class_="rest") if rest > 0 else None,
        class_="frame",
    )


def _page_frame(key: str, title: str, visit: Visit, notes: Notes) -> Html:
    links = notes.links.get(key, [])
    rest = len(links) - CELLS
    return el(
        "li",
        el("span", "Page", class_="kind"),
        el("strong", title),
        el("span", host(visit.url), class_="host"),
        _chip(notes.matched.get(visit.seq, "")),
        el("ul", [_passage(link) for link in links[:CELLS]], class_="cells") if links else None,
        el("span", f"+ {rest} more cells", class_="rest") if rest > 0 else None,
        el("span", notes.found[key], class_="found") if key in notes.found else None,
        class_="frame page",
    )


def _passage(link: EvidenceLink) -> Html:
    place = f"row {link.row + 1} · {link.column}"
    doubt = "" if link.state == "proven" else f" · {link.state}"
    return el(
        "li",
        el("span", _tail(link.prefix), el("mark", link.quote), _head(link.suffix), class_="passage"),
        el("span", f"{SIGNS[link.state]} {place}{doubt}", class_="cell doubt" if doubt else "cell"),
    )


def _cells_on_pages(one: GradedAttempt, trajectory: Trajectory, store: PageStore) -> dict[str, str]:
    """Return, for each page an agent read, how many cells of its answer stand there word for word."""
    cells = [cell.found for cell in one.cells if cell.found]
    texts = {strict_key(snapshot.url): store.get(snapshot.text_sha).decode() for snapshot in trajectory.snapshots}
    return {
        key: f"holds {sum(cell in text for cell in cells)} of {len(cells)} cells of the answer"
        for key, text in texts.items()
        if cells
    }


def _title(trajectory: Trajectory, key: str) -> str:
    return next((snapshot.title for snapshot in trajectory.snapshots if strict_key(snapshot.url) == key), "")


def _chip(matched: str) -> Html | None:
    return el("span", matched, class_="chip") if matched else None


def _tail(text: str) -> str:
    return f"…{' '.join(text.split())[-24:]} " if text.strip() else ""


def _head(text: str) -> str:
    return f" {' '.join(text.split())[:24]}…" if text.strip() else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
