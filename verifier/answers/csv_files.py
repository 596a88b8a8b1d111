"""Answers as files of comma-separated values: what people hand in and what releases hold.

Published layout: a header row for tables only, UTF-8 without a byte order mark, lines end with a line feed. Reading is
forgiving and names what it mended; an encoding is never guessed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from verifier.answers.alignment import ParsedAnswer, align
from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat
from verifier.answers.csv_text import best_separator, separated_rows, single_values
from verifier.answers.headers import header_key
from verifier.answers.numbering import without_marks
from verifier.answers.written_cells import Literal
from verifier.errors import AnswerUnreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NEEDS_QUOTES = re.compile(r'[",\n]|\A\s|\s\Z|\A\ufeff')
_NAMED_SEPARATOR = re.compile(r"sep=([,;\t])\n", re.IGNORECASE)
_NOTHING = " \t\n\0\ufeff"
"""Signs that say nothing, however many of them are in a file."""
_HEADER_SIGNS = 65536
"""A header row is at most so long."""
_LIKELY = ("cp1252", "gb18030")
"""Encodings a refused file is shown in, so that a person may recognise theirs. None is ever used unasked."""


def read_answer_csv(
    data: bytes, answer_format: AnswerFormat, encoding: str | None = None, *, separator: str = ","
) -> ParsedAnswer:
    """Read an answer file. A byte order mark decides the encoding, else `encoding`, else it is UTF-8 or UTF-16.

    `separator` is what the file's ending promises: a tab in a `.tsv` file, whose single values may have columns beside
    them; in a `.csv` file nothing cuts a single value.

    Raises AnswerUnreadable when the bytes do not fit the encoding, or when no value is in the file.
    """
    faults: list[str] = []
    text = _decode(data, encoding, faults).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip(_NOTHING):
        raise AnswerUnreadable("the answer file is empty; it needs at least one value")
    is_cut = answer_format.type == "table" or (separator == "\t" and "\t" in text)
    rows = _read_rows(text, answer_format, separator, faults) if is_cut else single_values(text, faults)
    if not rows:
        raise AnswerUnreadable("the answer file holds separators but no value; it needs at least one value")
    if answer_format.type == "table":
        return align(rows, answer_format, faults)
    if is_cut:
        parsed = align(rows, answer_format, faults)
        return parsed._replace(faults=tuple(fault for fault in parsed.faults if fault != "header_missing"))
    return _without_header_row(rows, answer_format, faults)


def read_header_row(data: bytes, encoding: str | None = None) -> tuple[str, ...]:
    """Read the column names of a table whose format is not known yet; cells without a name are left out.

    Raises AnswerUnreadable when the bytes do not fit the encoding.

    >>> read_header_row(b"Name;Year;\\nA;1;\\n")
    ('Name', 'Year')
    """
    text = _decode(data, encoding, []).replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
    named = _NAMED_SEPARATOR.match(text)
    text = text[named.end() if named else 0 :][:_HEADER_SIGNS]
    line = text.partition("\n")[0]
    first = _first_row(text if '"' in line else line, named[1] if named else ",")
    if not named and len(first) == 1:
        # A comma is the layout's own: another mark counts where there is none.
        first = max(first, _first_row(line, "\t"), _first_row(line, ";"), key=len)
    return tuple(name for name in map(str.strip, first) if name)


def _first_row(text: str, separator: str) -> list[str]:
    return next(iter(separated_rows(text, separator, [])), [])


def write_answer_csv(header: Sequence[str], rows: Sequence[Sequence[str]], answer_format: AnswerFormat) -> bytes:
    """Write an answer in the published layout; quotes only where the cell would else be read as something else.

    >>> from verifier.answers.answer_format import Column
    >>> write_answer_csv(["Item"], [["Lee, Ann"]], AnswerFormat(type="set", columns=(Column(name="Item"),)))
    b'"Lee, Ann"\\n'
    """
    is_table = answer_format.type == "table"
    marked = without_marks([row[0] if row else "" for row in rows]) is not None
    lines = [_line(header, False)] if is_table else []
    for place, row in enumerate(rows):
        first = row[0] if row else ""
        like_header = list(row) == list(header) if is_table else place == 0 and _is_name(first, answer_format)
        lines.append(_line(row, like_header or (marked and place == 0)))
    data = "".join(lines).encode("utf-8", "surrogatepass")
    # Zero bytes in a cell would be read as UTF-16: then, and only then, a mark says what it is.
    return codecs.BOM_UTF8 + data if utf16_by_zeros(data) else data


def _line(cells: Sequence[str], quote_first: bool) -> str:
    # A lone carriage return would split the row when it is read.
    plain = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
    quote_first = quote_first or not any(cell.strip(_NOTHING) for cell in plain)
    return ",".join(_cell(cell, quote_first and place == 0) for place, cell in enumerate(plain)) + "\n"


def _cell(cell: str, quoted: bool) -> str:
    return '"' + cell.replace('"', '""') + '"' if quoted or _NEEDS_QUOTES.search(cell) else cell


def _decode(data: bytes, encoding: str | None, faults: list[str]) -> str:
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    name = marked or encoding or utf16_by_zeros(data) or "utf-8"
    if codecs_name(name) not in ("utf-8", "utf-8-sig"):
        faults.append("wrong_encoding")
    try:
        return data.decode(name)
    except LookupError:
        # Python knows it, but it turns bytes into bytes.
        raise AnswerUnreadable(f"no encoding is called {name!r}; UTF-8 is the usual one") from None
    except UnicodeError as error:
        if name == "utf-8" and (text := _with_surrogates(data)) is not None:
            return text
        raise AnswerUnreadable(_refusal(data, name, error)) from error


def utf16_by_zeros(data: bytes) -> str | None:
    """Return which UTF-16 bytes without a mark are, None where they do not look like it.

    >>> utf16_by_zeros("Paris".encode("utf-16-le")), utf16_by_zeros(b"Paris")
    ('utf-16-le', None)
    """
    # Text of Latin letters has a zero byte beside every letter; UTF-8 has none.
    sample = data[:400]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) >= 4 and len(data) % 2 == 0 and max(even, odd) * 5 > len(sample) * 2:
        return "utf-16-le" if odd > even else "utf-16-be"
    return None


def _with_surrogates(data: bytes) -> str | None:
    # Lone surrogates, as `write_answer_csv` writes them, are the one fault of UTF-8 that is read.
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


def _refusal(data: bytes, name: str, error: UnicodeError) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return f"the answer file is not {name}: {error}. Save it as UTF-8, or name its encoding (truth_encoding)."
    place = error.start
    line = data.count(b"\n", 0, place) + 1
    message = f"the answer file is not {name}: byte {data[place]:#04x} in line {line}. "
    return message + "Save it as UTF-8, or name its encoding (truth_encoding)." + _readings(data, place, name)


def _readings(data: bytes, place: int, name: str) -> str:
    start = max(data.rfind(b"\n", 0, place) + 1, place - 20)
    end = data.find(b"\n", place, place + 20)
    around = data[start : end if end >= 0 else place + 20].rstrip(b"\r")
    shown = []
    for other in _LIKELY:
        read = around.decode(other, "replace")
        if other != name and "\ufffd" not in read:
            shown.append(f"{read!r} in {other}")
    return f" The place reads {', '.join(shown)}." if shown else ""


def codecs_name(name: str) -> str:
    """Return Python's name of an encoding of text. Raises AnswerUnreadable for one nobody knows.

    >>> codecs_name("Latin1")
    'iso8859-1'
    """
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        raise AnswerUnreadable(f"no encoding is called {name!r}; UTF-8 is the usual one") from None
    return found.name


def _read_rows(text: str, asked: AnswerFormat, promised: str, faults: list[str]) -> list[list[str]]:
    if len(asked.columns) == 1 and asked.type == "table":
        return single_values(text, faults)
    text = text.lstrip("\n")
    named = _NAMED_SEPARATOR.match(text)
    separator = named[1] if named else best_separator(text, asked) if asked.type == "table" else promised
    if separator != promised:
        faults.append("separator")
    return separated_rows(text[named.end() :] if named else text, separator, faults)


def _is_name(value: str, asked: AnswerFormat) -> bool:
    return header_key(value) in {header_key(asked.header[0]), header_key(DEFAULT_HEADERS.get(asked.type, ""))}


def _without_header_row(rows: list[list[str]], asked: AnswerFormat, faults: list[str]) -> ParsedAnswer:
    # In quotes it is a value, unless everything is in quotes.
    first, quoted = rows[0][0], [isinstance(value, Literal) for (value,) in rows]
    if len(rows) > 1 and _is_name(first, asked) and (not quoted[0] or all(quoted)):
        faults.append("header_row")
        rows = rows[1:]
    values = without_marks([value for (value,) in rows])
    if values is not None:
        faults.append("numbering")
    return ParsedAnswer(
        asked.header,
        tuple((str(value),) for value in values or [value for (value,) in rows]),
        tuple(dict.fromkeys(faults)),
    )
