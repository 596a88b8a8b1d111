"""Two tables read the published way come in, the published evaluator's figures go out, its faults kept on purpose.

Profile `gisa-compat` (spec/gisa.md 3.4 and 5.1-5.2): figures to compare with the published leaderboard, bit for bit.
Headers never count for an exact match, rows are compared as sets on the columns both sides have, a set is judged by its
last column but is exact by its first, the order of a list by difflib with its shortcut for popular elements. What is
right stands in profile `strict`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from verifier.scoring.compat_order import matched_as_published
from verifier.scoring.compat_tables import CompatTable

Figures = dict[str, float]


def judge_as_published(gold: CompatTable, found: CompatTable | None, answer_type: str) -> Figures:
    """Return the figures of one question under the published names; list figures are rounded to 4 digits.

    A reply in which nothing was found scores 0. An unknown type is graded as item, as published.

    >>> gold = CompatTable(("0",), (("12",),))
    >>> judge_as_published(gold, CompatTable(("a", "b"), (("1",), ("2",))), "item")
    {'item_em': 1.0, 'global_em': 0.0}
    """
    kind = answer_type.lower()
    names, figures = _FIGURES.get(kind, _FIGURES["item"])
    judged = figures(gold, found) if found is not None and found.cells[0] else [0.0] * len(names)
    exact = found is not None and (_same_first_column if kind == "set" else _same_cells)(gold, found)
    return {**dict(zip(names, judged, strict=True)), "global_em": float(exact)}


def _item(gold: CompatTable, found: CompatTable) -> Sequence[float]:
    # The cells of the first row, joined without a separator: 1 and 2 are 12 (C19).
    wanted, given = ("".join([cells[0] for cells in table.cells if cells]) for table in (gold, found))
    return (float(wanted == given),)


def _set(gold: CompatTable, found: CompatTable) -> Sequence[float]:
    wanted, given = set(gold.cells[-1]), set(found.cells[-1])
    return _overlap(len(wanted & given), len(given), len(wanted))


def _list(gold: CompatTable, found: CompatTable) -> Sequence[float]:
    wanted, given = gold.cells[-1], found.cells[-1]
    _, _, content = _overlap((Counter(wanted) & Counter(given)).total(), len(given), len(wanted))
    order = 2.0 * matched_as_published(wanted, given) / (len(wanted) + len(given))
    return round(content, 4), round(order, 4)


def _table(gold: CompatTable, found: CompatTable) -> Sequence[float]:
    return *_row_figures(gold, found), *_cell_figures(gold, found)


_FIGURES: Mapping[str, tuple[tuple[str, ...], Callable[[CompatTable, CompatTable], Sequence[float]]]] = {
    "item": (("item_em",), _item),
    "set": (("set_precision", "set_recall", "set_f1"), _set),
    "list": (("list_content_f1", "list_order_score"), _list),
    "table": (
        ("table_row_precision", "table_row_recall", "table_row_f1",
         "table_item_precision", "table_item_recall", "table_item_f1"),
        _table,
    ),
}  # fmt: skip


def _same_cells(gold: CompatTable, found: CompatTable) -> bool:
    return gold.cells == found.cells


def _same_first_column(gold: CompatTable, found: CompatTable) -> bool:
    return set(gold.cells[0]) == set(found.cells[0])


def _row_figures(gold: CompatTable, found: CompatTable) -> Sequence[float]:
    shared = shared_columns(gold, found)
    if not shared:
        return 0.0, 0.0, 0.0
    wanted, given = rows_under(gold, shared), rows_under(found, shared)
    return _overlap(len(wanted & given), len(given), len(wanted))


def shared_columns(gold: CompatTable, found: CompatTable) -> tuple[str, ...]:
    """Return the names of the gold columns that the reply has too; a name that repeats stands there as often."""
    known = set(found.columns)
    return tuple(name for name in gold.columns if name in known)


def rows_under(table: CompatTable, names: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return the rows of a table under some of its columns, each once.

    >>> sorted(rows_under(CompatTable(("a", "b"), (("1", "1"), ("2", "3"))), ("a",)))
    [('1',)]
    """
    if names == table.columns and len(set(names)) == len(names):
        return table.distinct_rows
    # A name that stands several times brings all its columns, each time (D10).
    cells = [cells for name in names for other, cells in zip(table.columns, table.cells, strict=True) if other == name]
    return frozenset(zip(*cells, strict=True))


def _cell_figures(gold: CompatTable, found: CompatTable) -> Sequence[float]:
    hits = 0
    for name, counts in found.counts.items():
        wanted: Mapping[str, int] = gold.counts.get(name, {})
        # A plain loop: Counter's own intersection takes three times as long, and most of the time goes here.
        for cell, count in counts.items():
            most = wanted.get(cell, 0)
            hits += min(most, count) if most else 0
    return _overlap(hits, _total(found), _total(gold))


def _total(table: CompatTable) -> int:
    return sum([counts.total() for counts in table.counts.values()])


def _overlap(hits: int, given: int, wanted: int) -> tuple[float, float, float]:
    precision = hits / given if given else 0.0
    recall = hits / wanted if wanted else 0.0
    return precision, recall, 2 * (precision * recall) / (precision + recall) if hits else 0.0
