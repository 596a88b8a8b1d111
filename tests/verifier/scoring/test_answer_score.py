"""What a score says: the examples that the docs print, the diff, and the two profiles."""

from __future__ import annotations

import pytest

from tests.verifier.builders import gold, one_column, reply, table
from tests.verifier.tables.scoring import METRIC_EXAMPLES, MetricExample
from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.csv_files import read_answer_csv
from verifier.errors import AnswerFormatError, AnswerUnreadable
from verifier.scoring.answer_score import PROFILES, Scorer, score_answer
from verifier.scoring.score import CellDiff

PEOPLE = table(["Name", "Year"])
FREE = AnswerFormat(type="table", columns=PEOPLE.columns, sort=())
SET, LIST, ITEM = one_column("set"), one_column("list"), one_column("item")
TWO = gold(["A", "2000"], ["B", "2001"])
HALF = Column(name="Item", type="number", tolerance="0.5")


def statuses(cells: tuple[CellDiff, ...]) -> list[tuple[str, int | None, str]]:
    return [(cell.status, cell.row, cell.column) for cell in cells if cell.status != "matched"]


@pytest.mark.parametrize("example", METRIC_EXAMPLES, ids=[example.name for example in METRIC_EXAMPLES])
def test_figures_of_the_examples(example: MetricExample) -> None:
    score = score_answer(gold(*example.gold), reply(example.block), example.answer_format)
    assert {name: score.metrics[name] for name in example.figures} == pytest.approx(example.figures, abs=1e-12)


def test_every_figure_of_every_type_has_an_example() -> None:
    shown = {name for example in METRIC_EXAMPLES for name in example.figures}
    made = {name for asked in (ITEM, SET, LIST, PEOPLE) for name in score_answer(TWO, None, asked).metrics}
    assert shown == made


def test_one_wrong_header_gives_exact_match_0() -> None:
    score = score_answer(TWO, reply("Name\tFrom\nA\t2000\nB\t2001"), PEOPLE)
    assert score.metrics["global_em"] == 0
    assert score.faults == ("header_mismatch",)


@pytest.mark.parametrize("asked", [ITEM, SET, LIST, PEOPLE], ids=["item", "set", "list", "table"])
def test_no_reply_scores_0_and_says_so(asked: AnswerFormat) -> None:
    score = score_answer(TWO, None, asked)
    assert set(score.metrics.values()) == {0}
    assert "no_answer" in score.faults


@pytest.mark.parametrize("asked", [ITEM, SET, LIST, PEOPLE, FREE], ids=["item", "set", "list", "table", "free"])
def test_an_empty_gold_answer_is_never_exact(asked: AnswerFormat) -> None:
    for text in (None, reply("\t".join(asked.header))):
        assert set(score_answer(gold(), text, asked).metrics.values()) == {0}


def test_an_unknown_profile_is_refused_by_name() -> None:
    with pytest.raises(AnswerFormatError, match="lenient"):
        score_answer(TWO, None, PEOPLE, "lenient")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_score_names_its_profile_and_version(profile: str) -> None:
    score = score_answer(TWO, None, PEOPLE, profile)
    assert (score.profile, score.version) == (profile, PROFILES[profile])


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "text", [reply("Name\tYear\nA\t2000\nC\t2001"), "A\t2000", None, "", "\0\ud800\t\n"], ids=list("abcde")
)
def test_figures_do_not_depend_on_the_diff(profile: str, text: str | None) -> None:
    scorer = Scorer(TWO, PEOPLE, profile)
    assert scorer.score(text, diff=True).metrics == scorer.score(text, diff=False).metrics


def test_the_published_profile_counts_as_published() -> None:
    score = score_answer(TWO, reply("Name\tFrom\nA\t2000\nB\t2001"), PEOPLE, "gisa-compat")
    assert (score.exact, score.cells, score.faults) == (True, (), ("header_mismatch",))


def test_the_published_profile_reads_a_parsed_answer_as_a_prediction_file() -> None:
    scorer = Scorer(TWO, PEOPLE, "gisa-compat")
    assert scorer.score_parsed(read_answer_csv(b"Name,Year\nA,2000\nB,2001\n", PEOPLE)).exact
    assert not scorer.score_parsed(ParsedAnswer(("Name", "Year"), (), ())).exact


def test_the_published_profile_refuses_an_empty_gold_answer() -> None:
    with pytest.raises(AnswerUnreadable, match="empty"):
        Scorer(gold(), SET, "gisa-compat")


def test_of_two_parsed_columns_with_one_header_the_first_counts() -> None:
    parsed = ParsedAnswer(("Name", "Year", "Name"), (("A", "2000", "x"), ("B", "2001", "y")), ())
    score = Scorer(TWO, PEOPLE).score_parsed(parsed)
    assert (score.metrics["table_row_f1"], score.metrics["table_item_precision"], score.exact) == (1, 4 / 6, False)


def test_of_two_columns_with_one_header_the_first_counts() -> None:
    score = score_answer(TWO, reply("Name\tName\tYear\nA\tx\t2000\nB\ty\t2001"), PEOPLE)
    assert (score.metrics["table_row_f1"], score.metrics["table_item_precision"], score.exact) == (1, 4 / 6, False)


def test_short_rows_of_a_parsed_answer_are_filled_with_blanks() -> None:
    score = Scorer(TWO, PEOPLE).score_parsed(ParsedAnswer(("Name", "Year"), (("A",), ("B", "2001")), ()))
    assert score.metrics["table_item_f1_aligned"] == 0.75


def test_a_missing_column_with_a_tolerance_costs_its_cells() -> None:
    asked = AnswerFormat(type="table", columns=(Column(name="Name"), HALF))
    score = score_answer(gold(["A", "1"], ["B", "2"]), reply("Name\nA\nB"), asked)
    assert (score.metrics["table_item_precision"], score.metrics["table_item_recall"]) == (1, 0.5)


def test_a_row_with_a_cell_too_many_uses_up_no_gold_row() -> None:
    asked = AnswerFormat(type="table", columns=(Column(name="Name"), HALF), sort=())
    score = score_answer(gold(["A", "10"]), reply("Name\tItem\nA\t10.1\tx\nA\t10.2"), asked)
    assert score.metrics["table_row_precision"] == 0.5


def test_a_key_within_its_tolerance_pairs_its_row() -> None:
    asked = AnswerFormat(type="table", columns=(HALF, Column(name="Name"), Column(name="Year")))
    score = score_answer(gold(["10", "A", "1"]), reply("Item\tName\tYear\n10.4\tA\t2"), asked)
    assert score.metrics["table_item_f1_aligned"] == pytest.approx(2 / 3)


def test_aliases_count_in_both_directions() -> None:
    city = AnswerFormat(type="set", columns=(Column(name="City", aliases=(("Saint Petersburg", "Leningrad"),)),))
    for one, other in (("Leningrad", "St. Petersburg"), ("Saint Petersburg", "leningrad")):
        exact = score_answer(gold([one]), reply(f"City\n{other}"), city).exact
        assert exact == (other != "St. Petersburg")


def test_the_diff_names_wrong_missing_and_extra_cells() -> None:
    score = score_answer(TWO, reply("Name\tYear\nA\t1999\nC\t2002"), PEOPLE)
    assert statuses(score.cells) == [
        ("wrong", 0, "Year"),
        ("missing", 1, "Name"),
        ("missing", 1, "Year"),
        ("extra", None, "Name"),
        ("extra", None, "Year"),
    ]


def test_the_diff_shows_cells_that_nobody_asked_for() -> None:
    score = score_answer(TWO, reply("Name\tYear\tNote\nA\t2000\tx\nB\t2001\ty\tz"), PEOPLE)
    assert statuses(score.cells) == [("extra", 0, "Note"), ("extra", 1, "Note"), ("extra", 1, "")]


def test_a_right_row_out_of_order_is_misplaced() -> None:
    score = score_answer(gold(["A"], ["B"], ["C"]), reply("Item\nB\nC\nA"), LIST)
    assert statuses(score.cells) == [("misplaced", 0, "Item")]


def test_a_list_shifted_by_one_has_one_misplaced_element() -> None:
    home_and_away = [["Home"], ["Away"]] * 20
    shifted = [*home_and_away[1:], home_and_away[0]]
    score = score_answer(gold(*home_and_away), reply("\n".join(["Item", *(text for (text,) in shifted)])), LIST)
    assert [cell.status for cell in score.cells if cell.status != "matched"] == ["misplaced"]


def test_rows_that_tie_on_the_sort_key_are_not_misplaced() -> None:
    asked = table(["Name", "Year"], sort=["Year"])
    score = score_answer(gold(["A", "2000"], ["B", "2000"]), reply("Name\tYear\nB\t2000\nA\t2000"), asked)
    assert (score.exact, statuses(score.cells)) == (True, [])


def test_rows_in_the_order_of_another_collation_are_not_misplaced() -> None:
    asked = table(["City", "Land"], sort=["City"])
    truth = gold(["Evian", "F"], ["Zagreb", "HR"], ["Évry", "F"])
    score = score_answer(truth, reply("City\tLand\nEvian\tF\nÉvry\tF\nZagreb\tCRO"), asked)
    assert statuses(score.cells) == [("wrong", 1, "Land")]


def test_an_element_that_is_repeated_in_a_set_is_neither_missing_nor_extra() -> None:
    score = score_answer(gold(["A"], ["a"], ["B"]), reply("Item\nB\nb\nA\nX\nx"), SET)
    assert statuses(score.cells) == [("extra", None, "Item")]


def test_a_near_miss_is_shown_and_never_counted() -> None:
    score = score_answer(gold(["Zürich"]), reply("Value\nZurich"), ITEM)
    assert (score.exact, score.cells[0].status, score.cells[0].near) == (False, "wrong", "accents")


@pytest.mark.parametrize("asked", [SET, LIST], ids=["set", "list"])
def test_a_missing_and_an_extra_element_that_are_nearly_the_same_are_one_wrong_element(asked: AnswerFormat) -> None:
    score = score_answer(gold(["Oslo"], ["Zürich"]), reply("Item\nZurich\nLima\nOslo"), asked)
    assert [cell for cell in score.cells if cell.status == "wrong"] == [
        CellDiff(status="wrong", column="Item", row=1, found_row=0, expected="Zürich", found="Zurich", near="accents")
    ]
    assert [cell.found for cell in score.cells if cell.status == "extra"] == ["Lima"]


def test_an_extra_element_is_near_to_one_missing_element_only() -> None:
    score = score_answer(gold(["Zürich"], ["Zúrich"]), reply("Item\nZurich"), SET)
    assert statuses(score.cells) == [("wrong", 0, "Item"), ("missing", 1, "Item")]


def test_many_wrong_elements_are_compared_only_where_their_letters_agree() -> None:
    missing = [f"Old Bridge of Nowhere {place:03d} é" for place in range(150)]
    extra = [text.replace("é", "e") for text in reversed(missing)]
    score = score_answer(gold(*([text] for text in missing)), reply("\n".join(["Item", *extra])), SET)
    assert {(cell.status, cell.near) for cell in score.cells} == {("wrong", "accents")}


def test_an_item_with_another_value_is_one_wrong_cell() -> None:
    score = score_answer(gold(["Oslo"]), reply("Value\nLima\nCairo"), ITEM)
    assert [(cell.status, cell.found) for cell in score.cells] == [("wrong", "Lima"), ("extra", "Cairo")]


@pytest.mark.parametrize("asked", [ITEM, SET, LIST], ids=["item", "set", "list"])
def test_a_match_names_the_rules_it_needed(asked: AnswerFormat) -> None:
    score = score_answer(gold(["1,000"]), reply(f"{asked.header[0]}\n**1000**"), asked)
    assert score.cells[0].rules == ("markdown", "grouping")
    assert score.cells[0].decided_by == "equal by markdown, grouping"


def test_a_cell_of_a_table_names_what_decided_it() -> None:
    score = score_answer(gold(["A", "2000"], ["Ö", "1"]), reply("Name\tYear\na\t2000\nÖ\t2\nC\t3"), PEOPLE)
    assert [cell.decided_by for cell in score.cells] == [
        "equal by case", "equal as written", "equal as written", "not equal", *["not in the gold answer"] * 2,
    ]  # fmt: skip


def test_a_set_pairs_each_element_with_one_near_number() -> None:
    asked = AnswerFormat(type="set", columns=(HALF,))
    score = score_answer(gold(["10"], ["11"]), reply("Item\n10.6\n10.4\n10.5"), asked)
    assert [(cell.status, cell.expected, cell.found) for cell in score.cells] == [
        ("matched", "10", "10.4"),
        ("matched", "11", "10.5"),
        ("extra", None, "10.6"),
    ]
