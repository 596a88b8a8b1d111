"""What anybody wrote is shown as it is, and what has no look as an escape."""

from __future__ import annotations

import pytest

from verifier.cli.plain_text import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zürich 北京 😀", "Zürich 北京 😀"),
        ("a\nb\tc\0", r"a\nb\tc\x00"),
        ("a\x1b[2Jb\x9b", r"a\x1b[2Jb\x9b"),
        ("a\u200bb\u202ec\ufeff", r"a\u200bb\u202ec\ufeff"),
        ("a\u00a0b", r"a\xa0b"),
        ("\ud800", r"\ud800"),
    ],
)
def test_hidden_signs_are_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(("most", "shown"), [(None, "abcdef"), (6, "abcdef"), (2, "ab… (4 more signs)")])
def test_long_text_is_cut_and_says_so(most: int | None, shown: str) -> None:
    assert visible("abcdef", most) == shown
