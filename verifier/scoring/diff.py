"""Where an answer differs from the gold answer, cell by cell: matched, wrong, missing, extra, misplaced."""

from __future__ import annotations

import unicodedata
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Protocol

from verifier.answers.answer_format import AnswerFormat
from verifier.scoring.pairing import Pairing
from verifier.scoring.score import CellDiff
from verifier.scoring.sequence import longest_rise


class HasCanonical(Protocol):
    """A gold answer, as far as a diff needs it."""

    @property
    def canonical(self) -> tuple[tuple[str, ...], ...]: ...


def is_near(one: str, other: str) -> bool:
    """Tell whether two unequal texts differ only by accents, punctuation or spaces.

    >>> is_near("zürich", "zurich"), is_near("1996", "1997")
    (True, False)
    """
    return one != other and bool(skeleton(one)) and skeleton(one) == skeleton(other)


def skeleton(text: str) -> str:
    """Return the letters and digits of a text without accents and case."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in spread if sign.isalnum())


def set_diff(
    column: str, gold: Sequence[str], found: Sequence[str], values: Sequence[str], ready: HasCanonical
) -> tuple[CellDiff, ...]:
    """Compare elements whose order does not count. Repeated elements count once."""
    return _elements_diff(column, gold, found, values, ready, ordered=False)


def list_diff(
    column: str, gold: Sequence[str], found: Sequence[str], values: Sequence[str], ready: HasCanonical
) -> tuple[CellDiff, ...]:
    """Compare elements whose order counts: a right element outside the longest ordered part is misplaced."""
    return _elements_diff(column, gold, found, values, ready, ordered=True)


def _elements_diff(
    column: str, gold: Sequence[str], found: Sequence[str], values: Sequence[str], ready: HasCanonical, *, ordered: bool
) -> tuple[CellDiff, ...]:
    wanted = [row[0] for row in ready.canonical]
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for place, value in enumerate(values):
        waiting[value].append(place)
    partner: dict[int, int] = {}
    for place, value in enumerate(wanted):
        if waiting[value]:
            partner[place] = waiting[value].popleft()
    pairs = sorted(partner.items())
    rising = longest_rise([found_place for _, found_place in pairs])
    in_order = {gold_place for at, (gold_place, _) in enumerate(pairs) if at in rising or not ordered}
    free = sorted(set(range(len(values))) - set(partner.values()))
    if not ordered:
        known = set(wanted)
        free = [place for place in free if values[place] not in known]
    near = {skeleton(values[place]) for place in free} - {""}
    cells = [
        CellDiff(
            status="missing" if place not in partner else "matched" if place in in_order else "misplaced",
            column=column,
            row=place,
            found_row=partner.get(place),
            expected=text,
            found=found[partner[place]] if place in partner else None,
            near=place not in partner and skeleton(wanted[place]) in near,
        )
        for place, text in enumerate(gold)
    ]
    cells += [CellDiff(status="extra", column=column, found_row=place, found=found[place]) for place in free]
    return tuple(cells)


def table_diff(
    gold: Sequence[Sequence[str]],
    gold_canonical: Sequence[Sequence[str]],
    found: Sequence[Sequence[str]],
    found_canonical: Sequence[Sequence[str | None]],
    pairing: Pairing,
    asked: AnswerFormat,
) -> tuple[CellDiff, ...]:
    """Compare the cells of paired rows; unpaired gold rows are missing, unpaired found rows extra."""
    partner = dict(pairing)
    in_order = _rows_in_order(gold_canonical, pairing, asked)
    cells: list[CellDiff] = []
    for row, texts in enumerate(gold):
        other = partner.get(row)
        for place, name in enumerate(asked.header):
            value = None if other is None else found_canonical[other][place]
            if other is None or value is None:
                cells.append(CellDiff(status="missing", column=name, row=row, found_row=other, expected=texts[place]))
                continue
            wanted = gold_canonical[row][place]
            cells.append(
                CellDiff(
                    status="wrong" if value != wanted else "matched" if row in in_order else "misplaced",
                    column=name,
                    row=row,
                    found_row=other,
                    expected=texts[place],
                    found=found[other][place],
                    near=is_near(value, wanted),
                )
            )
    return (*cells, *_extra_rows(found, found_canonical, set(partner.values()), asked))


def _rows_in_order(gold: Sequence[Sequence[str]], pairing: Pairing, asked: AnswerFormat) -> frozenset[int]:
    in_found_order = [row for row, _ in sorted(pairing, key=lambda pair: pair[1])]
    if asked.sort == ():
        return frozenset(in_found_order)
    if asked.sort is not None:
        # Rows that tie on the stated keys stand in order either way: they are put in the gold's order first.
        places = [asked.header.index(key.column) for key in asked.sort]
        ranks: dict[tuple[str, ...], int] = {}
        group = [ranks.setdefault(tuple(row[place] for place in places), len(ranks)) for row in gold]
        width = len(gold) + 1
        steps = [group[row] * width + at for at, row in enumerate(in_found_order)]
    else:
        steps = list(in_found_order)
    return frozenset(in_found_order[at] for at in longest_rise(steps))


def _extra_rows(
    found: Sequence[Sequence[str]],
    found_canonical: Sequence[Sequence[str | None]],
    taken: set[int],
    asked: AnswerFormat,
) -> list[CellDiff]:
    return [
        CellDiff(status="extra", column=name, found_row=row, found=text)
        for row, texts in enumerate(found)
        if row not in taken
        for name, text, value in zip(asked.header, texts, found_canonical[row], strict=True)
        if value is not None
    ]
