"""The words of one column come in, the cells that the published evaluator compares go out, its faults kept on purpose.

The published evaluator lets pandas 2.3 guess a type for each column and normalises what comes back (spec/gisa.md 3.3,
rules 2 and 4). For most words the guess changes nothing. It does for long numbers: a column of numbers only is parsed
by pandas' own way, which reads 17 digits and rounds at every step; and beside a whole number of 2^63 or more the words
for "no value" stay words. Only a column with such a word is judged as a whole; every other cell is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

NO_VALUE: Final = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
     "NULL", "NaN", "None", "n/a", "nan", "null"]
)  # fmt: skip
"""Words that pandas takes for no value, spelled exactly so."""

_ALSO_EMPTY = frozenset(["", "nan", "none", "null"])
_NUMBERS_IN_LETTERS = frozenset("iInN")
"""The letters that a number can begin with: of inf, infinity and nan."""

_INT64_MIN, _INT64_MAX, _UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1
_SPACE = r"[\t-\r ]*"
_WHOLE = re.compile(rf"{_SPACE}([+-]?)0*([0-9]+)({_SPACE})")
_DECIMAL = re.compile(rf"{_SPACE}([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{{1,17}}))?{_SPACE}")
_INFINITE = {"inf": 1, "+inf": 1, "-inf": -1, "infinity": 1, "+infinity": 1, "-infinity": -1}
_MOST_DIGITS = 17
_POWERS = tuple(float(f"1e{exponent}") for exponent in range(309))

_SAFE_LENGTH = 15
"""A decimal number of no more characters is read alike by pandas and by Python, whatever else stands in its column."""


def published_cell(word: str) -> str:
    """Normalise a text by the published rule 4 (spec/gisa.md 3.3), where faults such as A01-A13 come from.

    >>> [published_cell(word) for word in ("007", "3.10", "$1,500", "12.5%", "Lee, Ann", "A*", " None ")]
    ['7', '3.1', '1500', '0.125', 'lee,ann', 'a', '']
    """
    bare = word.strip()
    if not _begins_as_text(bare):
        if bare.lower() in _ALSO_EMPTY:
            return ""
        figures = bare.replace(",", "").replace("$", "")
        try:
            return _number_text(float(figures[:-1]) / 100.0 if figures.endswith("%") else float(figures))
        except ValueError:
            pass
    return bare.lower().replace(" ", "").replace("*", "").replace("\n", "")


def _begins_as_text(word: str) -> bool:
    # Most words are no numbers, and to see that a text is none by trying takes long.
    return word[:1].isalpha() and word[0] not in _NUMBERS_IN_LETTERS


def published_cells(words: Sequence[str]) -> list[str]:
    """Normalise the words of one column, or of as much of it as pandas reads in one go.

    >>> published_cells(["0.12345678901234567", "N/A"]), published_cells(["0.12345678901234567", "x"])
    (['0.123457', ''], ['0.123457', 'x'])
    >>> published_cells(["18446744073709551615", "N/A"])
    ['18446744073709551616', 'n/a']
    """
    cells = list(map(_look_up, words))
    return _by_guess(words) if None in cells else cells  # type: ignore[return-value]  # no None is in it


class _Memo(dict[str, str | None]):
    """Word -> cell; None where the cell depends on the other words of its column."""

    MOST_WORDS, LONGEST_WORD = 100_000, 200

    def __missing__(self, word: str) -> str | None:
        cell = self._cell(word)
        if len(word) <= self.LONGEST_WORD:
            if len(self) >= self.MOST_WORDS:
                self.clear()
            self[word] = cell
        return cell

    def _cell(self, word: str) -> str | None:
        if word in NO_VALUE:
            return ""
        if not _begins_as_text(word):
            exponent = "e" in word or "E" in word
            if (exponent or len(word) > _SAFE_LENGTH) and _DECIMAL.fullmatch(word):
                return None
        return published_cell(word)


_look_up = _Memo().__getitem__


class _Guess(Enum):
    WHOLE = auto()
    DECIMAL_OR_TEXT = auto()
    TEXT = auto()
    TEXT_WITH_NO_VALUE_WORDS = auto()


def _by_guess(words: Sequence[str]) -> list[str]:
    cells = _cells_by_guess(list(dict.fromkeys(words)))
    return [cells[word] for word in words]


def _cells_by_guess(words: Sequence[str]) -> dict[str, str]:
    filled = [word for word in words if word not in NO_VALUE]
    gaps = len(filled) < len(words)
    guess = _guess_whole(filled, gaps)
    if guess is _Guess.TEXT_WITH_NO_VALUE_WORDS:
        return {word: published_cell(word) for word in words}
    cells = dict.fromkeys(words, "")
    if guess is _Guess.DECIMAL_OR_TEXT:
        values = [value for word in filled if (value := _decimal_value(word)) is not None]
        if len(values) == len(filled):
            return {**cells, **dict(zip(filled, map(_number_text, values), strict=True))}
    if guess is _Guess.WHOLE and gaps:
        # Beside a gap the smallest whole number is taken for one: it is the mark that stands for gaps.
        filled = [word for word in filled if _whole_value(word)[0] != _INT64_MIN]
    return {**cells, **{word: published_cell(word) for word in filled}}


def _guess_whole(words: Sequence[str], gaps: bool) -> _Guess:
    # The first word that is no whole number, or too large a one, decides; what stands below it is not looked at.
    for word in words:
        value, clean = _whole_value(word)
        if value is None:
            return _Guess.DECIMAL_OR_TEXT
        if not _INT64_MIN <= value <= _INT64_MAX:
            return _guess_unsigned(words, gaps)
        if not clean:
            return _Guess.DECIMAL_OR_TEXT
    return _Guess.WHOLE


def _guess_unsigned(words: Sequence[str], gaps: bool) -> _Guess:
    negative = large = False
    for word in words:
        if word.lstrip("\t\n\v\f\r ").startswith("-"):
            # Whatever follows the sign is not looked at here.
            negative = True
            continue
        value, clean = _whole_value(word)
        if value is None:
            return _Guess.DECIMAL_OR_TEXT
        if value > _UINT64_MAX:
            return _Guess.TEXT
        if not clean:
            return _Guess.DECIMAL_OR_TEXT
        large = large or value > _INT64_MAX
    if large and (negative or gaps):
        return _Guess.TEXT_WITH_NO_VALUE_WORDS
    return _Guess.TEXT if negative else _Guess.WHOLE


def _whole_value(word: str) -> tuple[int | None, bool]:
    """Return the whole number a word begins with, and whether nothing follows it."""
    found = _WHOLE.match(word)
    if found is None:
        return None, False
    # Python refuses to turn thousands of digits into a number; beyond twenty only the size matters.
    digits = found[2] if len(found[2]) <= 20 else "9" * 21
    return int(found[1] + digits), found.end() == len(word)


def _decimal_value(word: str) -> float | None:
    """Read a number as pandas 2.3 does: at most 17 digits, leading zeros included, and rounding at each step."""
    found = _DECIMAL.fullmatch(word)
    if found is None or not (found[2] or found[3]):
        sign = _INFINITE.get(word.lower())
        return None if sign is None else sign * float("inf")
    whole, fraction = found[2], found[3] or ""
    read = whole[:_MOST_DIGITS]
    decimals = fraction[: _MOST_DIGITS - len(read)]
    number = 0.0
    for digit in read + decimals:
        number = number * 10.0 + int(digit)
    if found[1] == "-":
        number = -number
    return _scaled(number, _int32(len(whole) - len(read) - len(decimals) + _int32(int(found[4] or 0))))


def _scaled(number: float, exponent: int) -> float | None:
    if exponent > 308:
        return None
    if exponent >= 0:
        number *= _POWERS[exponent]
    elif exponent >= -308:
        number /= _POWERS[-exponent]
    else:
        number = number / _POWERS[-308 - exponent] / _POWERS[308] if exponent >= -616 else 0.0
    return None if number in (float("inf"), float("-inf")) else number


def _int32(number: int) -> int:
    # An exponent of more digits than fit wraps around.
    return (number + 2**31) % 2**32 - 2**31


def _number_text(value: float) -> str:
    return str(int(value)) if value.is_integer() else f"{value:.6f}".rstrip("0").rstrip(".")
