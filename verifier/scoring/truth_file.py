"""A question row and the bytes of its truth file come in, the answer format and the gold answer go out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from verifier.answers.answer_format import AnswerFormat, AnswerType
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.csv_files import read_answer_csv, read_header_row
from verifier.errors import AnswerFormatError, AnswerUnreadable
from verifier.scoring.answer_schema import format_of
from verifier.scoring.question_file import ANSWER_TYPES, QuestionRow


class Truth(NamedTuple):
    """What a question is judged by, and the faults of its file that reading mended."""

    answer_format: AnswerFormat
    gold: AnswerVersion
    faults: tuple[str, ...]


def read_truth(row: QuestionRow, data: bytes) -> Truth:
    """Read a truth file. Raises AnswerUnreadable with the reason why the question cannot be scored.

    >>> read_truth(QuestionRow(question_id="1", answer_type="set"), b"Titan\\nRhea\\n").gold.rows
    (('Titan',), ('Rhea',))
    """
    if row.kind not in ANSWER_TYPES:
        raise AnswerUnreadable(f"unknown answer_type {row.answer_type}")
    try:
        answer_format = row.answer_format or format_of(
            cast(AnswerType, row.kind),
            row.schema,
            read_header_row(data, row.truth_encoding) if row.kind == "table" else (),
        )
        parsed = read_answer_csv(data, answer_format, row.truth_encoding)
    except AnswerFormatError as error:
        raise AnswerUnreadable(f"truth file does not fit the question: {error}") from error
    except AnswerUnreadable as error:
        raise AnswerUnreadable(_why_unreadable(error)) from error
    if "oversized" in parsed.faults:
        raise AnswerUnreadable("truth file oversized: it is longer or wider than is read")
    _refuse_other_shape(answer_format, parsed.header, parsed.rows)
    gold = AnswerVersion(
        task_id=row.question_id, task_version=1, version=1, valid_from="", header=parsed.header, rows=parsed.rows
    )
    return Truth(answer_format, gold, parsed.faults)


def _why_unreadable(error: AnswerUnreadable) -> str:
    return f"truth file {'undecodable' if isinstance(error.__cause__, UnicodeError) else 'unreadable'}: {error}"


def _refuse_other_shape(answer_format: AnswerFormat, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if answer_format.type == "item" and len(rows) > 1:
        raise AnswerUnreadable(f"truth file has {len(rows)} values; an item has one")
    if answer_format.type != "table":
        return
    if missing := [name for name in answer_format.header if name not in header]:
        found = ", ".join(map(repr, header))
        raise AnswerUnreadable(f"truth file lacks the column {missing[0]!r}; it has {found}")
    if not rows:
        raise AnswerUnreadable("truth file has a header and no row")
    for number, row in enumerate(rows, start=1):
        if len(row) > len(header):
            # Which cell is one too many cannot be told: often a comma that is not quoted.
            raise AnswerUnreadable(f"truth file ragged: row {number} has {len(row)} cells, the header {len(header)}")
