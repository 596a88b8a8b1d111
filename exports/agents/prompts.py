"""What agents on a language model are told, in one place and with a version that travels into every attempt."""

from __future__ import annotations

from exports.agents.agent import TaskView
from verifier.answers.reply_text import prompt_rules

VERSION = "2"

CLOSED_BOOK = """Answer the question from what you know. You have no tools and cannot ask back. Leave a cell blank \
rather than guess.

Today is {as_of}.

{rules}

Question:
{question}"""


def closed_book_prompt(task: TaskView) -> str:
    """Return the prompt of a model without tools."""
    return CLOSED_BOOK.format(as_of=task.as_of, rules=_rules(task), question=task.question)


def _rules(task: TaskView) -> str:
    return prompt_rules(task.answer_format) if task.answer_format else "Answer in a few sentences."
