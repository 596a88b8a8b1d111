"""Which cells are the same and which are not: the table of examples, and the laws of normalising."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.verifier.answers.nasty import COLUMNS, nasty_cells
from tests.verifier.tables.normalising import DIFFERENT, SAME, Pair
from verifier.answers.columns import Column, ColumnType
from verifier.answers.normalization.matching import RULES, Rule, rules_for_match
from verifier.answers.normalization.normalise import canonical, is_blank, misfit, normalise, normaliser
from verifier.answers.normalization.rules import LONG, fold
from verifier.answers.normalization.tolerance import within_tolerance

EVERY_COLUMN = pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column.type} {column.name}")


def are_same(one: str, other: str, column: Column) -> bool:
    first, second = normalise(one, column), normalise(other, column)
    return first == second or within_tolerance(second, first, column)


@pytest.mark.parametrize("pair", SAME, ids=lambda pair: f"{pair.one!r} {pair.other!r}")
def test_same_value_in_two_spellings(pair: Pair) -> None:
    assert are_same(pair.one, pair.other, pair.column)


@pytest.mark.parametrize("pair", DIFFERENT, ids=lambda pair: f"{pair.one!r} {pair.other!r}")
def test_different_values_stay_apart(pair: Pair) -> None:
    assert not are_same(pair.one, pair.other, pair.column)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_each_rule_does_what_its_example_says(rule: Rule) -> None:
    assert rules_for_match(rule.before, rule.after, rule.column) == (rule.id,)


def test_every_rule_has_an_example_in_the_table() -> None:
    used = {rule for pair in SAME for rule in rules_for_match(pair.one, pair.other, pair.column)}
    assert used == set(RULES)


def test_rules_of_a_match_are_named() -> None:
    assert rules_for_match("**US$1,500**", "1500", Column(name="Value")) == ("markdown", "grouping", "currency")


@pytest.mark.parametrize(
    ("cell", "column", "rules"),
    [
        ("$1,231", Column(name="Price", type="number", tolerance="5"), ("grouping", "currency", "tolerance")),
        ("01231", Column(name="Price", type="number", tolerance="5"), ("leading_zeros", "tolerance")),
        ("1.231,50 €", Column(name="Price", tolerance="5"), ("grouping", "currency", "trailing_zeros", "decimal_comma",
                                                             "tolerance")),
        ("1231", Column(name="Price", tolerance="5"), ("tolerance",)),
    ],
)  # fmt: skip
def test_a_match_by_tolerance_names_the_other_rules_too(cell: str, column: Column, rules: tuple[str, ...]) -> None:
    assert rules_for_match(cell, "1230", column) == rules


def test_cells_that_are_not_equal_have_no_rules() -> None:
    assert rules_for_match("Paris", "Lyon", Column(name="Value")) == ()


@EVERY_COLUMN
@given(cell=nasty_cells())
@example(cell="ß$0")
def test_normalising_twice_is_normalising_once(column: Column, cell: str) -> None:
    text = normalise(cell, column)
    assert normalise(text, column) == text


@EVERY_COLUMN
@given(cell=nasty_cells())
def test_what_is_remembered_is_what_is_reckoned(column: Column, cell: str) -> None:
    known = normaliser(column)
    assert known(cell) == known(cell) == canonical(cell, column)


@EVERY_COLUMN
@given(cell=nasty_cells())
def test_without_any_rule_a_cell_stays_as_it_is(column: Column, cell: str) -> None:
    assert canonical(cell, column, frozenset(RULES)) == cell


@EVERY_COLUMN
@given(cell=nasty_cells())
def test_equal_cells_have_the_rules_that_suffice(column: Column, cell: str) -> None:
    other = normalise(cell, column)
    rules = rules_for_match(cell, other, column)
    rest = frozenset(RULES) - set(rules)
    assert (rules == ()) == (cell == other)
    assert canonical(cell, column, rest) == canonical(other, column, rest)


@EVERY_COLUMN
@given(cell=nasty_cells())
def test_a_blank_or_a_misfit_is_said_without_raising(column: Column, cell: str) -> None:
    assert not (is_blank(cell, column) and misfit(cell, column))


def test_every_letter_has_one_canonical_text() -> None:
    letters = [chr(code) for code in range(0x10000)]
    texts = [canonical(letter, Column(name="Value", type="text")) for letter in letters]
    assert [canonical(text, Column(name="Value", type="text")) for text in texts] == texts


@pytest.mark.parametrize("cell", ["ǰ", "ΐ", "ẖ", "a\u0345\u0342", "α\u0316\u0342", "ΐ\u0345"])
def test_letters_that_case_folding_takes_apart_settle(cell: str) -> None:
    text = canonical(cell, Column(name="Value", type="text"))
    assert canonical(text.upper(), Column(name="Value", type="text")) == text


@given(st.text(max_size=40))
def test_folding_never_raises_and_ends(cell: str) -> None:
    assert fold(fold(cell)) == fold(cell)


@pytest.mark.parametrize(
    ("kind", "cell", "fits"),
    [
        ("integer", "1,996", True),
        ("integer", "1,996 km", True),
        ("integer", "19.96", False),
        ("integer", "", True),
        ("number", "about 5", False),
        ("number", "3,14", True),
        ("number", "1E5", False),
        ("date", "12-31-1999", True),
        ("date", "12/31/1999", True),
        ("date", "31-12-1999", False),
        ("date", "02-30-1999", False),
        ("boolean", "maybe", False),
        ("boolean", "perhaps so", True),
        ("url", "a.example/page", True),
        ("url", "page", False),
        ("text", "anything", True),
    ],
)
def test_a_misfit_is_named_with_its_cell(kind: ColumnType, cell: str, fits: bool) -> None:
    aliases = (("Yes", "perhaps so"),) if kind == "boolean" else ()
    column = Column(name="Value", type=kind, date_format="MM-DD-YYYY", unit="km", aliases=aliases)
    reason = misfit(cell, column)
    assert (reason is None) == fits
    assert reason is None or repr(cell) in reason


@pytest.mark.parametrize(
    ("date_format", "cell"),
    [
        ("DD/MM/YYYY", "7-6-1996"),
        ("YYYY.MM.DD", "1996/6/7"),
        ("Month D, YYYY", "june 07 1996"),
        ("D Month YYYY", "07-June-1996"),
        ("YYYY Mon DD", "1996 jun 7"),
        ("Month Day, Year", "June 07, 1996"),
        ("DDMMYYYY", "07061996"),
        ("MM/YY", "6-96"),
        ("Month YYYY", "JUNE, 1996"),
        ("yyyy", "1996"),
        ("YYYY年MM月DD日", "1996年06月07日"),
    ],
)
def test_a_date_in_its_declared_form_fits(date_format: str, cell: str) -> None:
    assert misfit(cell, Column(name="Day", type="date", date_format=date_format)) is None


def test_tolerance_is_exact_decimal() -> None:
    mass = Column(name="Mass", type="number", tolerance="0.1")
    assert within_tolerance("0.3", "0.2", mass)
    assert not within_tolerance("0.31", "0.2", mass)


def test_tolerance_is_exact_for_long_numbers() -> None:
    mass = Column(name="Mass", type="number", tolerance="0.1")
    long = "1234567890" * 4
    assert within_tolerance(f"{long}.1", long, mass)
    assert not within_tolerance(f"{long}.11", long, mass)


def test_a_passage_is_compared_without_reading_its_markup() -> None:
    passage = "word " * LONG
    assert normalise(passage.upper(), Column(name="Value")) == normalise(passage, Column(name="Value"))


@pytest.mark.parametrize(
    "cell", ["`" * 400 + "a" + "`" * 400, "[" * 300 + "a" + "](b)" * 300, "*" * 900, "&amp;" * 400]
)
def test_tangled_markup_ends(cell: str) -> None:
    text = normalise(cell, Column(name="Value"))
    assert normalise(text, Column(name="Value")) == text
