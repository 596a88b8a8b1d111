"""A question and its files come in, what each published figure counted goes out: the view of profile `gisa-compat`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verifier.scoring.answer_score import PROFILES
from verifier.scoring.compat_score import rows_under, shared_columns
from verifier.scoring.compat_tables import CompatTable, truth_table
from verifier.scoring.question_file import QuestionRow
from verifier.scoring.run_scores import Files, published_table, score_question
from verifier.statistics.breakdown import Status

PROFILE = "gisa-compat"

Unit = tuple[str, ...]
"""What a figure counts: an element, a row, or a cell with its column, normalised the published way."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What some figures counted on both sides. A unit that counts several times stands there as often."""

    figures: tuple[str, ...]
    compared: str
    matched: tuple[Unit, ...]
    missing: tuple[Unit, ...]
    extra: tuple[Unit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedExplanation:
    """How the published figures of a question come about. Without metrics where there is no score, see `error`."""

    question_id: str
    answer_type: str
    status: Status
    version: str = PROFILES[PROFILE]
    metrics: Mapping[str, float]
    error: str = ""
    gold_columns: Sequence[str] = ()
    found_columns: Sequence[str] = ()
    comparisons: Sequence[Comparison] = ()


def explain_as_published(row: QuestionRow, files: Files) -> PublishedExplanation:
    """Score one question in profile `gisa-compat` and say what was counted. Raises nothing that a file could cause."""
    scored = score_question(row, files, [PROFILE])[PROFILE]
    explained = PublishedExplanation(
        question_id=row.question_id,
        answer_type=row.answer_type,
        status=scored.status,
        metrics=scored.metrics,
        error=scored.error,
    )
    if scored.status != "scored":
        return explained
    data = files.read_truth(row.question_id)
    gold = truth_table(data, row.kind)
    path = files.truth_path(row.question_id)
    found = published_table(files.read_prediction(row.question_id), data, path, row.kind) or _NOTHING
    return replace(
        explained,
        gold_columns=gold.columns,
        found_columns=found.columns,
        comparisons=compare_as_published(gold, found, row.kind),
    )


def compare_as_published(gold: CompatTable, found: CompatTable, answer_type: str) -> tuple[Comparison, ...]:
    """Return what each figure of an answer type counts: matched on both sides, missing from the reply, extra in it.

    >>> gold = CompatTable(("0",), (("a", "b", "b"),))
    >>> compare_as_published(gold, CompatTable(("item",), (("b", "c"),)), "set")[0].missing
    (('a',),)
    """
    shared = shared_columns(gold, found)
    return tuple(
        _comparison(figures, compared, Counter(units(gold, shared)), Counter(units(found, shared)))
        for figures, compared, units in _COMPARED.get(answer_type.lower(), _COMPARED["item"])
    )


def _comparison(figures: tuple[str, ...], compared: str, wanted: Counter[Unit], given: Counter[Unit]) -> Comparison:
    return Comparison(
        figures, compared, *(tuple(part.elements()) for part in (wanted & given, wanted - given, given - wanted))
    )


def _joined_first_row(side: CompatTable, shared: tuple[str, ...]) -> Iterator[Unit]:
    if side.cells and side.cells[0]:
        yield ("".join(cells[0] for cells in side.cells),)


def _last_column(side: CompatTable, shared: tuple[str, ...]) -> Iterator[Unit]:
    return ((cell,) for cell in side.cells[-1]) if side.cells else iter(())


def _last_column_once(side: CompatTable, shared: tuple[str, ...]) -> Iterable[Unit]:
    return list(dict.fromkeys(_last_column(side, shared)))


def _first_column_once(side: CompatTable, shared: tuple[str, ...]) -> Iterable[Unit]:
    return list(dict.fromkeys((cell,) for cell in side.cells[0])) if side.cells else ()


def _numbered_rows(side: CompatTable, shared: tuple[str, ...]) -> Iterator[Unit]:
    return ((str(number), *row) for number, row in enumerate(side.rows, start=1))


def _rows_once(side: CompatTable, shared: tuple[str, ...]) -> Iterable[Unit]:
    return sorted(rows_under(side, shared)) if shared else ()


def _cells(side: CompatTable, shared: tuple[str, ...]) -> Iterator[Unit]:
    for name, cells in side.counts.items():
        yield from ((name, cell) for cell in cells.elements())


_IN_PLACE = (("global_em",), "rows with their number, cell by cell; headers do not count", _numbered_rows)

Units = Callable[[CompatTable, tuple[str, ...]], Iterable[Unit]]
"""What one side has to count; the names of the columns that both sides have come in too."""

_COMPARED: Mapping[str, Sequence[tuple[tuple[str, ...], str, Units]]] = {
    "item": ((("item_em",), "the cells of the first row, joined", _joined_first_row), _IN_PLACE),
    "set": (
        (("set_precision", "set_recall", "set_f1"), "the last column, each value once", _last_column_once),
        (("global_em",), "the first column, each value once", _first_column_once),
    ),
    "list": (
        (("list_content_f1", "list_order_score"), "the last column; the order by difflib", _last_column),
        _IN_PLACE,
    ),
    "table": (
        (("table_row_precision", "table_row_recall", "table_row_f1"),
         "rows, each once, under the columns that both sides have", _rows_once),
        (("table_item_precision", "table_item_recall", "table_item_f1"),
         "cells with their column, wherever they stand in it", _cells),
        _IN_PLACE,
    ),
}  # fmt: skip
"""Answer type -> which figures count what."""

_NOTHING = CompatTable((), ())
"""A reply in which the published evaluator finds nothing."""
