"""`replay-human`: goes the recorded path through the agent's own tools and reads each cell where a person found it.

It knows where to look, not what is there: it gets the recording and the links of the answer, never the rows. What the
tools do not bring back stays blank, and so does a cell that no passage proves: pages behind a count or a near match are
read, but their words are not the cell. So it measures the recorded web and the evidence, and is the ceiling for agents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from browser_capture.trajectory import Trajectory
from browser_capture.urls import strict_key
from exports.agents.agent import AgentResult, HumanPath, LinkedPassage, TaskView
from exports.agents.passages import find_passage
from exports.errors import AgentFailed
from exports.recorded_web.query_keys import exact_key
from exports.tools.tool import Toolbox
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.reply_text import format_reply
from verifier.evidence.quote_value import cell_from_quote


class Step(NamedTuple):
    """A thing to do again: a search (`url` is empty) or a page to read (`query` is empty)."""

    query: str = ""
    start: int = 0
    url: str = ""


@dataclass(slots=True)
class ReplayHuman:
    """The baseline that repeats a person's search."""

    name: str = "replay-human"
    config: Mapping[str, Any] = field(default_factory=lambda: {"version": "2"})
    model: str | None = None
    budget: int | None = None
    """None: people are not counted either."""
    sees_human_path: bool = True

    async def attempt(self, task: TaskView, tools: Toolbox) -> AgentResult:
        """Repeat the search and hand in what the tools showed at the linked places."""
        path, answer_format = task.human_path, task.answer_format
        if path is None or not path.links or answer_format is None:
            raise AgentFailed(f"replay-human needs a recording with evidence, and task {task.task_id} has none")
        pages: dict[str, str] = {}
        for step in steps(path):
            if step.url:
                pages[strict_key(step.url)] = await _read(tools, step.url)
            else:
                reply = await tools.call("search", {"query": step.query, "start": step.start})
                pages[""] = f"{pages.get('', '')}\n{reply.text}"
        rows = _rows(path, answer_format, pages)
        return AgentResult(reply=format_reply(answer_format.header, rows), stop_reason="answer")

    async def aclose(self) -> None:
        """Nothing is held open."""


def steps(path: HumanPath) -> list[Step]:
    """Return what to do, in the order of the recording: each query, then the linked pages that were read after it.

    Queries whose result page was not kept (a consent page, an unfinished load) cannot be asked again and are left out.
    """
    trajectory = path.trajectory
    first_seen: dict[str, int] = {}
    for visit in trajectory.visits:
        first_seen.setdefault(strict_key(visit.url), visit.seq)
    linked = {strict_key(link.url): link.url for link in path.links}
    result_pages = _result_page_keys(trajectory)
    late = trajectory.last_seq + 1
    timed = [(first_seen.get(key, late), Step(url=url)) for key, url in linked.items() if key not in result_pages]
    shown = {(exact_key(page.text), page.start) for page in trajectory.result_pages if page.status in ("ok", "empty")}
    timed += [
        (query.seq, Step(query=query.text, start=query.start))
        for query in trajectory.queries
        if (exact_key(query.text), query.start) in shown
    ]
    return [step for _, step in sorted(timed, key=lambda pair: pair[0])]


def _result_page_keys(trajectory: Trajectory) -> set[str]:
    visits = {page.visit for page in trajectory.result_pages}
    return {strict_key(visit.url) for visit in trajectory.visits if visit.is_result_page or visit.visit in visits}


async def _read(tools: Toolbox, url: str) -> str:
    """Return a page's whole text, read part by part."""
    reply = await tools.call("web_fetch", {"url": url})
    text = reply.body
    while reply.next_start is not None:
        start = reply.next_start
        reply = await tools.call("web_fetch", {"url": url, "start": start})
        text = text[:start] + reply.body
    return text


def _rows(path: HumanPath, answer_format: AnswerFormat, pages: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    links = path.links
    by_cell: dict[tuple[int, str], list[LinkedPassage]] = {}
    for link in links:
        if link.state == "proven":
            by_cell.setdefault((link.row, link.column), []).append(link)
    height = max(link.row for link in links) + 1
    return tuple(
        tuple(
            next(_values(by_cell.get((row, column.name), []), answer_format, pages), "")
            for column in answer_format.columns
        )
        for row in range(height)
    )


def _values(links: Iterable[LinkedPassage], answer_format: AnswerFormat, pages: Mapping[str, str]) -> Iterator[str]:
    columns = {column.name: column for column in answer_format.columns}
    for link in links:
        # A link into a result page is looked for in what the search tool showed.
        text = pages.get(strict_key(link.url), pages.get("", ""))
        passage = find_passage(text, link.quote, link.prefix, link.suffix)
        value = cell_from_quote(passage, columns[link.column]) if passage else ""
        if value:
            yield value
