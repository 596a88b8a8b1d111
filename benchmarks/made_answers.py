"""A shape and a seed come in, a gold answer and replies with known faults go out. The same seed, the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, AnswerType
from verifier.answers.columns import Column, ColumnType

WRONG_CELLS, MISSING_ROWS = 0.10, 0.05

Row = tuple[str, ...]


class Shape(NamedTuple):
    """What is scored: a type, its rows and its columns."""

    type: AnswerType
    rows: int
    columns: int = 1

    @property
    def name(self) -> str:
        """How the shape is called: `table 30x5`, `set 10`."""
        return f"{self.type} {self.rows}" + (f"x{self.columns}" if self.type == "table" else "")


class MadeAnswers(NamedTuple):
    """A gold answer and the replies that are scored against it."""

    answer_format: AnswerFormat
    rows: tuple[Row, ...]
    replies: list[str]


def make_answers(shape: Shape, replies: int, seed: int) -> MadeAnswers:
    """Make a gold answer of a shape and replies to it; the gold answer does not depend on the seed.

    A reply has 10 % wrong cells and 5 % missing rows.
    """
    asked = _answer_format(shape)
    chance = random.Random(f"gold {shape.name}")  # noqa: S311 - made-up answers, no secrets
    rows = tuple(_row(place, asked, chance) for place in range(shape.rows))
    chance = random.Random(f"replies {shape.name} {seed}")  # noqa: S311
    made = [_reply([asked.header, *_faulty(rows, asked, chance)]) for _ in range(replies)]
    return MadeAnswers(asked, rows, made)


def _reply(rows: Sequence[Row]) -> str:
    # As models write: no cell of these needs quotes.
    return "\n".join(["<answer>", "```tsv", *map("\t".join, rows), "```", "</answer>"])


def _answer_format(shape: Shape) -> AnswerFormat:
    if shape.type != "table":
        return AnswerFormat(type=shape.type, columns=(Column(name=DEFAULT_HEADERS[shape.type]),))
    types: list[ColumnType] = ["text", *(_TYPES[place % len(_TYPES)] for place in range(shape.columns - 1))]
    columns = tuple(
        Column(name=f"{kind.title()} {place}", type=kind, date_format="YYYY-MM-DD" if kind == "date" else None)
        for place, kind in enumerate(types)
    )
    return AnswerFormat(type="table", columns=columns)


def _row(place: int, asked: AnswerFormat, chance: random.Random) -> Row:
    # The first cell names the row, so that keys are as good as people's.
    return (f"{_text(chance)} {place}", *(_CELLS[column.type](chance) for column in asked.columns[1:]))


def _faulty(rows: tuple[Row, ...], asked: AnswerFormat, chance: random.Random) -> Iterator[Row]:
    for row in rows:
        if chance.random() >= MISSING_ROWS:
            yield tuple(
                _CELLS[column.type](chance) if chance.random() < WRONG_CELLS else cell
                for cell, column in zip(row, asked.columns, strict=True)
            )


def _text(chance: random.Random) -> str:
    return f"{chance.choice(_FIRST)} {chance.choice(_SECOND)} of {chance.choice(_FIRST)}"


def _number(chance: random.Random) -> str:
    return f"{chance.randrange(10_000_000):,}" if chance.random() < 0.5 else f"{chance.random() * 1000:.2f}"


def _percent(chance: random.Random) -> str:
    return f"{chance.randrange(1000) / 10}%"


def _date(chance: random.Random) -> str:
    return f"{chance.randrange(1900, 2030)}-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"


_TYPES: tuple[ColumnType, ...] = ("number", "percent", "date", "text")
_CELLS: Mapping[ColumnType, Callable[[random.Random], str]] = {
    "text": _text,
    "untyped": _text,
    "number": _number,
    "percent": _percent,
    "date": _date,
}
_FIRST = ("Grand", "Old", "North", "Silver", "Saint", "Blue", "Lower", "Royal", "Green", "High", "Émile", "Zürich")
_SECOND = ("Museum", "Bridge", "Harbour", "Theatre", "Station", "Library", "Tower", "Gallery", "Market", "Garden")
