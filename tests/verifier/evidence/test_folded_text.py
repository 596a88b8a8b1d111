"""Folding a page once, and the way back to its own code points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.answers.normalization.rules import fold
from verifier.evidence.folded_text import fold_needle, fold_text


@pytest.mark.parametrize(
    ("text", "wanted", "quote"),
    [
        ("Released 1996.", "1996", "1996"),
        ("in New\u00a0York today", "new york", "New\u00a0York"),
        ("a  b   c", "a b c", "a  b   c"),
        ("Tok\u200byo Tower", "tokyo", "Tok\u200byo"),
        ("wait… what", "what", "what"),
        ("STRASSE und Straße", "strasse", "STRASSE"),
        ("nur Straße 5", "strasse 5", "Straße 5"),
        ("Beyonce\u0301 sang", "beyoncé", "Beyonce\u0301"),
        ("“Heroes” – live", '"heroes" - live', "“Heroes” – live"),
        ("İstanbul ist groß", "groß".replace("ß", "ss"), "groß"),
        ("東京ﾀﾜｰ", "タワー", "ﾀﾜｰ"),
    ],
)
def test_a_folded_hit_leads_to_the_pages_own_text(text: str, wanted: str, quote: str) -> None:
    folded = fold_text(text)
    at = folded.text.index(wanted)
    start, end = folded.span(at, at + len(wanted))
    assert text[start:end] == quote


@given(st.text(max_size=40))
def test_every_span_lies_in_the_text_and_grows_with_its_end(text: str) -> None:
    folded = fold_text(text)
    ends = [folded.span(0, place + 1)[1] for place in range(len(folded.text))]
    assert ends == sorted(ends)
    assert all(0 <= end <= len(text) for end in ends)


@given(st.text("aB é“–ß½\u200b\u00a0…Ａ", max_size=20))
def test_pages_and_cells_are_folded_alike(text: str) -> None:
    assert fold_needle(text) == fold_needle(fold_needle(text))
    assert fold(text).isspace() or fold_needle(text) == fold_needle(text.strip())


def test_lines_are_numbered_and_spanned() -> None:
    folded = fold_text("one\ntwo\tx\n\nfour")
    assert [folded.line(place) for place in (0, 3, 4, 10, 11)] == [0, 0, 1, 2, 3]
    start, end = folded.line_span(1)
    assert folded.text[start:end] == "two\tx"
