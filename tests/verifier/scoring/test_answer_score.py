"""What a score says: the papers' examples, the diff, and laws that hold for every answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import gold, one_column, reply, table
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.reply_text import format_reply
from verifier.errors import AnswerFormatError
from verifier.scoring.answer_score import score_answer
from verifier.scoring.score import CellDiff

PEOPLE = table(["Name", "Year"])
FREE = AnswerFormat(type="table", columns=PEOPLE.columns, sort=())
SET, LIST, ITEM = one_column("set"), one_column("list"), one_column("item")
TWO = gold(["A", "2000"], ["B", "2001"])


def statuses(cells: tuple[CellDiff, ...]) -> list[tuple[str, int | None, str]]:
    return [(cell.status, cell.row, cell.column) for cell in cells if cell.status != "matched"]


def test_thousands_commas_do_not_matter() -> None:
    assert score_answer(gold(["1,000"]), reply("Value\n1000"), ITEM).exact


def test_one_wrong_header_gives_exact_match_0() -> None:
    score = score_answer(TWO, reply("Name\tFrom\nA\t2000\nB\t2001"), PEOPLE)
    assert score.metrics["global_em"] == 0
    assert score.faults == ("header_mismatch",)


def test_a_table_without_header_is_never_exact_but_its_cells_count() -> None:
    score = score_answer(TWO, reply("A\t2000\nB\t2001"), PEOPLE)
    assert (score.metrics["global_em"], score.metrics["table_item_f1_aligned"]) == (0, 1)


def test_rows_may_stand_in_any_order_where_the_format_says_so() -> None:
    swapped = reply("Name\tYear\nB\t2001\nA\t2000")
    assert score_answer(TWO, swapped, FREE).exact
    assert not score_answer(TWO, swapped, PEOPLE).exact


def test_a_number_within_the_stated_tolerance_is_right() -> None:
    asked = AnswerFormat(
        type="table", columns=(Column(name="Name"), Column(name="Mass", type="number", tolerance="0.5"))
    )
    truth = gold(["A", "10"], ["B", "10.4"])
    assert score_answer(truth, reply("Name\tMass\nA\t10.3\nB\t10.3"), asked).exact
    assert not score_answer(truth, reply("Name\tMass\nA\t10.6\nB\t10.3"), asked).exact


def test_no_reply_scores_0_and_says_so() -> None:
    score = score_answer(TWO, None, PEOPLE)
    assert set(score.metrics.values()) == {0}
    assert "no_answer" in score.faults


def test_an_unknown_profile_is_refused_by_name() -> None:
    with pytest.raises(AnswerFormatError, match="lenient"):
        score_answer(TWO, None, PEOPLE, "lenient")


def test_the_diff_names_wrong_missing_and_extra_cells() -> None:
    score = score_answer(TWO, reply("Name\tYear\nA\t1999\nC\t2002"), PEOPLE)
    assert statuses(score.cells) == [
        ("wrong", 0, "Year"),
        ("missing", 1, "Name"),
        ("missing", 1, "Year"),
        ("extra", None, "Name"),
        ("extra", None, "Year"),
    ]


def test_a_right_row_out_of_order_is_misplaced() -> None:
    score = score_answer(gold(["A"], ["B"], ["C"]), reply("Item\nB\nC\nA"), LIST)
    assert statuses(score.cells) == [("misplaced", 0, "Item")]


def test_rows_that_tie_on_the_sort_key_are_not_misplaced() -> None:
    asked = table(["Name", "Year"], sort=["Year"])
    score = score_answer(gold(["A", "2000"], ["B", "2000"]), reply("Name\tYear\nB\t2000\nA\t2000"), asked)
    assert (score.exact, statuses(score.cells)) == (True, [])


def test_a_near_miss_is_shown_and_never_counted() -> None:
    score = score_answer(gold(["Zürich"]), reply("Value\nZurich"), ITEM)
    assert (score.exact, score.cells[0].status, score.cells[0].near) == (False, "wrong", "accents")


def test_equal_keys_are_paired_with_their_most_alike_rows() -> None:
    truth = gold(["A", "1"], ["A", "2"])
    assert score_answer(truth, reply("Name\tYear\nA\t2\nA\t1"), FREE).metrics["table_item_f1_aligned"] == 1


_WORDS = st.sampled_from(["A", "B", "C", "d e", "1", "1,000", "1000", "", "-", "x\ty", "Zürich"])
_ROWS = st.lists(st.tuples(_WORDS, _WORDS), max_size=5)


@pytest.mark.parametrize("asked", [ITEM, SET, LIST, PEOPLE, FREE], ids=["item", "set", "list", "table", "free"])
@given(data=st.data())
def test_scores_are_shares_and_exact_means_all_of_them(asked: AnswerFormat, data: st.DataObject) -> None:
    width = len(asked.columns)
    truth, found = ([row[:width] for row in data.draw(_ROWS)] for _ in range(2))
    score = score_answer(gold(*truth), format_reply(asked.header, found), asked)
    assert all(0 <= figure <= 1 for figure in score.metrics.values())
    if score.exact:
        assert set(score.metrics.values()) == {1}


@pytest.mark.parametrize("asked", [SET, LIST, PEOPLE, FREE], ids=["set", "list", "table", "free"])
@given(rows=_ROWS.filter(bool))
def test_the_gold_answer_itself_is_exact(asked: AnswerFormat, rows: list[tuple[str, str]]) -> None:
    cut = [row[: len(asked.columns)] for row in rows]
    assert score_answer(gold(*cut), format_reply(asked.header, cut), asked).exact


@pytest.mark.parametrize("asked", [SET, FREE], ids=["set", "free"])
@given(data=st.data())
def test_order_changes_nothing_where_it_does_not_count(asked: AnswerFormat, data: st.DataObject) -> None:
    truth, found = ([row[: len(asked.columns)] for row in data.draw(_ROWS)] for _ in range(2))
    shuffled = data.draw(st.permutations(found))
    scores = [score_answer(gold(*truth), format_reply(asked.header, rows), asked) for rows in (found, shuffled)]
    assert scores[0].metrics == scores[1].metrics


@pytest.mark.parametrize("asked", [SET, LIST, PEOPLE], ids=["set", "list", "table"])
@given(truth=_ROWS, found=_ROWS)
def test_a_row_of_new_values_never_raises_precision(asked: AnswerFormat, truth: Any, found: Any) -> None:
    width = len(asked.columns)
    rows = [row[:width] for row in found]
    more = [*rows, ("new", "newer")[:width]]
    before, after = (score_answer(gold(*[row[:width] for row in truth]), format_reply(asked.header, one), asked)
                     for one in (rows, more))  # fmt: skip
    for name in before.metrics:
        if name.endswith("precision"):
            assert after.metrics[name] <= before.metrics[name]
