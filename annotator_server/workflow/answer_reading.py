"""A pasted or uploaded answer in; its rows out, with what was mended and what keeps it from being handed in."""

from __future__ import annotations

from typing import NamedTuple

from annotator_server.errors import BadInput
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.csv_files import read_answer_csv
from verifier.answers.parsing import FAULTS, ParsedAnswer
from verifier.errors import AnswerUnreadable

REFUSED = frozenset({"header_missing", "header_mismatch", "extra_column", "ragged_row", "unbalanced_quote"})
"""Faults of the shape. Any other is mended while reading, and only told."""


class ReadAnswer(NamedTuple):
    """An answer as it was understood. `refusals` and `notices` are sentences."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    refusals: tuple[str, ...]
    notices: tuple[str, ...]


def read_answer(data: bytes, wanted: AnswerFormat) -> ReadAnswer:
    """Read an answer against its format. Raises BadInput, at the field, when it is empty or no text at all.

    >>> from verifier.answers.answer_format import Column
    >>> read_answer(b"Paris\\nRome\\n", AnswerFormat(type="set", columns=(Column(name="Item"),))).rows
    (('Paris',), ('Rome',))
    """
    if not data.strip():
        raise BadInput("the answer is empty", {"answer_csv": "Type or paste the answer first."})
    if b"\x00" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(
            "this file is no text; export it as CSV, UTF-8",
            {"answer_csv": "This file is no text; export it as CSV, UTF-8."},
        )
    try:
        parsed = read_answer_csv(data, wanted)
    except AnswerUnreadable as error:
        raise BadInput(str(error), {"answer_csv": _sentence(str(error))}) from error
    refusals = [_sentence(FAULTS.get(fault, fault)) for fault in parsed.faults if fault in REFUSED]
    if "header_mismatch" in parsed.faults or "header_missing" in parsed.faults:
        refusals.append(f"The header must be: {', '.join(wanted.header)}.")
    notices = [_sentence(FAULTS.get(fault, fault)) for fault in parsed.faults if fault not in REFUSED]
    return ReadAnswer(parsed.header, parsed.rows, tuple(refusals + _wrong_size(parsed, wanted)), tuple(notices))


def _wrong_size(parsed: ParsedAnswer, wanted: AnswerFormat) -> list[str]:
    if not parsed.rows:
        return ["The answer has a header and no rows."]
    if wanted.type == "item" and len(parsed.rows) != 1:
        return [f"This question asks for one value; the answer has {len(parsed.rows)} lines."]
    return []


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
