"""An answer as the text an agent hands in, and the format rules its prompt states. The twin of `parsing`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.answers.answer_format import AnswerFormat, AnswerType, Column

_LITERAL = re.compile(r'^"|^\s|\s$|^$|^`{3}|^\(?\d+[.)]|^[-*•]\s')
"""A cell that parsing would read as more than its text: it is written in quotes."""

_SHAPES: dict[AnswerType, str] = {
    "item": "exactly one value, in one column",
    "set": "one column, one element a line, in any order",
    "list": "one column, one element a line, in the order the question asks for",
    "table": "one row a line, in the order the question asks for",
}


def format_reply(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write an answer as a reply: `<answer>` tags, a `tsv` fence, the header, one row a line.

    Tabs and line ends inside a cell become spaces. Cells that would be misread stand in double quotes.

    >>> print(format_reply(["Value"], [["Paris"]]))
    <answer>
    ```tsv
    Value
    Paris
    ```
    </answer>
    """
    lines = ["\t".join(_cell(cell) for cell in row) for row in (header, *rows)]
    return "\n".join(["<answer>", "```tsv", *lines, "```", "</answer>"])


def prompt_rules(answer_format: AnswerFormat) -> str:
    """Write the rules of the format for a prompt. They tell the shape and the header, never the answer."""
    lines = [
        "Give the final answer inside <answer></answer>, as tab-separated values in a fenced block labelled tsv.",
        "The first line of the block is the header: " + _quoted_header(answer_format.columns),
        f"Below it stands {_SHAPES[answer_format.type]}.",
        "Nothing but the table may stand inside the block; no numbering, no notes.",
        *(rule for column in answer_format.columns for rule in _column_rules(column)),
    ]
    for key in answer_format.sort or ():
        lines.append(f'Rows are sorted by "{key.column}", {key.direction}.')
    return "\n".join(lines)


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


def _cell(cell: str) -> str:
    # NUL and form feeds go too: whatever splits a line would split the row.
    flat = re.sub(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]", " ", cell)
    return '"' + flat.replace('"', '""') + '"' if _LITERAL.search(flat) else flat
