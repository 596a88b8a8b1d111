"""Numbers near enough: which gold value a found number stands for. One to one, and the same in whatever order.

Nearness is no equality: 10.0 may be near 10.4 and that near 10.8. So found values are paired with gold values, as many
as can be, and a paired one counts as its gold value. Cells that are no numbers are compared as text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from verifier.answers.columns import Column
from verifier.answers.normalization.number import read_number
from verifier.answers.normalization.tolerance import tolerance_of
from verifier.scoring.sequence import lcs_pairs, places_of

Tolerances = Sequence[Fraction | None]
"""How far each column's numbers may be off; None for a column without a tolerance."""

MAX_PAIRS = 10_000
"""Rows alike in all but two or more numbers are paired as well as can be up to this many pairs, then in their order."""


def allowed_by(column: Column) -> Fraction | None:
    """Return how far a number of this column may be off; None where no tolerance is stated, or none can be read.

    >>> allowed_by(Column(name="Mass", tolerance="0.5")), allowed_by(Column(name="Mass"))
    (Fraction(1, 2), None)
    """
    allowed = tolerance_of(column)
    return None if allowed is None else Fraction(allowed)


def is_close(one: str | None, other: str | None, allowed: Fraction | None) -> bool:
    """Tell whether two canonical cells are equal, or numbers no further apart than allowed.

    >>> is_close("10.2", "10", Fraction(1, 4)), is_close("10.2", "10", None)
    (True, False)
    """
    if one == other or allowed is None or one is None or other is None:
        return one == other
    first, second = _number(one), _number(other)
    return first is not None and second is not None and abs(first - second) <= allowed


def shared(found: Counter[str], gold: Counter[str], allowed: Fraction | None = None) -> int:
    """Count the elements two multisets share, each used once; near numbers are paired, as many as can be.

    >>> shared(Counter(["10.2", "10.4", "x"]), Counter(["10", "11", "x"]), Fraction(1, 2))
    2
    >>> shared(Counter(["10.2", "10.6", "x"]), Counter(["10", "11", "x"]), Fraction(1, 2))
    3
    """
    if allowed is None:
        return sum([min(times, found[value]) for value, times in gold.items() if value in found])
    return len(pair_values(list(gold.elements()), list(found.elements()), allowed))


def pair_values(gold: Sequence[str], found: Sequence[str], allowed: Fraction | None = None) -> list[tuple[int, int]]:
    """Pair the places of equal or near values, each used once, as many as can be.

    >>> pair_values(["10", "11", "x"], ["x", "10.6", "10.2"], Fraction(1, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    waiting: dict[str, deque[int]] = defaultdict(deque)
    numbers: list[tuple[Fraction, int]] = []
    other_numbers: list[tuple[Fraction, int]] = []
    pairs: list[tuple[int, int]] = []
    for place, value in enumerate(found):
        if allowed is not None and (number := _number(value)) is not None:
            other_numbers.append((number, place))
        else:
            waiting[value].append(place)
    for place, value in enumerate(gold):
        if allowed is not None and (number := _number(value)) is not None:
            numbers.append((number, place))
        elif waiting.get(value):
            pairs.append((place, waiting[value].popleft()))
    if allowed is not None:
        pairs += _pair_numbers(numbers, other_numbers, allowed)
    return sorted(pairs)


def snap_list(found: Sequence[str], gold: Sequence[str], allowed: Fraction) -> list[str]:
    """Put gold values for near ones: first those that make the longest part stand in order, then any that are left.

    >>> snap_list(["10.3", "10.1", "99"], ["10", "10.4"], Fraction(1, 2))
    ['10', '10.4', '99']
    """
    pairs = lcs_pairs(gold, found, _near_places(found, gold, allowed))
    rest = sorted(set(range(len(gold))) - {place for place, _ in pairs})
    free = sorted(set(range(len(found))) - {place for _, place in pairs})
    moved = pair_values([gold[place] for place in rest], [found[place] for place in free], allowed)
    snapped = list(found)
    for place, other in [*pairs, *((rest[one], free[other]) for one, other in moved)]:
        snapped[other] = gold[place]
    return snapped


def _near_places(found: Sequence[str], gold: Sequence[str], allowed: Fraction) -> dict[Hashable, int]:
    places = places_of(gold)
    values = sorted((number, bits) for text, bits in places.items() if (number := _number(str(text))) is not None)
    near: dict[Hashable, int] = {}
    for text in set(found):
        bits, number = places.get(text, 0), _number(text)
        if number is not None:
            first = bisect_left(values, (number - allowed, 0))
            for value, others in islice(values, first, None):
                if value > number + allowed:
                    break
                bits |= others
        if bits:
            near[text] = bits
    return near


def snap_rows(
    found: Sequence[tuple[str | None, ...]], gold: Sequence[tuple[str, ...]], tolerances: Tolerances, *, ordered: bool
) -> list[tuple[str | None, ...]]:
    """Put gold rows for found rows whose every cell is near; each gold row is used once, as many as can be.

    Where the order counts and every row is near the one at its place, these are taken.
    """
    if ordered and len(found) == len(gold) and all(_fits(*rows, tolerances) for rows in zip(found, gold, strict=True)):
        return list(gold)
    snapped: list[tuple[str | None, ...]] = list(found)
    waiting = _by_frame(found, tolerances)
    for frame, golds in _by_frame(gold, tolerances).items():
        pairs = _pair_rows(gold, golds, found, waiting[frame], tolerances) if frame in waiting else []
        for gold_place, found_place in pairs:
            snapped[found_place] = gold[gold_place]
    return snapped


def snap_column(found: Sequence[str | None], gold: Sequence[str], allowed: Fraction) -> list[str | None]:
    """Put the nearest gold value for each near cell of a column, whatever row it stands in."""
    values = sorted({number: text for text in gold if (number := _number(text)) is not None}.items())
    known = set(gold)
    return [text if text is None or text in known else _nearest(text, values, allowed) for text in found]


@lru_cache(maxsize=4096)
def _number(canonical: str) -> Fraction | None:
    found = read_number(canonical)
    return None if found is None else Fraction(found.value)


def _nearest(text: str, values: Sequence[tuple[Fraction, str]], allowed: Fraction) -> str:
    number = _number(text)
    if number is None:
        return text
    at = bisect_left(values, (number, ""))
    near = [(abs(value - number), value, gold) for value, gold in values[max(at - 1, 0) : at + 1]]
    return min(near)[2] if near and min(near)[0] <= allowed else text


def _fits(found: Sequence[str | None], gold: Sequence[str], tolerances: Tolerances) -> bool:
    return all(map(is_close, found, gold, tolerances))


def _by_frame(rows: Sequence[tuple[str | None, ...]], tolerances: Tolerances) -> dict[tuple[object, ...], list[int]]:
    # The frame of a row: all of it but the numbers that may be off.
    frames: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        frame = tuple(
            cell if allowed is None or cell is None or _number(cell) is None else True
            for cell, allowed in zip(row, tolerances, strict=True)
        )
        frames[frame].append(place)
    return frames


def _pair_rows(
    gold: Sequence[tuple[str, ...]],
    golds: Sequence[int],
    found: Sequence[tuple[str | None, ...]],
    founds: Sequence[int],
    tolerances: Tolerances,
) -> list[tuple[int, int]]:
    """Pair rows of one frame. With one number to a row this is exact for any size."""
    numbers = {place: _numbers(gold[place], tolerances) for place in golds}
    other_numbers = {place: _numbers(found[place], tolerances) for place in founds}
    allowed = [
        one
        for one, cell in zip(tolerances, gold[golds[0]], strict=True)
        if one is not None and _number(cell) is not None
    ]
    if len(allowed) == 1:
        return _pair_numbers(
            [(numbers[g][0], g) for g in golds], [(other_numbers[f][0], f) for f in founds], allowed[0]
        )
    ordered = sorted(golds, key=numbers.__getitem__)
    other_ordered = sorted(founds, key=other_numbers.__getitem__)

    def near(g: int, f: int) -> bool:
        return _fits(found[f], gold[g], tolerances)

    if len(golds) * len(founds) > MAX_PAIRS:
        return [(g, f) for g, f in zip(ordered, other_ordered, strict=False) if near(g, f)]
    return _most_pairs({g: [f for f in other_ordered if near(g, f)] for g in ordered})


def _numbers(row: Sequence[str | None], tolerances: Tolerances) -> tuple[Fraction, ...]:
    return tuple(
        number
        for cell, allowed in zip(row, tolerances, strict=True)
        if allowed is not None and cell is not None and (number := _number(cell)) is not None
    )


def _pair_numbers(
    gold: Sequence[tuple[Fraction, int]], found: Sequence[tuple[Fraction, int]], allowed: Fraction
) -> list[tuple[int, int]]:
    # The lowest gold value takes the lowest found value near it: no pairing has more pairs.
    pairs = []
    waiting = sorted(found)
    at = 0
    for number, place in sorted(gold):
        while at < len(waiting) and waiting[at][0] < number - allowed:
            at += 1
        if at < len(waiting) and waiting[at][0] <= number + allowed:
            pairs.append((place, waiting[at][1]))
            at += 1
    return pairs


def _most_pairs(choices: dict[int, list[int]]) -> list[tuple[int, int]]:
    """Pair as many keys as can be with one of their choices each, by augmenting paths."""
    taken: dict[int, int] = {}

    def place(one: int, tried: set[int]) -> bool:
        for other in choices[one]:
            if other not in tried:
                tried.add(other)
                if other not in taken or place(taken[other], tried):
                    taken[other] = one
                    return True
        return False

    for one in choices:
        place(one, set())
    return [(one, other) for other, one in taken.items()]
