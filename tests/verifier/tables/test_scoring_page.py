"""docs/scoring.md says what the tables say."""

from __future__ import annotations

import doctest

import pytest

from tests.verifier.tables import scoring_page
from tests.verifier.tables.scoring_page import PAGE, column_words
from verifier.answers.columns import Column


def test_the_page_is_what_the_tables_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == scoring_page.scoring_page(), (
        "write it again: .venv/bin/python -m tests.verifier.tables.scoring_page"
    )


def test_examples_of_the_writer_hold() -> None:
    assert doctest.testmod(scoring_page).failed == 0


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (Column(name="Mass", type="number", tolerance="0.5"), "number, tolerance 0.5"),
        (Column(name="Day", type="date", date_format="YYYY"), "date, date format YYYY"),
        (Column(name="Land", aliases=(("a", "b"),)), "untyped, a = b"),
    ],
)
def test_a_column_is_told_in_words(column: Column, words: str) -> None:
    assert column_words(column) == words
