"""Which rows of several answers are consensus, in which order, and what a run's answer is called in votes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import one_column, reply, table
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.parsing import parse_reply
from verifier.statistics.canonical_answer import canonical_answer
from verifier.statistics.consensus import Row, Share, row_consensus

A, A9, B, C = ("a", "1"), ("a", "9"), ("b", "2"), ("c", "3")

# What a case shows, the answers, the consensus of half, that of a majority.
CASES: list[tuple[str, list[list[Row]], tuple[Row, ...], tuple[Row, ...]]] = [
    ("no answer", [], (), ()),
    ("one answer", [[A, B]], (A, B), (A, B)),
    ("two of three", [[A, B], [A, C], [A]], (A,), (A,)),
    ("exactly half", [[A, B], [A]], (A, B), (A,)),
    ("an answer without rows counts", [[A], [A], [], []], (A,), ()),
    ("halves that contradict each other", [[A, B], [A9, B]], (B,), (B,)),
    ("two rows under one key in one answer", [[A, A9], []], (A, A9), ()),
    ("a key does not outvote a majority", [[A], [A], [A9]], (A,), (A,)),
    ("a row that two answers hold twice", [[A, A], [A, A], [A]], (A, A), (A, A)),
    ("a row that one answer holds twice", [[A, A], [A], [A]], (A,), (A,)),
    ("the median place orders", [[B, A], [B, C, A], [C, B, A]], (B, C, A), (B, C, A)),
    ("neither the first nor the last place does", [[A, B], [C, B, A], [C, B, A]], (C, B, A), (C, B, A)),
    ("rows at one place are sorted", [[B, A], [A, B]], (A, B), (A, B)),
    ("a missing column", [[("a", None)], [("a", None)], [A]], (("a", None),), (("a", None),)),
]


@pytest.mark.parametrize("share", ["half", "majority"])
@pytest.mark.parametrize(("answers", "half", "majority"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_enough_answers_make_a_row(
    share: Share, answers: list[list[Row]], half: tuple[Row, ...], majority: tuple[Row, ...]
) -> None:
    assert row_consensus(answers, share=share) == {"half": half, "majority": majority}[share]


def test_declared_keys_say_which_rows_contradict_each_other() -> None:
    answers = [[A], [A9]]
    assert row_consensus(answers, keys=(0, 1)) == (A, A9)


_ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("12")), max_size=4)


@given(st.lists(_ROWS, max_size=5), st.data())
def test_the_order_of_answers_changes_nothing(answers: list[list[Row]], data: st.DataObject) -> None:
    assert row_consensus(answers) == row_consensus(data.draw(st.permutations(answers)))


@given(_ROWS, st.integers(1, 5))
def test_answers_that_agree_are_their_consensus(rows: list[Row], times: int) -> None:
    assert row_consensus([rows] * times) == tuple(rows)


@given(st.lists(_ROWS, max_size=5))
def test_a_majority_is_part_of_at_least_half_or_of_a_contradiction_never_more(answers: list[list[Row]]) -> None:
    half, majority = row_consensus(answers), row_consensus(answers, share="majority")
    assert all(half.count(row) >= majority.count(row) for row in majority)


FREE, SORTED, GIVEN = table(["Name", "Year"], sort=[]), table(["Name", "Year"], sort=["Year"]), table(["Name", "Year"])

# The format, two blocks, whether they are one vote.
VOTES = [
    (one_column("item"), "Value\n1,000", "Value\n1000", True),
    (one_column("set"), "Item\nB\nA\nB", "Item\na\nb", True),
    (one_column("list"), "Item\nB\nA", "Item\nA\nB", False),
    (FREE, "Name\tYear\nB\t2\nA\t1", "Year\tName\n1\tA\n2\tB", True),
    (FREE, "Name\tYear\nA\t1\nA\t1", "Name\tYear\nA\t1", False),
    (GIVEN, "Name\tYear\nB\t2\nA\t1", "Name\tYear\nA\t1\nB\t2", False),
    (SORTED, "Name\tYear\nB\t1\nA\t1\nC\t2", "Name\tYear\nA\t1\nB\t1\nC\t2", True),
    (SORTED, "Name\tYear\nC\t2\nA\t1", "Name\tYear\nA\t1\nC\t2", False),
    (FREE, "Name\nA", "Name\tYear\nA\t", False),
]


@pytest.mark.parametrize(("asked", "one", "other", "same"), VOTES)
def test_answers_that_say_the_same_are_one_vote(asked: AnswerFormat, one: str, other: str, same: bool) -> None:
    votes = {canonical_answer(parse_reply(reply(block), asked), asked) for block in (one, other)}
    assert len(votes) == (1 if same else 2)
