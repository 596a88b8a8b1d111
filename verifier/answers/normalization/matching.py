"""Why two cells count as equal: the rules without which they would not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from verifier.answers.columns import Column, ColumnType
from verifier.answers.normalization.normalise import canonical
from verifier.answers.normalization.rule_table import RULES, Rule
from verifier.answers.normalization.rules import NOTHING, Skip
from verifier.answers.normalization.tolerance import within_tolerance

__all__ = ["RULES", "Rule", "rules_for_match"]

_OF_TYPE: dict[str, frozenset[ColumnType]] = {
    **dict.fromkeys(
        ("currency", "percent", "sign", "trailing_zeros", "leading_zeros", "decimal_comma", "unit", "grouping"),
        frozenset[ColumnType](("untyped", "integer", "number", "percent")),
    ),
    **dict.fromkeys(("date_separator", "date_padding"), frozenset[ColumnType](("date",))),
    "boolean_word": frozenset(("boolean",)),
    **dict.fromkeys(("url_scheme", "url_host", "url_slash", "url_escape"), frozenset[ColumnType](("url",))),
}
"""The column types a rule can matter in; any type where nothing stands here."""

_WRITTEN_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?", re.ASCII)
"""A number as canonical text writes it."""


def rules_for_match(one: str, other: str, column: Column) -> tuple[str, ...]:
    """Return the ids of the rules without which two cells of a column would not be equal, in the order of `RULES`.

    () when they are equal as written, and when they are not equal at all.

    >>> rules_for_match("**US$1,500**", "1500", Column(name="Price"))
    ('markdown', 'grouping', 'currency')
    >>> rules_for_match("$1,231", "1230", Column(name="Price", tolerance="5"))
    ('grouping', 'currency', 'tolerance')
    """
    return () if one == other else _needed(one, other, column)


@lru_cache(maxsize=4096)
def _needed(one: str, other: str, column: Column) -> tuple[str, ...]:
    canonical_texts = canonical(one, column), canonical(other, column)

    def same(skip: Skip) -> bool:
        texts = canonical(one, column, skip), canonical(other, column, skip)
        if texts[0] == texts[1]:
            return True
        # Nearness is asked of canonical numbers: a rule is needed for it as it is for equality.
        are_settled = all(text in canonical_texts or _WRITTEN_NUMBER.fullmatch(text) for text in texts)
        return "tolerance" not in skip and are_settled and within_tolerance(*texts, column)

    if not same(NOTHING):
        return ()
    candidates = [rule for rule in RULES if column.type in _OF_TYPE.get(rule, (column.type,))]
    exact = frozenset({"tolerance"})
    superfluous = _leave_out(candidates, exact if same(exact) else NOTHING, same)
    return tuple(rule for rule in candidates if rule not in superfluous)


def _leave_out(rules: Sequence[str], skip: Skip, same: Callable[[Skip], bool]) -> Skip:
    """Leave out as many rules as the match can do without, halves first: most matches need one rule of many."""
    if same(skip | set(rules)):
        return skip | set(rules)
    if len(rules) == 1:
        return skip
    middle = len(rules) // 2
    return _leave_out(rules[middle:], _leave_out(rules[:middle], skip, same), same)
