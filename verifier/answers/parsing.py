"""A model's reply comes in, header and rows go out, and every deviation from the asked form is named.

The last complete `<answer>` counts, in it the last `tsv` block (else `csv`, else unlabelled, else any; else the text).
A reply is text, never a path. Columns are put in the order of the format; a bad row costs that row only. A reply may be
of any size: it is read in one pass, and no further than `written_cells` says.
"""

from __future__ import annotations

import re

from verifier.answers.alignment import ParsedAnswer, align
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.faults import FAULTS
from verifier.answers.headers import shown_key
from verifier.answers.json_answer import json_rows
from verifier.answers.prose import table_rows, without_prose
from verifier.answers.reply_parts import Part, answer_part, answer_text
from verifier.answers.separators import without_ruler, written_rows

__all__ = ["FAULTS", "ParsedAnswer", "parse_reply"]

_NO_ANSWER = re.compile(r"\W*no answer(?: was)?(?: found)?\W*", re.IGNORECASE)
_FENCE_START = re.compile(r"\s*(?:`{3}|~{3})")


def parse_reply(reply: str | None, answer_format: AnswerFormat) -> ParsedAnswer:
    """Read a reply as an answer of this format. Never raises; what is not as asked stands in `faults`.

    >>> from verifier.answers.answer_format import Column
    >>> one = AnswerFormat(type="item", columns=(Column(name="Value"),))
    >>> parse_reply("<answer>\\nParis\\n</answer>", one)
    ParsedAnswer(header=('Value',), rows=(('Paris',),), faults=('no_fence', 'header_missing'))
    """
    faults: list[str] = []
    text = answer_text(_with_line_feeds(reply or ""), faults)
    part = answer_part(_with_real_signs(text, answer_format, faults), faults)
    rows = [] if _NO_ANSWER.fullmatch(part.text[:40]) and len(part.text) <= 40 else _rows(part, answer_format, faults)
    if not rows:
        return ParsedAnswer(answer_format.header, (), tuple(dict.fromkeys([*faults, "no_answer"])))
    parsed = align(rows, answer_format, faults)
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


def _rows(part: Part, asked: AnswerFormat, faults: list[str]) -> list[list[str]]:
    if part.label != "tsv" and (rows := json_rows(part.text)) is not None:
        faults.append("json")
        return [row for row in rows if any(row)]
    text = part.text
    if part.label is None and len(asked.columns) == 1:
        text = without_prose(text, asked, faults)
    rows = written_rows(text, asked, faults)
    rows = table_rows(rows, asked, part.label is not None, faults)
    return without_ruler(rows, faults)
