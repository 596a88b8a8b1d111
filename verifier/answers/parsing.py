"""A model's reply comes in, header and rows go out, and every deviation from the asked form is named.

The last complete `<answer>` counts, in it the last `tsv` block (else `csv`, else unlabelled, else any; else the text).
Thoughts between `<think>` tags are no part of it. A reply is text, never a path. Columns are put in the order of the
format; a bad row costs that row only. A reply may be of any size: it is read in one pass, and no further than
`written_cells` says.
"""

from __future__ import annotations

import re

from verifier.answers.alignment import ParsedAnswer, align
from verifier.answers.answer_block import answer_rows
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.faults import FAULTS
from verifier.answers.headers import shown_key
from verifier.answers.html_tables import without_html_tables
from verifier.answers.json_answer import json_answer
from verifier.answers.reasoning import without_reasoning
from verifier.answers.reply_parts import Part, answer_part, answer_text
from verifier.answers.separators import without_ruler

__all__ = ["FAULTS", "ParsedAnswer", "parse_reply"]

_NO_ANSWER = re.compile(r"\W*no answer(?: was)?(?: found)?\W*", re.IGNORECASE)
_SHORT = 40
"""Longer texts do more than say that there is no answer."""
_FENCE_START = re.compile(r"\s*(?:`{3}|~{3})")


def parse_reply(reply: str | None, answer_format: AnswerFormat) -> ParsedAnswer:
    """Read a reply as an answer of this format. Never raises; what is not as asked stands in `faults`.

    >>> from verifier.answers.answer_format import Column
    >>> one = AnswerFormat(type="item", columns=(Column(name="Value"),))
    >>> parse_reply("<answer>\\nParis\\n</answer>", one)
    ParsedAnswer(header=('Value',), rows=(('Paris',),), faults=('no_fence', 'header_missing'))
    """
    faults: list[str] = []
    text = answer_text(without_reasoning(_with_line_feeds(reply or ""), faults), faults)
    part = answer_part(_with_real_signs(text, answer_format, faults), faults)
    return parse_part(part, answer_format, faults)


def parse_part(part: Part, answer_format: AnswerFormat, faults: list[str]) -> ParsedAnswer:
    """Read the answer in a block of a reply, or in a text that stands in none; `faults` found before come first.

    >>> from verifier.answers.answer_format import Column
    >>> parse_part(Part("Paris", "tsv"), AnswerFormat(type="item", columns=(Column(name="Value"),)), []).rows
    (('Paris',),)
    """
    rows, headed = _rows(part, answer_format, faults)
    if not rows:
        return ParsedAnswer(answer_format.header, (), tuple(dict.fromkeys([*faults, "no_answer"])))
    parsed = align(rows, answer_format, faults, headed=headed)
    return parsed if parsed.rows else parsed._replace(faults=(*parsed.faults, "no_answer"))


def _with_line_feeds(reply: str) -> str:
    # Both other line ends become line feeds; a byte order mark of a saved reply goes.
    if "\r" in reply:
        reply = reply.replace("\r\n", "\n").replace("\r", "\n")
    return reply.lstrip("\ufeff")


def _with_real_signs(text: str, asked: AnswerFormat, faults: list[str]) -> str:
    """Read `\\n` as a line end where the whole answer stands in one line that begins as an answer does."""
    line = text.strip()
    while line.startswith("\\n"):
        line = line[2:].lstrip()
    if "\n" in line or "\\n" not in line:
        return text
    first = line.partition("\\n")[0].replace("\\t", "\t").split("\t")
    if not _FENCE_START.match(line) and [shown_key(cell) for cell in first] != [
        shown_key(cell) for cell in asked.header
    ]:
        return text
    faults.append("escaped_signs")
    return line.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t")


def _rows(part: Part, asked: AnswerFormat, faults: list[str]) -> tuple[list[list[str]], bool | None]:
    """Return the rows, and whether the first is a header, where that is known."""
    if len(part.text) <= _SHORT and _NO_ANSWER.fullmatch(part.text):
        return [], None
    if part.label != "tsv" and (found := json_answer(part.text)) is not None:
        faults.append("json")
        if not found.alone:
            faults.append("prose")
        return found.rows, found.headed
    text = part.text if part.label == "tsv" else without_html_tables(part.text, faults)
    return without_ruler(answer_rows(text, asked, part.label is not None, faults), faults), None
