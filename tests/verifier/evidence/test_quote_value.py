"""A page's words become a cell by the column alone."""

from __future__ import annotations

import pytest

from verifier.answers.answer_format import Column
from verifier.evidence.quote_value import cell_from_quote, find_dates

FORMS = [
    ("June 17th, 1996", "1996-06-17"),
    ("17 June 1996", "1996-06-17"),
    ("17th of June 1996", "1996-06-17"),
    ("Jun 17, 1996", "1996-06-17"),
    ("17-Jun-1996", "1996-06-17"),
    ("17.06.1996", "1996-06-17"),
    ("06/17/1996", "1996-06-17"),
    ("1996/06/17", "1996/06/17"),
    ("1996-6-17", "1996-6-17"),
    ("17. Juni 1996", "1996-06-17"),
    ("17 août 1996", "1996-08-17"),
    ("3 de marzo de 1996", "1996-03-03"),
    ("05/06/1996", "05/06/1996"),
    ("June 31, 1996", "June 31, 1996"),
    ("sometime in 1996", "sometime in 1996"),
]


@pytest.mark.parametrize(("quote", "cell"), FORMS)
def test_a_date_takes_the_columns_form_unless_it_is_ambiguous(quote: str, cell: str) -> None:
    assert cell_from_quote(quote, Column(name="Day", type="date", date_format="YYYY-MM-DD")) == cell


@pytest.mark.parametrize(
    ("date_format", "cell"),
    [
        ("YYYY", "1996"),
        ("MM-DD-YYYY", "06-17-1996"),
        ("Month D, YYYY", "June 17, 1996"),
        ("DD Mon YYYY", "17 Jun 1996"),
    ],
)
def test_the_columns_form_decides(date_format: str, cell: str) -> None:
    assert cell_from_quote("17 June 1996", Column(name="Day", type="date", date_format=date_format)) == cell


def test_other_columns_keep_the_pages_text() -> None:
    assert cell_from_quote(" June  17th,\n1996 ", Column(name="Note", type="text")) == "June 17th, 1996"


def test_dates_far_apart_are_all_found() -> None:
    text = "first on 1 May 2001" + " and so on" * 30 + " until 3 June 2002, 7 July 2003"
    assert [date.fields.year for date in find_dates(text)] == [2001, 2002, 2003]


def test_a_version_number_is_no_date() -> None:
    assert list(find_dates("release 3.10.2021a, part 12-34-1999, 2.3.2004.1")) == []
