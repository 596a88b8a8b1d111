"""Where an answer differs from the gold answer, cell by cell: matched, wrong, missing, extra, misplaced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from verifier.answers.columns import Column
from verifier.answers.normalization.matching import rules_for_match
from verifier.answers.normalization.near_miss import near_miss, skeleton
from verifier.scoring.pairing import Pairing
from verifier.scoring.prepared import Found, Gold
from verifier.scoring.row_order import same_order
from verifier.scoring.score import CellDiff, DiffStatus
from verifier.scoring.sequence import longest_rise
from verifier.scoring.tolerance import is_close

MAX_COMPARED = 10_000
"""So many pairs of missing and extra elements are compared for nearness; beyond, only those alike but for signs."""


def elements_diff(
    gold: Gold, found: Found, pairing: Iterable[tuple[int, int]], extra: Sequence[int], in_order: Set[int] | None = None
) -> tuple[CellDiff, ...]:
    """Compare the elements of a column, given the pairs of equal ones and the found ones that are too many.

    Gold elements that are not `in_order` are misplaced. A missing and an extra element that are nearly the same are one
    wrong element, and so are the only two of an item.
    """
    column, wanted = gold.answer_format.columns[0], gold.columns[0]
    partner = dict(pairing)
    missing = [place for place in range(len(wanted)) if place not in partner]
    near = _near_pairs(column, wanted, found, missing, extra)
    if gold.answer_format.type == "item" and not near and missing and extra:
        near = {missing[0]: (extra[0], None)}
    return (*_elements(gold, found, partner, near, in_order), *_extra_elements(found, extra, near, column.name))


def _elements(
    gold: Gold,
    found: Found,
    partner: Mapping[int, int],
    near: Mapping[int, tuple[int, str | None]],
    in_order: Set[int] | None,
) -> Iterator[CellDiff]:
    column = gold.answer_format.columns[0]
    for place, (expected,) in enumerate(gold.rows):
        other, reason = near.get(place, (partner.get(place), None))
        status: DiffStatus = "missing"
        if place in partner:
            status = "matched" if in_order is None or place in in_order else "misplaced"
        elif other is not None:
            status = "wrong"
        text = None if other is None else found.text(other, 0)
        yield CellDiff(
            status=status,
            column=column.name,
            row=place,
            found_row=other,
            expected=expected,
            found=text,
            rules=rules_for_match(text, expected, column) if text is not None and place in partner else (),
            near=reason,
        )


def _extra_elements(
    found: Found, extra: Sequence[int], near: Mapping[int, tuple[int, str | None]], name: str
) -> Iterator[CellDiff]:
    wrong = {place for place, _ in near.values()}
    for place in extra:
        if place not in wrong:
            yield CellDiff(status="extra", column=name, found_row=place, found=found.text(place, 0))
    for place in sorted(found.too_long):
        yield from _cells_beside(found, place, None)


def _near_pairs(
    column: Column, wanted: Sequence[str], found: Found, missing: Sequence[int], extra: Sequence[int]
) -> dict[int, tuple[int, str | None]]:
    """Return for missing places the extra element that is nearly it, with the reason; each is used once."""
    values = {place: found.canonical[place][0] or "" for place in extra}
    bare: dict[str, list[int]] = defaultdict(list)
    for place, value in values.items():
        bare[skeleton(value)].append(place)
    few = len(missing) * len(extra) <= MAX_COMPARED
    pairs: dict[int, tuple[int, str | None]] = {}
    for place in missing:
        for other in values if few else bare.get(skeleton(wanted[place]), ()):
            if other in values and (reason := near_miss(values[other], wanted[place], column)):
                pairs[place] = (other, reason)
                del values[other]
                break
    return pairs


def table_diff(gold: Gold, found: Found, pairing: Pairing) -> tuple[CellDiff, ...]:
    """Compare the cells of paired rows; unpaired gold rows are missing, unpaired found rows extra."""
    partner = dict(pairing)
    in_order = _rows_in_order(gold, found, pairing)
    cells: list[CellDiff] = []
    for row in range(len(gold.rows)):
        other = partner.get(row)
        cells += _row_cells(gold, found, row, other, row in in_order)
        if other is not None:
            cells += _cells_beside(found, other, row)
    taken = set(partner.values())
    for other in range(len(found.written)):
        if other not in taken:
            cells += _extra_row(gold, found, other)
    return tuple(cells)


def _row_cells(gold: Gold, found: Found, row: int, other: int | None, in_order: bool) -> Iterator[CellDiff]:
    for place, column in enumerate(gold.answer_format.columns):
        expected = gold.rows[row][place]
        if other is None or found.places[place] is None:
            yield CellDiff(status="missing", column=column.name, row=row, found_row=other, expected=expected)
            continue
        value, wanted, text = found.canonical[other][place] or "", gold.canonical[row][place], found.text(other, place)
        right = is_close(value, wanted, gold.tolerances[place])
        yield CellDiff(
            status="wrong" if not right else "matched" if in_order else "misplaced",
            column=column.name,
            row=row,
            found_row=other,
            expected=expected,
            found=text,
            rules=rules_for_match(text, expected, column) if right else (),
            near=None if right else near_miss(value, wanted, column),
        )


def _extra_row(gold: Gold, found: Found, other: int) -> Iterator[CellDiff]:
    for place, name in enumerate(gold.answer_format.header):
        if found.places[place] is not None:
            yield CellDiff(status="extra", column=name, found_row=other, found=found.text(other, place))
    yield from _cells_beside(found, other, None)


def _cells_beside(found: Found, other: int, row: int | None) -> Iterator[CellDiff]:
    for name, text in found.texts_beside(other):
        yield CellDiff(status="extra", column=name, row=row, found_row=other, found=text)


def _rows_in_order(gold: Gold, found: Found, pairing: Pairing) -> frozenset[int]:
    asked = gold.answer_format
    in_found_order = [row for row, _ in sorted(pairing, key=lambda pair: pair[1])]
    if asked.sort == ():
        return frozenset(in_found_order)
    if asked.sort is None:
        return _longest_part(in_found_order)
    if same_order(gold.rows, found.texts(), asked.sort, asked):
        return frozenset(in_found_order)
    # Rows that tie on the stated keys stand in order either way: they are put in the gold's order first.
    places = [asked.header.index(key.column) for key in asked.sort]
    ranks: dict[tuple[str, ...], int] = {}
    group = [ranks.setdefault(tuple(row[place] for place in places), len(ranks)) for row in gold.canonical]
    width = len(gold.canonical) + 1
    rise = longest_rise([group[row] * width + at for at, row in enumerate(in_found_order)])
    return frozenset(in_found_order[at] for at in rise)


def _longest_part(numbers: Sequence[int]) -> frozenset[int]:
    return frozenset(numbers[at] for at in longest_rise(numbers))
