"""Laws of profile `strict` that hold for every gold answer and every answer, of every type and format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import gold, one_column, reply
from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.answers.reply_text import format_reply
from verifier.scoring.answer_score import Scorer, score_answer
from verifier.scoring.score import AnswerScore

Rows = Sequence[tuple[str, ...]]

TEXT, HALF = Column(name="Name"), Column(name="Mass", type="number", tolerance="0.5")
OTHER = Column(name="Other", tolerance="1")
CITY = Column(name="City", type="text", aliases=(("A", "B"), ("C", "d e")))
YEAR = Column(name="Year", type="number")

FORMATS: Mapping[str, AnswerFormat] = {
    "item": one_column("item"),
    "item near": AnswerFormat(type="item", columns=(HALF,)),
    "set": one_column("set"),
    "set near": AnswerFormat(type="set", columns=(HALF,)),
    "set alias": AnswerFormat(type="set", columns=(CITY,)),
    "list": one_column("list"),
    "list near": AnswerFormat(type="list", columns=(HALF,)),
    "table": AnswerFormat(type="table", columns=(TEXT, YEAR, CITY)),
    "table two keys": AnswerFormat(type="table", columns=(TEXT, CITY, YEAR), keys=("Year", "Name")),
    "table sorted": AnswerFormat(type="table", columns=(TEXT, YEAR), sort=(SortKey(column="Name"),)),
    "table near": AnswerFormat(type="table", columns=(TEXT, HALF)),
    "free": AnswerFormat(type="table", columns=(TEXT, YEAR, CITY), sort=()),
    "free near": AnswerFormat(type="table", columns=(TEXT, HALF), sort=()),
    "free near twice": AnswerFormat(type="table", columns=(TEXT, HALF, OTHER), sort=()),
    "free near key": AnswerFormat(type="table", columns=(HALF, TEXT), sort=()),
}
UNORDERED = [name for name, asked in FORMATS.items() if asked.type == "set" or asked.sort == ()]

_CELLS = st.sampled_from(
    ["A", "B", "c", "d e", "1", "1.4", "1.8", "2", "1,000", "1000", "", "-", "x\ty", "Zürich", "7%", "2001-01-05"]
)
_ROWS = st.lists(st.tuples(_CELLS, _CELLS, _CELLS), max_size=6)
every_format = pytest.mark.parametrize("name", FORMATS)


def cut(rows: Rows, asked: AnswerFormat) -> list[tuple[str, ...]]:
    return [row[: len(asked.columns)] for row in rows]


def score(truth: Rows, found: Rows, asked: AnswerFormat) -> AnswerScore:
    return score_answer(gold(*cut(truth, asked)), format_reply(asked.header, cut(found, asked)), asked)


@every_format
@given(truth=_ROWS, found=_ROWS)
def test_every_figure_is_a_share(name: str, truth: Rows, found: Rows) -> None:
    assert all(0 <= figure <= 1 for figure in score(truth, found, FORMATS[name]).metrics.values())


@every_format
@given(data=st.data())
def test_exact_means_that_every_figure_is_1(name: str, data: st.DataObject) -> None:
    # Answers near the gold answer, so that many are exact.
    truth = data.draw(_ROWS)
    found = [tuple(data.draw(st.sampled_from([cell, cell, f" {cell} ", "1.4"])) for cell in row) for row in truth]
    metrics = score(truth, found, FORMATS[name]).metrics
    assert metrics["global_em"] in (0, 1)
    if metrics["global_em"] == 1:
        assert set(metrics.values()) == {1}


@pytest.mark.parametrize("name", ["item", "item near", "set", "set near", "set alias", "list", *UNORDERED])
@given(truth=_ROWS, found=_ROWS)
def test_every_figure_1_means_exact(name: str, truth: Rows, found: Rows) -> None:
    metrics = dict(score(truth, found, FORMATS[name]).metrics)
    exact = metrics.pop("global_em")
    assert (set(metrics.values()) == {1}) == (exact == 1)


@every_format
@given(rows=_ROWS.filter(bool))
def test_the_gold_answer_itself_is_exact(name: str, rows: Rows) -> None:
    rows = rows[:1] if FORMATS[name].type == "item" else rows
    assert score(rows, rows, FORMATS[name]).exact


@pytest.mark.parametrize("name", UNORDERED)
@given(truth=_ROWS, data=st.data())
def test_order_changes_nothing_where_it_does_not_count(name: str, truth: Rows, data: st.DataObject) -> None:
    found = data.draw(_ROWS)
    other_truth, other_found = data.draw(st.permutations(truth)), data.draw(st.permutations(found))
    asked = FORMATS[name]
    assert score(truth, found, asked).metrics == score(other_truth, other_found, asked).metrics


@pytest.mark.parametrize("name", [name for name, asked in FORMATS.items() if asked.type == "table"])
@given(truth=_ROWS, found=_ROWS, data=st.data())
def test_the_order_of_columns_changes_nothing(name: str, truth: Rows, found: Rows, data: st.DataObject) -> None:
    asked, rows = FORMATS[name], cut(found, FORMATS[name])
    places = data.draw(st.permutations(range(len(asked.columns))))
    header, moved = (tuple(asked.header[place] for place in places), [tuple(row[at] for at in places) for row in rows])
    answer = gold(*cut(truth, asked))
    permuted = score_answer(answer, format_reply(header, moved), asked)
    assert permuted.metrics == score(truth, found, asked).metrics


@every_format
@given(truth=_ROWS, found=_ROWS, data=st.data())
def test_a_row_of_new_values_never_raises_precision(name: str, truth: Rows, found: Rows, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(found)))
    more = [*found[:place], ("new", "newer", "newest"), *found[place:]]
    before, after = (score(truth, rows, FORMATS[name]).metrics for rows in (found, more))
    assert all(after[figure] <= before[figure] for figure in before if figure.endswith("precision"))


@pytest.mark.parametrize("name", [name for name, asked in FORMATS.items() if asked.type == "table"])
@given(truth=_ROWS, found=_ROWS.filter(bool))
def test_a_column_nobody_asked_for_never_raises_a_figure(name: str, truth: Rows, found: Rows) -> None:
    asked, rows = FORMATS[name], cut(found, FORMATS[name])
    wider = format_reply([*asked.header, "Note"], [(*row, "note") for row in rows])
    before, after = score(truth, found, asked).metrics, score_answer(gold(*cut(truth, asked)), wider, asked).metrics
    assert all(after[figure] <= before[figure] for figure in before)
    assert after["global_em"] == 0
    assert after["table_item_precision"] < 1


@every_format
@given(truth=_ROWS, found=_ROWS)
def test_precision_and_recall_change_places_with_the_answers(name: str, truth: Rows, found: Rows) -> None:
    asked = FORMATS[name]

    def figures(one: Rows, other: Rows) -> Mapping[str, float]:
        parsed = ParsedAnswer(asked.header, tuple(cut(other, asked)), ())
        return Scorer(gold(*cut(one, asked)), asked).score_parsed(parsed, diff=False).metrics

    one, other = figures(truth, found), figures(found, truth)
    for figure in one:
        if figure.endswith(("precision", "f1", "lcs_score")):
            assert one[figure] == other[figure.replace("precision", "recall")], figure


@every_format
@given(truth=_ROWS, found=_ROWS)
def test_the_diff_names_every_cell_once_and_adds_up(name: str, truth: Rows, found: Rows) -> None:
    asked = FORMATS[name]
    scored = score(truth, found, asked)
    right = sum(cell.status in ("matched", "misplaced") for cell in scored.cells)
    in_order = sum(cell.status == "matched" for cell in scored.cells)
    wanted = sum(cell.expected is not None for cell in scored.cells)
    given_cells = sum(cell.found is not None for cell in scored.cells)
    assert wanted == len(truth) * len(asked.columns)
    if asked.type == "table":
        assert scored.metrics["table_item_f1_aligned"] == pytest.approx(2 * right / max(1, wanted + given_cells))
    if asked.type == "list":
        assert scored.metrics["list_lcs_score"] == pytest.approx(2 * in_order / max(1, wanted + given_cells))
    if asked.type == "list" and asked.columns[0].tolerance is None:
        assert scored.metrics["list_content_f1"] == pytest.approx(2 * right / max(1, wanted + given_cells))


@given(truth=_ROWS)
def test_a_reply_that_is_no_answer_scores_0(truth: Rows) -> None:
    asked = FORMATS["free"]
    for text in (None, "", reply(""), "\0", "I could not find it."):
        assert score_answer(gold(*cut(truth, asked)), text, asked).metrics["global_em"] == 0
