"""`first-result`: searches the question, reads the first page found and takes its first rows. Honest, and poor.

It shows what is to be had without thinking, and is the floor for agents that claim to think.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from exports.agents.agent import AgentResult, TaskView
from exports.tools.tool import Toolbox
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.reply_text import format_reply

LONGEST_ITEM = 60
"""Characters: a longer line is prose, not an element of a list."""


@dataclass(slots=True)
class FirstResult:
    """The baseline that believes the first page."""

    name: str = "first-result"
    config: Mapping[str, Any] = field(default_factory=lambda: {"version": "1", "tools": "1"})
    model: str | None = None
    budget: int | None = 2
    sees_human_path: bool = False

    async def attempt(self, task: TaskView, tools: Toolbox) -> AgentResult:
        """Search once, read once, hand in the first table or lines of the page."""
        if task.answer_format is None:
            return AgentResult(reply=None, stop_reason="no_answer")
        found = await tools.call("search", {"query": task.question})
        if not found.results:
            return AgentResult(reply=None, stop_reason="no_answer")
        page = await tools.call("web_fetch", {"url": found.results[0].url})
        rows = first_rows(page.body, task.answer_format)
        reply = format_reply(task.answer_format.header, rows) if rows else None
        return AgentResult(reply=reply, stop_reason="answer" if rows else "no_answer")

    async def aclose(self) -> None:
        """Nothing is held open."""


def first_rows(text: str, answer_format: AnswerFormat) -> tuple[tuple[str, ...], ...]:
    """Return the first rows of a page that could be an answer of this shape.

    >>> from verifier.answers.answer_format import Column
    >>> first_rows("Ports\\nA page.\\nName\\tYear\\nOban\\t1811", AnswerFormat(type="set", columns=(Column(name="P"),)))
    (('Oban',),)
    """
    width = len(answer_format.columns)
    table = _first_table(text, width)
    if table:
        rows = tuple(tuple(row[:width]) for row in table)
    elif width == 1:
        rows = tuple((line,) for line in _first_lines(text))
    else:
        return ()
    return rows[:1] if answer_format.type == "item" else rows


def _first_table(text: str, width: int) -> Sequence[Sequence[str]]:
    lines = [line.split("\t") for line in text.splitlines()]
    for cells, block in groupby(lines, key=len):
        rows = list(block)
        if cells >= max(2, width) and len(rows) > 1:
            return rows[1:]  # the first row names the columns
    return ()


def _first_lines(text: str) -> Sequence[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()][1:]
    for short, block in groupby(lines, key=lambda line: len(line) <= LONGEST_ITEM):
        items = list(block)
        if short and len(items) > 1:
            return items
    return lines[:1]
