"""Sentences beside an answer that stands in no fence: what introduces it, what comments on it.

A title can look like a sentence, so little is taken away: what stands before a known header, a line that ends in a
colon before the answer, remarks after an empty line below it. In a table, lines of one cell around the rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat
from verifier.answers.headers import header_key, shown_key

_LONGEST = 200_000
"""Longer texts are taken as they are."""
_REMARK = re.compile(
    r"\W*(?:note|notes|source|sources|explanation|reasoning|based on|i hope|let me know)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?:\S+\s+){3,}\S*[.:!?][\s*_\"')\]]*")


def without_prose(text: str, asked: AnswerFormat, faults: list[str]) -> str:
    """Take sentences away from an unfenced answer of one column.

    >>> from verifier.answers.answer_format import Column
    >>> one = AnswerFormat(type="item", columns=(Column(name="Value"),))
    >>> without_prose("Here it is:\\nValue\\nParis\\n\\nNote: since 1958.", one, [])
    'Value\\nParis'
    """
    if len(text) > _LONGEST:
        return text
    lines = text.strip().split("\n")
    start = _first_line(lines, asked)
    end = _last_line(lines, start)
    if start == 0 and end == len(lines):
        return text
    faults.append("prose")
    return "\n".join(lines[start:end]).strip()


def _first_line(lines: Sequence[str], asked: AnswerFormat) -> int:
    names = {header_key(asked.header[0]), header_key(DEFAULT_HEADERS.get(asked.type, asked.header[0]))}
    for place, line in enumerate(lines):
        if any(shown_key(cell) in names for cell in line.split("\t")):
            return place
    start = 0
    while start < len(lines) - 1 and (not lines[start].strip() or _introduces(lines[start])):
        start += 1
    return start if any(line.strip() for line in lines[start:]) else 0


def _introduces(line: str) -> bool:
    return line.rstrip(" *_").endswith((":", "：")) and len(line.split()) > 1


def _last_line(lines: Sequence[str], start: int) -> int:
    end = len(lines)
    while True:
        gap = next((place for place in range(end - 1, start, -1) if not lines[place].strip()), None)
        if gap is None or not any(line.strip() for line in lines[start:gap]):
            return end
        if not all(_is_sentence(line) for line in lines[gap + 1 : end] if line.strip()):
            return end
        end = gap


def _is_sentence(line: str) -> bool:
    return _REMARK.match(line) is not None or _SENTENCE.fullmatch(line.strip()) is not None


def table_rows(rows: list[list[str]], asked: AnswerFormat, fenced: bool, faults: list[str]) -> list[list[str]]:
    """Take lines of one cell away that stand around a table: before its header, and, unfenced, sentences below it.

    >>> from verifier.answers.answer_format import Column
    >>> two = AnswerFormat(type="table", columns=(Column(name="A"), Column(name="B")))
    >>> table_rows([["Here:"], ["A", "B"], ["1", "2"]], two, True, [])
    [['A', 'B'], ['1', '2']]
    """
    if len(asked.columns) == 1 or not any(len(row) > 1 for row in rows):
        return rows
    names = {header_key(name) for name in asked.header}
    start, end = 0, len(rows)
    while len(rows[start]) == 1:
        start += 1
    if fenced and not any(header_key(cell) in names for cell in rows[start]):
        start = 0
    while not fenced and len(rows[end - 1]) == 1 and _is_sentence(rows[end - 1][0]):
        end -= 1
    if (start, end) != (0, len(rows)):
        faults.append("prose")
    return rows[start:end]
