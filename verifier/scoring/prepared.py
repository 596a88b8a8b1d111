"""Answers made ready to be compared: the gold answer once, each found answer once, cells in canonical text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.normalization.normalise import normaliser
from verifier.scoring.tolerance import allowed_by

Cells = tuple[str, ...]
FoundCells = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A gold answer: its rows as written and in canonical text, columns in the format's order, and what is counted."""

    answer_format: AnswerFormat
    rows: tuple[Cells, ...]
    canonical: tuple[Cells, ...]
    columns: tuple[Cells, ...]
    """The canonical cells by column."""
    counts: tuple[Counter[str], ...]
    """How often each canonical cell stands in each column."""
    row_counts: Counter[FoundCells]
    normalisers: tuple[Callable[[str], str], ...]
    tolerances: tuple[Fraction | None, ...]
    keys: tuple[int, ...]
    """Places of the columns that identify a row."""


class Found(NamedTuple):
    """An answer to be judged. Its canonical rows hold None under a gold column the answer lacks."""

    header: Cells
    written: Sequence[Cells]
    """The rows as they came, short ones filled with blanks."""
    places: tuple[int | None, ...]
    """Where each gold column stands in them."""
    beside: tuple[int, ...]
    """Where columns stand that nobody asked for."""
    too_long: frozenset[int]
    """Rows with more cells than the header."""
    canonical: list[FoundCells]
    header_is_right: bool

    def text(self, row: int, column: int) -> str:
        """Return a cell under a gold column as it was written; "" where the answer lacks the column."""
        place = self.places[column]
        return "" if place is None else self.written[row][place]

    def texts(self) -> list[Cells]:
        """Return the rows under the gold columns as they were written."""
        return [tuple(self.text(row, column) for column in range(len(self.places))) for row in range(len(self.written))]

    def texts_beside(self, row: int) -> list[tuple[str, str]]:
        """Return the cells of a row that nobody asked for, each with its header; "" beyond the header."""
        cells = self.written[row]
        return [
            *((self.header[place], cells[place]) for place in self.beside),
            *(("", text) for text in cells[len(self.header) :]),
        ]

    def cells_given(self) -> int:
        """Count all cells, those nobody asked for too."""
        return sum(map(len, self.written))


def make_gold(header: Sequence[str], rows: Sequence[Sequence[str]], answer_format: AnswerFormat) -> Gold:
    """Bring a gold answer into the format's order and canonical text; a missing cell is blank. No header: the format's.

    >>> from verifier.answers.columns import Column
    >>> asked = AnswerFormat(type="table", columns=(Column(name="City"), Column(name="Founded")))
    >>> make_gold(["Founded", "City"], [["753 BC", "ROME"]], asked).canonical
    (('rome', '753bc'),)
    """
    places = _first_places(header or answer_format.header)
    ordered = tuple(
        tuple(row[places[name]] if name in places and places[name] < len(row) else "" for name in answer_format.header)
        for row in rows
    )
    normalisers = tuple(map(normaliser, answer_format.columns))
    columns = tuple(
        tuple(map(one, cells)) for one, cells in zip(normalisers, _by_column(ordered, len(normalisers)), strict=True)
    )
    canonical = tuple(zip(*columns, strict=True))
    return Gold(
        answer_format=answer_format,
        rows=ordered,
        canonical=canonical,
        columns=columns,
        counts=tuple(map(Counter, columns)),
        row_counts=Counter(canonical),
        normalisers=normalisers,
        tolerances=tuple(map(allowed_by, answer_format.columns)),
        keys=tuple(answer_format.header.index(name) for name in answer_format.key_columns),
    )


def make_found(parsed: ParsedAnswer, gold: Gold) -> Found:
    """Make a parsed answer ready. Of two columns with one header the first counts, the other stands beside."""
    first = _first_places(parsed.header)
    places = tuple(map(first.get, gold.answer_format.header))
    if gold.answer_format.type != "table":
        places = (0,)
    width = len(parsed.header)
    written = parsed.rows
    lengths = set(map(len, written))
    if lengths and min(lengths) < width:
        written = tuple(row + ("",) * (width - len(row)) for row in written)
    too_long = frozenset(place for place, row in enumerate(written) if len(row) > width) if lengths - {width} else ()
    by_column = _by_column(written, width)
    columns: list[Sequence[str | None]] = [
        [None] * len(written) if place is None else list(map(normalise, by_column[place]))
        for normalise, place in zip(gold.normalisers, places, strict=True)
    ]
    beside = tuple(place for place in range(width) if place not in places)
    return Found(
        header=parsed.header,
        written=written,
        places=places,
        beside=beside,
        too_long=frozenset(too_long),
        canonical=list(zip(*columns, strict=True)),
        header_is_right=parsed.header == gold.answer_format.header and "header_missing" not in parsed.faults,
    )


def _first_places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in reversed(list(enumerate(names)))}


def _by_column(rows: Sequence[Cells], width: int) -> list[Cells]:
    # Cells beyond the width are cut off by zip: at least one row may have none.
    return list(zip(*rows, strict=False))[:width] if rows else [()] * width
