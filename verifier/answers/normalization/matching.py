"""Why two cells count as equal: the rules without which they would not."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.answers.columns import Column
from verifier.answers.normalization.normalise import normalise, within_tolerance
from verifier.answers.normalization.rules import FOLDING, Rule, rules_used

RULES: Mapping[str, Rule] = {rule.id: rule for rule in FOLDING}
"""Every rule by its id."""


def rules_for_match(one: str, other: str, column: Column) -> tuple[str, ...]:
    """Return the ids of the rules that make two cells of a column equal; () when they are equal as written.

    >>> rules_for_match("**Tokyo**", "Tokyo", Column(name="City"))
    ('markdown',)
    """
    if one == other:
        return ()
    first, second = normalise(one, column), normalise(other, column)
    if first != second and not within_tolerance(first, second, column):
        return ()
    return tuple(dict.fromkeys([*rules_used(one), *rules_used(other)]))
