"""Answers as files of comma-separated values: what people hand in and what releases hold.

Published layout: a header row for tables only, UTF-8 without a byte order mark, lines end with a line feed. Reading is
forgiving and names what it mended; an encoding is never guessed.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Sequence

from verifier.answers.alignment import ParsedAnswer, align
from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat
from verifier.answers.parsing import Cell
from verifier.errors import AnswerUnreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SEPARATORS = (",", "\t", ";")


def read_answer_csv(data: bytes, answer_format: AnswerFormat, encoding: str | None = None) -> ParsedAnswer:
    """Read an answer file. A byte order mark decides the encoding, else `encoding`, else UTF-8.

    Raises AnswerUnreadable when the bytes do not fit the encoding, or when no value is in the file.
    """
    faults: list[str] = []
    text = _decode(data, encoding, faults)
    if not text.strip():
        raise AnswerUnreadable("the answer file is empty; it needs at least one value")
    rows = _read_table(text, answer_format, faults) if answer_format.type == "table" else _read_column(text, faults)
    rows = [row for row in rows if any(cell.text or cell.quoted for cell in row)]
    if not rows:
        raise AnswerUnreadable("the answer file holds separators but no value; it needs at least one value")
    if answer_format.type == "table":
        return align(rows, answer_format, faults)
    return _without_header_row(rows, answer_format, faults)


def write_answer_csv(header: Sequence[str], rows: Sequence[Sequence[str]], answer_format: AnswerFormat) -> bytes:
    """Write an answer in the published layout; quotes only where needed.

    >>> from verifier.answers.answer_format import Column
    >>> write_answer_csv(["Item"], [["Lee, Ann"]], AnswerFormat(type="set", columns=(Column(name="Item"),)))
    b'"Lee, Ann"\\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if answer_format.type == "table":
        writer.writerow(header)
    # A lone carriage return would not be quoted and would split the row when it is read.
    writer.writerows([cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row] for row in rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


def _decode(data: bytes, encoding: str | None, faults: list[str]) -> str:
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    name = marked or encoding or "utf-8"
    if codecs_name(name) not in ("utf-8", "utf-8-sig"):
        faults.append("wrong_encoding")
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        raise AnswerUnreadable(
            f"the answer file is not {name}: byte {data[error.start]:#04x} at position {error.start}. "
            "Save it as UTF-8, or say which encoding it has."
        ) from error


def codecs_name(name: str) -> str:
    """Return Python's name of an encoding. Raises AnswerUnreadable for one nobody knows."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise AnswerUnreadable(f"no encoding is called {name!r}; UTF-8 is the usual one") from None


def _read_table(text: str, answer_format: AnswerFormat, faults: list[str]) -> list[list[Cell]]:
    separator = _separator(text, answer_format)
    if separator != ",":
        faults.append("separator")
    return [[Cell(cell.strip()) for cell in row] for row in _csv_rows(text, separator, faults)]


def _separator(text: str, answer_format: AnswerFormat) -> str:
    first = text.lstrip("\r\n").splitlines()[0]
    wanted = len(answer_format.columns)
    counts = {mark: len(next(csv.reader([first], delimiter=mark), [])) for mark in _SEPARATORS}
    return min(_SEPARATORS, key=lambda mark: (abs(counts[mark] - wanted), _SEPARATORS.index(mark)))


def _csv_rows(text: str, separator: str, faults: list[str]) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        # Strict reading fails at a quote that is never closed; then quotes are read as text, line by line.
        faults.append("unbalanced_quote")
        return [line.split(separator) for line in text.splitlines()]


def _read_column(text: str, faults: list[str]) -> list[list[Cell]]:
    lines = text.splitlines()
    if '"' not in text:
        return [[Cell(_whole_line(line, faults))] for line in lines if line.strip()]
    return [[Cell(_whole_line(",".join(row), faults) if len(row) > 1 else "".join(row).strip(), len(row) == 1)]
            for row in _csv_rows(text, ",", faults)]  # fmt: skip


def _whole_line(line: str, faults: list[str]) -> str:
    # One column: a comma that is not at the end of the line belongs to the value.
    value = line.strip()
    bare = value.rstrip(",\t ")
    if bare != value:
        faults.append("trailing_separator")
    if "," in bare:
        faults.append("unquoted_comma")
    return bare


def _without_header_row(rows: list[list[Cell]], answer_format: AnswerFormat, faults: list[str]) -> ParsedAnswer:
    names = {answer_format.header[0].casefold(), DEFAULT_HEADERS[answer_format.type].casefold()}
    if len(rows) > 1 and rows[0][0].text.casefold() in names:
        faults.append("header_row")
        rows = rows[1:]
    values = tuple((cell.text,) for (cell,) in rows)
    return ParsedAnswer(answer_format.header, values, tuple(dict.fromkeys(faults)))
