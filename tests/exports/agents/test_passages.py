"""A quote is found where its surroundings agree, and not at all where its place cannot be told."""

from __future__ import annotations

import pytest

from exports.agents.passages import find_passage

TEXT = "born 1847 in Oban\nbuilt 1847 in Salen\nclosed 1902"


@pytest.mark.parametrize(
    ("quote", "prefix", "suffix", "found"),
    [
        ("1902", "", "", "1902"),
        ("1902", "closed ", "", "1902"),
        ("1902", "text of another version ", "", "1902"),
        ("1847", "built ", " in Salen", "1847"),
        ("1847", "", "", "1847"),
        ("1847", "xyz", "xyz", None),
        ("1850", "built ", "", None),
        ("", "built ", "", None),
    ],
)
def test_passage(quote: str, prefix: str, suffix: str, found: str | None) -> None:
    assert find_passage(TEXT, quote, prefix, suffix) == found
