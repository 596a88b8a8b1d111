"""Which cells are the same and which are not: the rules as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.answers.answer_format import Column
from verifier.answers.normalization.normalise import misfit, normalise
from verifier.answers.normalization.matching import RULES, Rule, rules_for_match
from verifier.answers.normalization.rules import fold
from verifier.answers.normalization.tolerance import within_tolerance

VALUE = Column(name="Value")
TEXT = Column(name="Value", type="text")
NUMBER = Column(name="Value", type="number")
INTEGER = Column(name="Value", type="integer")
SHARE = Column(name="Share", type="percent")
SHARE_IN_PERCENT = Column(name="Share (%)", type="percent")
DAY = Column(name="Day", type="date", date_format="MM-DD-YYYY")
YES_NO = Column(name="Law", type="boolean")
ADDRESS = Column(name="Site", type="url")

SAME = [
    (VALUE, "1,000", "1000"),
    (VALUE, "$1500", "US$1,500"),
    (VALUE, "1000", "€1,000"),
    (VALUE, "1000", "1.000,00 €"),
    (VALUE, "1234567", "1.234.567"),
    (VALUE, "1234567", "1\u202f234\u202f567"),
    (VALUE, "1234567", "1'234'567"),
    (VALUE, "1234", "**1,234**"),
    (VALUE, "-5", "−5"),
    (VALUE, "12%", "12％"),
    (VALUE, "0.5", "50%"),
    (VALUE, "1,234 km", "1234 km"),
    (VALUE, "3.10", "3.1"),
    (VALUE, "-", "N/A"),
    (VALUE, "", "—"),
    (VALUE, "Beyonce\u0301", "Beyoncé"),
    (VALUE, "King’s Day", "King's Day"),
    (VALUE, "1914-1918", "1914–1918"),
    (VALUE, "New York", "new\u00a0york"),
    (VALUE, "New York", "  new  york "),
    (VALUE, "ABC", "ＡＢＣ"),
    (VALUE, "Tokyo", "Tok\u200byo"),
    (VALUE, "Straße", "STRASSE"),
    (VALUE, "AT&T", "AT&amp;T"),
    (VALUE, "Heroes", '"Heroes"'),
    (VALUE, "Paris", "[Paris](https://paris.example/)"),
    (NUMBER, "3.14", "3,14"),
    (NUMBER, "7", "007"),
    (INTEGER, "1996", "1996.0"),
    (INTEGER, "none", ""),
    (SHARE, "12.5%", "0.125"),
    (SHARE_IN_PERCENT, "12.5", "12.5%"),
    (DAY, "01-05-2024", "1/5/2024"),
    (YES_NO, "Yes", "true"),
    (YES_NO, "No", "✗"),
    (ADDRESS, "https://www.a.example/x/", "http://A.example/x"),
]

DIFFERENT = [
    (VALUE, "007", "7"),
    (VALUE, "9007199254740993", "9007199254740992"),
    (VALUE, "1E5", "100000"),
    (VALUE, "12_34", "1234"),
    (VALUE, "Infinity", "inf"),
    (VALUE, "Nan", "null"),
    (VALUE, "NA", "N/A"),
    (VALUE, "None", ""),
    (VALUE, "314", "3,14"),
    (VALUE, "1,2", "12"),
    (VALUE, "1 2", "12"),
    (VALUE, "0.0000001", "0.0000004"),
    (VALUE, "A*", "A"),
    (VALUE, "10²", "102"),
    (VALUE, "1½", "11/2"),
    (VALUE, "Zürich", "Zurich"),
    (VALUE, "2024-01-05", "January 5, 2024"),
    (VALUE, "1.234", "1234"),
    (VALUE, "C++", "C"),
    (TEXT, "3.10", "3.1"),
    (TEXT, "1,000", "1000"),
    (NUMBER, "1E5", "100000"),
    (SHARE, "12", "12%"),
    (DAY, "01-05-2024", "2024-01-05"),
    (DAY, "01-05-2024", "05-01-2024"),
    (YES_NO, "Yes", "No"),
    (ADDRESS, "https://a.example/X", "https://a.example/x"),
]


@pytest.mark.parametrize(("column", "one", "other"), SAME)
def test_same_value_in_two_spellings(column: Column, one: str, other: str) -> None:
    assert normalise(one, column) == normalise(other, column)


@pytest.mark.parametrize(("column", "one", "other"), DIFFERENT)
def test_different_values_stay_apart(column: Column, one: str, other: str) -> None:
    assert normalise(one, column) != normalise(other, column)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_each_rule_does_what_its_example_says(rule: Rule) -> None:
    assert rules_for_match(rule.before, rule.after, rule.column) == (rule.id,)


@pytest.mark.parametrize("column", [VALUE, TEXT, NUMBER, SHARE, SHARE_IN_PERCENT, DAY, YES_NO, ADDRESS])
@given(
    cell=st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
    | st.text("0123456789.,-%$ '’½²*&;#/", max_size=14)
)
def test_normalising_twice_is_normalising_once(column: Column, cell: str) -> None:
    canonical = normalise(cell, column)
    assert normalise(canonical, column) == canonical


@given(st.text(max_size=40))
def test_folding_never_raises_and_ends(cell: str) -> None:
    assert fold(fold(cell)) == fold(cell)


@pytest.mark.parametrize(
    ("column", "cell", "fits"),
    [
        (INTEGER, "1,996", True),
        (INTEGER, "19.96", False),
        (INTEGER, "", True),
        (NUMBER, "about 5", False),
        (DAY, "12-31-1999", True),
        (DAY, "31-12-1999", False),
        (YES_NO, "maybe", False),
        (ADDRESS, "a.example/page", True),
        (ADDRESS, "page", False),
        (TEXT, "anything", True),
    ],
)
def test_a_misfit_is_named_with_its_cell(column: Column, cell: str, fits: bool) -> None:
    reason = misfit(cell, column)
    assert (reason is None) == fits
    assert reason is None or repr(cell) in reason


def test_tolerance_is_exact_decimal() -> None:
    mass = Column(name="Mass", type="number", tolerance="0.1")
    assert within_tolerance("0.3", "0.2", mass)
    assert not within_tolerance("0.31", "0.2", mass)
