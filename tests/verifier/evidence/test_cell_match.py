"""Where a cell stands in a page, and where it only seems to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import page
from verifier.answers.answer_format import Column
from verifier.answers.normalization.normalise import normalise
from verifier.evidence.cell_match import PageIndex, near_places, places_of, wanted
from verifier.evidence.quote_value import cell_from_quote

TEXT = Column(name="Value", type="text")
NUMBER = Column(name="Value", type="number")
UNTYPED = Column(name="Value")
DAY = Column(name="Day", type="date", date_format="YYYY-MM-DD")
YEAR = Column(name="Year", type="date", date_format="YYYY")
SHARE = Column(name="Share", type="percent")

FOUND = [
    (YEAR, "1996", "Buzz (June 17th, 1996)", "1996", "exact"),
    (DAY, "1996-06-17", "Buzz (June 17th, 1996)", "June 17th, 1996", "date"),
    (DAY, "1996-06-17", "am 17. Juni 1996 erschienen", "17. Juni 1996", "date"),
    (DAY, "2021-12-05", "05.12.2021", "05.12.2021", "date"),
    (NUMBER, "1234567", "about 1,234,567 people", "1,234,567", "number"),
    (NUMBER, "1,000", "costs €1000 now", "1000", "number"),
    (SHARE, "0.125", "fell by 12.5 % in May", "12.5 %", "number"),
    (UNTYPED, "3,000", "3000 metres", "3000", "number"),
    (TEXT, "king's day", "On King’s Day we", "King’s Day", "folded"),
    (TEXT, "Tokyo", "TOKYO.", "TOKYO", "folded"),
    (TEXT, "東京", "首都は東京です", "東京", "exact"),
    (TEXT, "3.10", "Python 3.10.", "3.10", "exact"),
    (TEXT, "C++", "in C++, too", "C++", "exact"),
    (TEXT, "AT&amp;T", "of AT&T today", "AT&T", "folded"),
]

NOT_FOUND = [
    (TEXT, "3.10", "Python 3.10.2"),
    (TEXT, "3.10", "Python 13.10"),
    (UNTYPED, "3.10", "Python 3.1"),
    (NUMBER, "234", "1,234 people"),
    (NUMBER, "1", "1,234 people"),
    (NUMBER, "12", "12% of them"),
    (NUMBER, "5", "minus: -5"),
    (NUMBER, "1000", "1.000 exactly"),
    (TEXT, "imp", "important"),
    (TEXT, "Zürich", "Zurich"),
    (YEAR, "1996", "19961"),
    (DAY, "1996-06-05", "05/06/1996"),
    (DAY, "1996-06-17", "June 17th, 1997"),
    (TEXT, "", "anything"),
]


@pytest.mark.parametrize(("column", "cell", "text", "quote", "how"), FOUND)
def test_a_cell_is_found_with_the_pages_own_words(column: Column, cell: str, text: str, quote: str, how: str) -> None:
    index = PageIndex(page(text))
    first = places_of(wanted(cell, column), index)[0]
    start, end = index.page.folded.span(first.start, first.end)
    assert (text[start:end], first.how) == (quote, how)


@pytest.mark.parametrize(("column", "cell", "text"), NOT_FOUND)
def test_a_look_alike_is_not_the_cell(column: Column, cell: str, text: str) -> None:
    assert places_of(wanted(cell, column), PageIndex(page(text))) == ()


@pytest.mark.parametrize(
    ("cell", "text"), [("Zürich", "in Zurich"), ("Jean-Luc Picard", "Jean Luc Picard"), ("Gettysburg", "Getysburg, PA")]
)
def test_near_texts_are_near_and_nothing_more(cell: str, text: str) -> None:
    index = PageIndex(page(text))
    assert places_of(wanted(cell, TEXT), index) == ()
    assert [place.how for place in near_places(wanted(cell, TEXT), index)] == ["near"]


@pytest.mark.parametrize(("column", "cell"), [(NUMBER, "123456"), (DAY, "1996-06-17"), (TEXT, "abc")])
def test_numbers_dates_and_short_texts_have_no_near_match(column: Column, cell: str) -> None:
    assert near_places(wanted(cell, column), PageIndex(page("123457 1996-06-18 abd"))) == ()


_PAGES = st.text("ab 01.,%-–é½\n\t'’\u00a0/", max_size=40)


@pytest.mark.parametrize("column", [TEXT, NUMBER, UNTYPED, DAY, YEAR, SHARE], ids=lambda column: column.type)
@given(text=_PAGES, cell=st.text("ab01.,%-é", min_size=1, max_size=4))
def test_every_quote_gives_back_the_cell(column: Column, text: str, cell: str) -> None:
    index = PageIndex(page(text))
    for place in places_of(wanted(cell, column), index):
        start, end = index.page.folded.span(place.start, place.end)
        assert normalise(cell_from_quote(text[start:end], column), column) == normalise(cell, column)
