"""Profile `strict`: a parsed answer against the gold answer, by the rules of the answer format.

Columns are aligned by header, rows on the key columns, order counts as far as the format asks for it. Exact match
means every figure is 1. Equality is equality of canonical text, or a number within the column's stated tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat, AnswerType, Column
from verifier.answers.normalization.normalise import normalise, within_tolerance
from verifier.scoring.diff import list_diff, set_diff, table_diff
from verifier.scoring.pairing import Pairing, pair_rows
from verifier.scoring.score import CellDiff, bag_overlap, named, overlap
from verifier.scoring.sequence import lcs_ratio, order_ratio

Cells = tuple[str, ...]


class Gold(NamedTuple):
    """A gold answer made ready: its rows as written and in canonical text, columns in the format's order."""

    answer_format: AnswerFormat
    rows: tuple[Cells, ...]
    canonical: tuple[Cells, ...]


class Found(NamedTuple):
    """An answer to be judged: canonical cells under the gold columns (None: no such column), and those beside."""

    rows: tuple[Cells, ...]
    canonical: list[list[str | None]]
    extra: list[list[tuple[str | None, str]]]


class Judged(NamedTuple):
    """The figures and, where asked for, the diff."""

    metrics: Mapping[str, float]
    cells: tuple[CellDiff, ...]


def make_gold(header: Sequence[str], rows: Sequence[Sequence[str]], answer_format: AnswerFormat) -> Gold:
    """Bring a gold answer into the format's order and canonical text; a missing cell is blank."""
    places = {name: place for place, name in enumerate(header or answer_format.header)}
    ordered = tuple(
        tuple(row[places[name]] if name in places and places[name] < len(row) else "" for name in answer_format.header)
        for row in rows
    )
    canonical = tuple(
        tuple(normalise(cell, column) for cell, column in zip(row, answer_format.columns, strict=True))
        for row in ordered
    )
    return Gold(answer_format, ordered, canonical)


def judge(gold: Gold, parsed: ParsedAnswer, *, diff: bool = True) -> Judged:
    """Score a parsed answer against the gold answer of the same format."""
    return _JUDGES[gold.answer_format.type](gold, parsed, diff)


def _item(gold: Gold, parsed: ParsedAnswer, diff: bool) -> Judged:
    values = _values(gold, parsed)
    wide = any(len(row) > 1 for row in parsed.rows)
    right = float(len(values) == 1 and not wide and values == _gold_values(gold))
    cells = (
        list_diff(gold.answer_format.header[0], _firsts(gold.rows), _firsts(parsed.rows), values, gold) if diff else ()
    )
    return Judged({"item_em": right, "global_em": right}, cells)


def _set(gold: Gold, parsed: ParsedAnswer, diff: bool) -> Judged:
    values, wanted = _values(gold, parsed), _gold_values(gold)
    figures = overlap(len(set(values) & set(wanted)), len(set(values)), len(set(wanted)))
    right = float(bool(wanted) and set(values) == set(wanted))
    cells = (
        set_diff(gold.answer_format.header[0], _firsts(gold.rows), _firsts(parsed.rows), values, gold) if diff else ()
    )
    return Judged({**named("set", figures), "global_em": right}, cells)


def _list(gold: Gold, parsed: ParsedAnswer, diff: bool) -> Judged:
    values, wanted = _values(gold, parsed), _gold_values(gold)
    metrics = {
        **named("list_content", bag_overlap(values, wanted)),
        "list_order_score": order_ratio(wanted, values),
        "list_lcs_score": lcs_ratio(wanted, values),
        "global_em": float(bool(wanted) and values == wanted),
    }
    cells = (
        list_diff(gold.answer_format.header[0], _firsts(gold.rows), _firsts(parsed.rows), values, gold) if diff else ()
    )
    return Judged(metrics, cells)


def _table(gold: Gold, parsed: ParsedAnswer, diff: bool) -> Judged:
    asked = gold.answer_format
    found = _found(parsed, asked)
    keys = [asked.header.index(name) for name in asked.key_columns]
    pairing = pair_rows(gold.canonical, found.canonical, keys)
    _apply_tolerance(gold, found, pairing, asked.columns)
    whole = [tuple(row) if not any(name is None for name, _ in extra) else (None,)
             for row, extra in zip(found.canonical, found.extra, strict=True)]  # fmt: skip
    rows = bag_overlap(whole, gold.canonical)
    bag = bag_overlap(
        [cell for row, extra in zip(found.canonical, found.extra, strict=True) for cell in _named_cells(row, extra)],
        [cell for row in gold.canonical for cell in enumerate(row)],
    )
    aligned = overlap(
        sum(pairing_hits(gold.canonical[g], found.canonical[f]) for g, f in pairing),
        sum(sum(cell is not None for cell in row) for row in found.canonical) + sum(map(len, found.extra)),
        len(gold.canonical) * len(asked.columns),
    )
    exact = bool(gold.rows) and _header_is_right(parsed, asked) and rows.f1 == 1.0 and _order_is_right(gold, found)
    metrics = {**named("table_row", rows), **named("table_item", bag), "table_item_f1_aligned": aligned.f1}
    cells = table_diff(gold.rows, gold.canonical, found.rows, found.canonical, pairing, asked) if diff else ()
    return Judged({**metrics, "global_em": float(exact)}, cells)


_JUDGES: Mapping[AnswerType, Callable[[Gold, ParsedAnswer, bool], Judged]] = {
    "item": _item,
    "set": _set,
    "list": _list,
    "table": _table,
}


def _firsts(rows: Sequence[Sequence[str]]) -> list[str]:
    return [row[0] if row else "" for row in rows]


def _gold_values(gold: Gold) -> list[str]:
    return [row[0] for row in gold.canonical]


def _values(gold: Gold, parsed: ParsedAnswer) -> list[str]:
    column = gold.answer_format.columns[0]
    values = [normalise(text, column) for text in _firsts(parsed.rows)]
    if column.tolerance is None:
        return values
    wanted = _gold_values(gold)
    return [next((gold_value for gold_value in wanted if within_tolerance(value, gold_value, column)), value)
            for value in values]  # fmt: skip


def _found(parsed: ParsedAnswer, asked: AnswerFormat) -> Found:
    places = {name: place for place, name in enumerate(parsed.header)}
    canonical: list[list[str | None]] = []
    extra: list[list[tuple[str | None, str]]] = []
    for row in parsed.rows:
        canonical.append(
            [normalise(row[places[column.name]], column) if column.name in places else None for column in asked.columns]
        )
        unknown = [(name, row[place]) for name, place in places.items() if name not in asked.header]
        extra.append([*unknown, *((None, text) for text in row[len(parsed.header) :])])
    rows = tuple(tuple(row[places[name]] if name in places else "" for name in asked.header) for row in parsed.rows)
    return Found(rows, canonical, extra)


def _named_cells(row: Sequence[str | None], extra: Sequence[tuple[str | None, str]]) -> list[tuple[object, object]]:
    return [(place, cell) for place, cell in enumerate(row) if cell is not None] + [
        (("beside", name), text) for name, text in extra
    ]


def pairing_hits(gold_row: Sequence[str], found_row: Sequence[str | None]) -> int:
    """Count the cells of a paired row that are right."""
    return sum(one == other for one, other in zip(gold_row, found_row, strict=True))


def _apply_tolerance(gold: Gold, found: Found, pairing: Pairing, columns: Sequence[Column]) -> None:
    # A number that is near enough to its own row's gold becomes it; then equality is plain equality.
    for place, column in enumerate(columns):
        if column.tolerance is None:
            continue
        for gold_row, found_row in pairing:
            value, wanted = found.canonical[found_row][place], gold.canonical[gold_row][place]
            if value is not None and within_tolerance(value, wanted, column):
                found.canonical[found_row][place] = wanted


def _header_is_right(parsed: ParsedAnswer, asked: AnswerFormat) -> bool:
    return parsed.header == asked.header and "header_missing" not in parsed.faults


def _order_is_right(gold: Gold, found: Found) -> bool:
    asked = gold.answer_format
    if asked.sort == ():
        return True
    if asked.sort is None:
        places = list(range(len(asked.columns)))
    else:
        # Rows that tie on every stated key may stand in either order.
        places = [asked.header.index(key.column) for key in asked.sort]
    return [[row[place] for place in places] for row in gold.canonical] == [
        [row[place] for place in places] for row in found.canonical
    ]
