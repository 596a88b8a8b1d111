"""Copied text is found in the page's kept text, however the browser wrote it."""

from __future__ import annotations

import doctest

import pytest

from verifier.evidence import copied_passages
from verifier.evidence.copied_passages import PageWords

PAGE = "Modules\nName\tSince\tRemoved\naifc\t3.11\t3.13\noptparse\t3.2\nThe “old” Tower, 42 m high.\nLast line 3.11"


def found(quote: str, **around: str) -> str | None:
    where = PageWords(PAGE).find(quote, **around)
    return None if where is None else PAGE[slice(*where)]


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("optparse", "optparse"),
        ("OPTPARSE", "optparse"),
        ("aifc\t3.11\t3.13\n", "aifc\t3.11\t3.13"),
        ("3.13\n\noptparse 3.2", "3.13\noptparse\t3.2"),
        ('the "old"\u00a0tower', "The “old” Tower"),
        ("soft\u00adware", None),
        ("nntplib", None),
        ("", None),
        (" \n ", None),
    ],
)
def test_white_space_case_and_quotes_do_not_matter(quote: str, passage: str | None) -> None:
    assert found(quote) == passage


def test_what_stands_around_decides_between_equal_places() -> None:
    first, last = PAGE.index("3.11"), PAGE.rindex("3.11")
    words = PageWords(PAGE)
    assert [words.find("3.11", prefix=text) for text in ("Removed aifc", "Last line ")] == [
        (first, first + 4),
        (last, last + 4),
    ]


def test_a_row_of_a_copied_table_has_its_own_place() -> None:
    assert found("aifc\t3.11\t3.13\noptparse\t3.2", line="optparse\t3.2") == "optparse\t3.2"


def test_a_row_the_copied_table_does_not_hold_leaves_the_whole() -> None:
    assert found("aifc 3.11", line="cgi") == "aifc\t3.11"


def test_a_long_selection_is_found_though_the_page_says_more_in_between() -> None:
    head, tail = " ".join(f"begin{n}" for n in range(20)), " ".join(f"end{n}" for n in range(20))
    text = f"{head}[edit]{tail}"
    assert PageWords(text).find(head + tail) == (0, len(text))
    assert PageWords(f"{head}{'x' * 2000}{tail}").find(head + tail) is None


def test_a_row_beyond_what_was_kept_of_a_long_copy_is_found_behind_it() -> None:
    rows = "\n".join(f"module{n}\t3.{n}" for n in range(300))
    where = PageWords(rows).find(rows[:2000], line="module250\t3.250")
    assert where is not None
    assert rows[slice(*where)] == "module250\t3.250"


def test_a_sign_that_folds_to_several_counts_whole() -> None:
    assert PageWords("a ﬁsh").find("fish") == (2, 5)


def test_examples_hold() -> None:
    assert doctest.testmod(copied_passages).failed == 0
