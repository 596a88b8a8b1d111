"""An answer as the text an agent hands in, and the format rules its prompt states. The twin of `parsing`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.answers.answer_format import AnswerFormat, AnswerType, Column
from verifier.answers.numbering import without_marks
from verifier.answers.reply_parts import ANSWER_TAG

_LINE_ENDS = re.compile(r"[\t\n\r]")
_TICKS = re.compile("`{3,}")
_RULER = re.compile(r"\s*(?::?-{3,}:?|={3,})\s*")

_SHAPES: dict[AnswerType, str] = {
    "item": "exactly one value, in one column",
    "set": "one column, one element a line, in any order",
    "list": "one column, one element a line, in the order the question asks for",
    "table": "one row a line, in the order the question asks for",
}


def format_reply(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write an answer as a reply: `<answer>` tags, a `tsv` fence, the header, one row a line.

    Tabs and line ends inside a cell become spaces, the tags themselves are written as an entity. Cells that would be
    read as more than their text stand in double quotes.

    >>> print(format_reply(["Value"], [["Paris"]]))
    <answer>
    ```tsv
    Value
    Paris
    ```
    </answer>
    """
    marked = without_marks([row[0] if row else "" for row in rows]) is not None
    lines = ["\t".join(map(_cell, header))]
    for place, row in enumerate(rows):
        # What looks like numbering, a ruler or the header again is told from one by a quote.
        like_marks = place == 0 and (marked or all(map(_RULER.fullmatch, row)))
        quote_first = like_marks or list(row) == list(header)
        lines.append("\t".join(_cell(cell, quote_first and at == 0) for at, cell in enumerate(row)))
    fence = "`" * max([3, *(len(run[0]) + 1 for line in lines for run in _TICKS.finditer(line))])
    return "\n".join(["<answer>", f"{fence}tsv", *lines, fence, "</answer>"])


def prompt_rules(answer_format: AnswerFormat) -> str:
    """Write the rules of the format for a prompt. They tell the shape and the header, never the answer."""
    lines = [
        "Give the final answer inside <answer></answer>, as tab-separated values in a fenced block labelled tsv.",
        "The first line of the block is the header: " + _quoted_header(answer_format.columns),
        f"Below it stands {_shape(answer_format)}.",
        "Nothing but the table may stand inside the block; no numbering, no notes.",
        *(rule for column in answer_format.columns for rule in _column_rules(column)),
    ]
    for key in answer_format.sort or ():
        lines.append(f'Rows are sorted by "{key.column}", {key.direction}.')
    return "\n".join(lines)


def _shape(asked: AnswerFormat) -> str:
    # The order is said once: by the sort keys below, by the question, or not at all.
    shape, _, order = _SHAPES[asked.type].partition(", in the order")
    if not order or asked.sort is None:
        return _SHAPES[asked.type]
    return shape if asked.sort else f"{shape}, in any order"


def _quoted_header(columns: Sequence[Column]) -> str:
    return " <tab> ".join(column.name for column in columns)


def _column_rules(column: Column) -> list[str]:
    rules = []
    if column.date_format:
        rules.append(f'Dates in "{column.name}" have the form {column.date_format}.')
    if column.unit:
        rules.append(f'Values in "{column.name}" are in {column.unit}.')
    if column.null_marker:
        rules.append(f'Where "{column.name}" has no value, write {column.null_marker}.')
    return rules


def _cell(cell: str, quoted: bool = False) -> str:
    flat = ANSWER_TAG.sub(lambda tag: "&lt;" + tag[0][1:], _LINE_ENDS.sub(" ", cell))
    if quoted or not flat or flat[0] in '"|' or flat != flat.strip():
        return '"' + flat.replace('"', '""') + '"'
    return flat
