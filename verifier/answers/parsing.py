"""A model's reply comes in, header and rows go out, and every deviation from the asked form is named.

The last complete `<answer>` counts, in it the last `tsv` block (else `csv`, else unlabelled, else any; else the text).
A reply is text, never a path. Columns are put in the order of the format; a bad row costs that row only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from verifier.answers.alignment import ParsedAnswer, align
from verifier.answers.answer_format import AnswerFormat

__all__ = ["FAULTS", "Cell", "ParsedAnswer", "parse_reply", "split_tabs"]

FAULTS: dict[str, str] = {
    "no_answer": "there is no reply, or nothing stands where the answer should be",
    "no_answer_tag": "the reply has no <answer> tags",
    "multiple_answers": "several <answer> parts; the last one counts",
    "no_fence": "the answer stands in no fenced block",
    "fence_label": "the block is not labelled tsv",
    "multiple_blocks": "several blocks; the last fitting one counts",
    "truncated": "the block or the answer tag is not closed",
    "separator": "cells are parted by something else than tabs",
    "header_missing": "the first line is no header",
    "header_mismatch": "a column is missing, unknown or named otherwise",
    "column_order": "the columns stand in another order",
    "extra_column": "a column beside the answer's only one; it is ignored",
    "ragged_row": "a row has more or fewer cells than the header",
    "trailing_separator": "empty cells at the end of a row; they are ignored",
    "numbering": "rows are numbered or bulleted; that is removed",
    "header_row": "a header stands where the layout has none; it is removed",
    "unquoted_comma": "a comma in a one-column file is not quoted; the line is one value",
    "unbalanced_quote": "a quote is opened and never closed; quotes are read as text",
    "wrong_encoding": "the file is not UTF-8",
}
"""Every fault a parser may name, with what it means."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*")
_OPEN, _CLOSE = re.compile("<answer>", re.IGNORECASE), re.compile("</answer>", re.IGNORECASE)
_QUOTED_OR_PLAIN = re.compile(r'"((?:[^"]|"")*)"(?=\t|$)|([^\t]*)')
_RULER = re.compile(r"[\s|:+-]+")
_LABEL_RANK = {"tsv": 3, "csv": 2, "": 1, "text": 1, "txt": 1, "plaintext": 1, "markdown": 1, "md": 1}


class Cell(NamedTuple):
    """A cell as it was written; a fully quoted one is literal and never mended."""

    text: str
    quoted: bool = False


class _Block(NamedTuple):
    label: str
    lines: list[str]
    closed: bool


def parse_reply(reply: str | None, answer_format: AnswerFormat) -> ParsedAnswer:
    """Read a reply as an answer of this format. Never raises; what is not as asked stands in `faults`.

    >>> from verifier.answers.answer_format import Column
    >>> one = AnswerFormat(type="item", columns=(Column(name="Value"),))
    >>> parse_reply("<answer>\\nParis\\n</answer>", one)
    ParsedAnswer(header=('Value',), rows=(('Paris',),), faults=('no_fence', 'header_missing'))
    """
    faults: list[str] = []
    lines = _block_lines(_answer_part(reply or "", faults), faults)
    rows = _rows([line for line in lines if line.strip()], answer_format, faults)
    if not rows:
        return ParsedAnswer(answer_format.header, (), tuple(dict.fromkeys([*faults, "no_answer"])))
    return align(rows, answer_format, faults)


def _answer_part(reply: str, faults: list[str]) -> str:
    closings = list(_CLOSE.finditer(reply))
    openings = [found for found in _OPEN.finditer(reply) if not closings or found.start() < closings[-1].start()]
    if not openings:
        late = list(_OPEN.finditer(reply))
        faults.append("truncated" if late else "no_answer_tag")
        return reply[late[-1].end() :] if late else reply
    if not closings:
        faults.append("truncated")
        return reply[openings[-1].end() :]
    if len(closings) > 1:
        faults.append("multiple_answers")
    return reply[openings[-1].end() : closings[-1].start()]


def _block_lines(part: str, faults: list[str]) -> list[str]:
    blocks = _blocks(part)
    if not blocks:
        faults.append("no_fence")
        return part.splitlines()
    best = max(_LABEL_RANK.get(block.label, 0) for block in blocks)
    fitting = [block for block in blocks if _LABEL_RANK.get(block.label, 0) == best]
    if len(blocks) > 1:
        faults.append("multiple_blocks")
    if not fitting[-1].closed:
        faults.append("truncated")
    if fitting[-1].label != "tsv":
        faults.append("fence_label")
    return fitting[-1].lines


def _blocks(part: str) -> list[_Block]:
    # A fence counts only where it fills its line: a fence named in a sentence opens nothing.
    blocks: list[_Block] = []
    label: str | None = None
    inside: list[str] = []
    for line in part.splitlines():
        fence = _FENCE.fullmatch(line)
        if label is None:
            if fence:
                label, inside = fence[2].lower(), []
        elif (fence and not fence[2]) or line.rstrip().endswith("```"):
            if not fence:
                inside.append(line.rstrip().removesuffix("```"))
            blocks.append(_Block(label, inside, True))
            label = None
        else:
            inside.append(line)
    if label is not None:
        blocks.append(_Block(label, inside, False))
    return blocks


def _rows(lines: Sequence[str], answer_format: AnswerFormat, faults: list[str]) -> list[list[Cell]]:
    split: Callable[[str], list[Cell]] = split_tabs
    if len(answer_format.columns) > 1 and not any("\t" in line for line in lines):
        split = _other_split(lines, answer_format) or split_tabs
        if split is not split_tabs:
            faults.append("separator")
            lines = [line for line in lines if split is not _split_pipes or not _RULER.fullmatch(line)]
    return [split(line) for line in lines]


def split_tabs(line: str) -> list[Cell]:
    """Split a line at tabs. Quotes are text, except where they enclose a whole cell.

    >>> [cell.text for cell in split_tabs('"Weird Al" Yankovic\\t"a\\tb"')]
    ['"Weird Al" Yankovic', 'a\\tb']
    """
    if '"' not in line:
        return [Cell(text.strip()) for text in line.split("\t")]
    cells, at = [], 0
    while at <= len(line):
        found = _QUOTED_OR_PLAIN.match(line, at)
        assert found is not None  # noqa: S101 - the pattern matches the empty text
        quoted = found[1] is not None
        cells.append(Cell(found[1].replace('""', '"'), True) if quoted else Cell(found[2].strip()))
        at = found.end() + 1
    return cells


def _other_split(lines: Sequence[str], answer_format: AnswerFormat) -> Callable[[str], list[Cell]] | None:
    # Judged against the declared columns: a split counts when most lines get as many cells as there are columns.
    for split in (_split_pipes, _split_commas, _split_gaps):
        fitting = sum(len(split(line)) == len(answer_format.columns) for line in lines)
        if fitting * 2 > len(lines):
            return split
    return None


def _split_pipes(line: str) -> list[Cell]:
    return [Cell(text.strip()) for text in line.strip().strip("|").split("|")]


def _split_commas(line: str) -> list[Cell]:
    parts = re.findall(r'(?:^|,)\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))', line)
    return [Cell(quoted.replace('""', '"'), True) if quoted else Cell(plain.strip()) for quoted, plain in parts]


def _split_gaps(line: str) -> list[Cell]:
    return [Cell(text) for text in re.split(r" {2,}", line.strip())]
