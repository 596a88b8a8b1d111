"""Profile `strict`: a parsed answer against the gold answer, by the rules of the answer format.

Equality is equality of canonical text, or nearness within the column's stated tolerance. Exact match means that every
figure is 1 and, in a table, that the header is right. What is decided here, by type:

- item: exactly one value; a second value, or a second cell beside it, makes it wrong.
- set: repeated elements count once; a blank element is an element.
- list: elements are a multiset in the content figures; their order has two figures of its own.
- table: a row is right when all gold columns are; rows are a multiset. A column nobody asked for leaves rows right, but
  its cells count as given in both item figures, and the header is wrong. A cell beyond the header makes its row wrong,
  a missing column every row. The order of rows counts as far as the format asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerType
from verifier.scoring.diff import elements_diff, table_diff
from verifier.scoring.pairing import Pairing, equal_cells, pair_rows
from verifier.scoring.prepared import Found, FoundCells, Gold, make_found
from verifier.scoring.row_order import same_order
from verifier.scoring.score import CellDiff, Overlap, named, overlap
from verifier.scoring.sequence import lcs_pairs, lcs_ratio, order_ratio
from verifier.scoring.tolerance import is_close, pair_values, shared, snap_column, snap_list, snap_rows


class Judged(NamedTuple):
    """The figures and, where asked for, the diff."""

    metrics: Mapping[str, float]
    cells: tuple[CellDiff, ...]


def judge(gold: Gold, parsed: ParsedAnswer, *, diff: bool = True) -> Judged:
    """Score a parsed answer against the gold answer of the same format."""
    return _JUDGES[gold.answer_format.type](gold, make_found(parsed, gold), diff)


def _item(gold: Gold, found: Found, diff: bool) -> Judged:
    values, wanted, allowed = _values(found), gold.columns[0], gold.tolerances[0]
    alone = len(values) == len(wanted) == 1 and not found.too_long
    right = float(alone and is_close(values[0], wanted[0], allowed))
    cells: tuple[CellDiff, ...] = ()
    if diff:
        pairs = pair_values(wanted, values, allowed)
        cells = elements_diff(gold, found, pairs, _left(values, pairs))
    return Judged({"item_em": right, "global_em": right}, cells)


def _set(gold: Gold, found: Found, diff: bool) -> Judged:
    values, wanted = list(dict.fromkeys(_values(found))), list(dict.fromkeys(gold.columns[0]))
    figures = overlap(shared(Counter(values), Counter(wanted), gold.tolerances[0]), len(values), len(wanted))
    cells = _set_diff(gold, found, values, wanted) if diff else ()
    return Judged({**named("set", figures), "global_em": float(figures.f1 == 1.0)}, cells)


def _set_diff(gold: Gold, found: Found, values: Sequence[str], wanted: Sequence[str]) -> tuple[CellDiff, ...]:
    pairs = pair_values(wanted, values, gold.tolerances[0])
    places = {value: place for place, value in reversed(list(enumerate(_values(found))))}
    partner = {wanted[one]: places[values[other]] for one, other in pairs}
    extra = [places[values[other]] for other in _left(values, pairs)]
    pairing = [(place, partner[value]) for place, value in enumerate(gold.columns[0]) if value in partner]
    return elements_diff(gold, found, pairing, extra)


def _list(gold: Gold, found: Found, diff: bool) -> Judged:
    values, wanted, allowed = _values(found), list(gold.columns[0]), gold.tolerances[0]
    content = overlap(shared(Counter(values), gold.counts[0], allowed), len(values), len(wanted))
    if allowed is not None:
        values = snap_list(values, wanted, allowed)
    metrics = {
        **named("list_content", content),
        "list_order_score": order_ratio(wanted, values),
        "list_lcs_score": lcs_ratio(wanted, values),
        "global_em": float(bool(wanted) and values == wanted),
    }
    return Judged(metrics, _list_diff(gold, found, values, wanted) if diff else ())


def _list_diff(gold: Gold, found: Found, values: Sequence[str], wanted: Sequence[str]) -> tuple[CellDiff, ...]:
    in_order = dict(lcs_pairs(wanted, values))
    rest = [place for place in range(len(wanted)) if place not in in_order]
    taken = set(in_order.values())
    free = [place for place in range(len(values)) if place not in taken]
    moved = pair_values([wanted[place] for place in rest], [values[place] for place in free])
    pairs = [*in_order.items(), *((rest[one], free[other]) for one, other in moved)]
    return elements_diff(gold, found, pairs, _left(values, pairs), in_order.keys())


def _left(values: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[int]:
    taken = {place for _, place in pairs}
    return [place for place in range(len(values)) if place not in taken]


def _table(gold: Gold, found: Found, diff: bool) -> Judged:
    bag = _bag(gold, found)
    if any(allowed is not None for allowed in gold.tolerances):
        found = _within_tolerance(gold, found)
    whole = [row for place, row in enumerate(found.canonical) if place not in found.too_long]
    rows = overlap(_shared_rows(whole, gold), len(found.canonical), len(gold.canonical))
    hits = _hits(gold, found)
    pairing = pair_rows(gold.canonical, found.canonical, gold.keys, hits)
    aligned = overlap(_right_cells(gold, found, pairing, hits), *_sizes(gold, found))
    exact = rows.f1 == 1.0 and found.header_is_right and _order_is_right(gold, found)
    metrics = {**named("table_row", rows), **named("table_item", bag), "table_item_f1_aligned": aligned.f1}
    cells = table_diff(gold, found, pairing) if diff else ()
    return Judged({**metrics, "global_em": float(exact)}, cells)


_JUDGES: Mapping[AnswerType, Callable[[Gold, Found, bool], Judged]] = {
    "item": _item,
    "set": _set,
    "list": _list,
    "table": _table,
}


def _values(found: Found) -> list[str]:
    return [row[0] or "" for row in found.canonical]


def _bag(gold: Gold, found: Found) -> Overlap:
    hits = 0
    for place, cells in enumerate(zip(*found.canonical, strict=True)):
        if found.places[place] is not None:
            hits += shared(Counter(cells), gold.counts[place], gold.tolerances[place])
    return overlap(hits, *_sizes(gold, found))


def _sizes(gold: Gold, found: Found) -> tuple[int, int]:
    return found.cells_given(), len(gold.canonical) * len(gold.columns)


def _shared_rows(rows: Sequence[FoundCells], gold: Gold) -> int:
    return sum(min(times, gold.row_counts[row]) for row, times in Counter(rows).items() if row in gold.row_counts)


def _hits(gold: Gold, found: Found) -> Callable[[int, int], int]:
    if not any(allowed is not None for allowed in gold.tolerances):
        return equal_cells(gold.canonical, found.canonical)
    return lambda g, f: sum(map(is_close, found.canonical[f], gold.canonical[g], gold.tolerances))


def _right_cells(gold: Gold, found: Found, pairing: Pairing, hits: Callable[[int, int], int]) -> int:
    width = len(gold.columns)
    return sum(width if gold.canonical[g] == found.canonical[f] else hits(g, f) for g, f in pairing)


def _within_tolerance(gold: Gold, found: Found) -> Found:
    """Put gold rows for near ones and gold keys for near keys, so that the rest is plain equality."""
    # A row with a cell too many is wrong as it stands and must not use up a gold row.
    void: FoundCells = (None,) * len(gold.columns)
    whole = [void if place in found.too_long else row for place, row in enumerate(found.canonical)]
    snapped = snap_rows(whole, gold.canonical, gold.tolerances, ordered=gold.answer_format.sort != ())
    rows = [row if new is void else new for row, new in zip(found.canonical, snapped, strict=True)]
    columns = list(zip(*rows, strict=True))
    for key in gold.keys if rows else ():
        if (allowed := gold.tolerances[key]) is not None:
            columns[key] = tuple(snap_column(columns[key], gold.columns[key], allowed))
    return found._replace(canonical=list(zip(*columns, strict=True)))


def _order_is_right(gold: Gold, found: Found) -> bool:
    asked = gold.answer_format
    if asked.sort is None:
        return list(gold.canonical) == found.canonical
    # Rows that tie on every stated key may stand in either order.
    places = [asked.header.index(key.column) for key in asked.sort]
    in_gold_order = all(
        [row[place] for row in gold.canonical] == [row[place] for row in found.canonical] for place in places
    )
    return in_gold_order or same_order(gold.rows, found.texts(), asked.sort, asked)
