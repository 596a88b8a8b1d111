"""Each task: the question, the right answer, and every agent's answer as a diff against it."""

from __future__ import annotations

from collections.abc import Sequence

from exports.evaluation.report.faults import stop_words
from exports.evaluation.report.markup import Child, Html, el
from exports.evaluation.report.view import ReportView, percent
from exports.evaluation.scores import partial_score, tool_calls
from exports.evaluation.scoring import GradedAttempt, label_of
from verifier.answers.answer_version import AnswerVersion
from verifier.scoring.score import CellDiff
from verifier.tasks import Task

ROWS = 40
"""Rows shown of one answer; a count stands for the rest."""
REPLY = 4_000
"""Characters shown of a raw reply."""

MARKS = {
    "matched": ("✓", "right"),
    "wrong": ("✗", "wrong"),
    "missing": ("∅", "missing"),
    "extra": ("+", "too many"),
    "misplaced": ("↕", "out of order"),
}


def task_answers(view: ReportView) -> Html:
    """Return the tasks, each folded; inside, the answers of every agent, folded too where they are exact."""
    run = sorted({one.task.task_id for one in view.graded})
    legend = [el("span", f"{sign} {word}", class_=f"key {status}") for status, (sign, word) in MARKS.items()]
    return el(
        "section",
        el("h2", "Task by task"),
        el("p", legend, class_="legend"),
        [_task(view, view.release.task(task_id)) for task_id in run],
    )


def _task(view: ReportView, task: Task) -> Html:
    attempts = [one for agent in view.agents() for one in view.attempts_of(agent.agent, task.task_id)]
    kind = task.answer_format.type if task.answer_format else task.kind
    verdicts = [
        el("span", f"{_verdict_sign(one)} {_name(one)}", class_=f"verdict {'good' if one.exact == 1 else 'bad'}")
        for one in attempts
    ]
    return el(
        "details",
        el(
            "summary",
            el("span", task.question, class_="question", lang=task.language),
            el("span", kind, class_="chip"),
            el("span", verdicts, class_="verdicts"),
        ),
        _gold(task, attempts[0].gold if attempts else None),
        [_answer(one) for one in attempts],
        class_="task",
        id=f"task-{task.task_id}",
    )


def _gold(task: Task, gold: AnswerVersion | None) -> Html | None:
    if gold is None:
        return None
    rows = [el("tr", [el("td", cell) for cell in row]) for row in gold.rows[:ROWS]]
    head = el("thead", el("tr", [el("th", name, scope="col") for name in gold.header]))
    return el(
        "div",
        el("h3", "Right answer", el("span", f"version {gold.version}, from {gold.valid_from}", class_="counts")),
        el("div", el("table", head, el("tbody", rows)), class_="scroll", tabindex=0),
        _more(len(gold.rows) - ROWS),
        class_="answer",
        lang=task.language,
    )


def _answer(one: GradedAttempt) -> Html:
    figures = f"exact {percent(one.exact, 0)} · right cells {percent(partial_score(one), 0)} · {tool_calls(one)} calls"
    body: list[Child] = []
    if one.grade.status == "unscored":
        body.append(el("p", f"Not scored: {one.grade.reason}.", class_="note"))
    elif one.attempt.reply is None:
        body.append(
            el("p", f"No answer: the agent {stop_words(one.attempt.stop_reason)}. {one.attempt.error}", class_="note")
        )
    else:
        body.append(_diff(one.cells, one.gold.header))
        body.append(_reply(one.attempt.reply))
    faults = f" · {', '.join(one.grade.faults)}" if one.grade.faults else ""
    return el(
        "details",
        el("summary", el("b", _name(one)), el("span", f"{figures}{faults}", class_="counts")),
        body,
        class_="answer",
        open=None if one.exact == 1 else "open",
    )


def _diff(cells: Sequence[CellDiff], header: Sequence[str]) -> Html:
    rows: dict[tuple[int, int], dict[str, CellDiff]] = {}
    for cell in cells:
        place = (0, cell.row) if cell.row is not None else (1, cell.found_row or 0)
        rows.setdefault(place, {})[cell.column] = cell
    ordered = [rows[place] for place in sorted(rows)]
    head = el("thead", el("tr", [el("th", name, scope="col") for name in header]))
    body = [el("tr", [_cell(row.get(name)) for name in header]) for row in ordered[:ROWS]]
    return el(
        "div",
        el("div", el("table", head, el("tbody", body)), class_="scroll", tabindex=0),
        _more(len(ordered) - ROWS),
    )


def _cell(cell: CellDiff | None) -> Html:
    if cell is None:
        return el("td")
    sign, word = MARKS[cell.status]
    texts: list[Child] = []
    if cell.status == "wrong":
        texts = [el("del", cell.found or "blank"), " ", el("ins", cell.expected or "blank")]
    elif cell.status == "missing":
        texts = [el("ins", cell.expected or "blank")]
    else:
        texts = [cell.found if cell.found is not None else cell.expected]
    near = el("span", " nearly", class_="unit") if cell.near else None
    return el("td", el("span", sign, class_="sign", title=word), " ", texts, near, class_=cell.status)


def _reply(reply: str) -> Html:
    cut = reply[:REPLY] + (f"\n… {len(reply) - REPLY} more characters" if len(reply) > REPLY else "")
    return el("details", el("summary", "Reply as it came"), el("pre", cut), class_="raw")


def _more(rows: int) -> Html | None:
    return el("p", f"… {rows} more rows", class_="note") if rows > 0 else None


def _name(one: GradedAttempt) -> str:
    epoch = one.attempt.key.epoch
    return label_of(one.attempt) + (f" · try {epoch + 1}" if epoch else "")


def _verdict_sign(one: GradedAttempt) -> str:
    return "–" if one.exact is None else "✓" if one.exact == 1 else "✗"
