"""docs/scoring.md says what the tables say."""

from __future__ import annotations

import doctest
import json
import re
from dataclasses import fields

import pytest

from tests.verifier.builders import reply
from tests.verifier.tables import scoring_page
from tests.verifier.tables.scoring import METRIC_EXAMPLES, MetricExample
from tests.verifier.tables.scoring_page import PAGE, column_words, schema_of
from verifier.answers.answer_format import SortKey
from verifier.answers.columns import Column
from verifier.answers.parsing import parse_reply
from verifier.scoring.answer_schema import read_schema
from verifier.scoring.answer_score import Scorer
from verifier.scoring.compat_explain import Comparison, PublishedExplanation
from verifier.scoring.explain import Explanation
from verifier.scoring.question_file import read_questions
from verifier.scoring.run_scores import run_data
from verifier.scoring.score import CellDiff
from verifier.scoring.truth_file import read_truth


def test_the_page_is_what_the_tables_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == scoring_page.scoring_page(), (
        "write it again: .venv/bin/python -m tests.verifier.tables.scoring_page"
    )


def test_examples_of_the_writer_hold() -> None:
    assert doctest.testmod(scoring_page).failed == 0


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (Column(name="Mass", type="number", tolerance="0.5"), "number, tolerance 0.5"),
        (Column(name="Day", type="date", date_format="YYYY"), "date, date format YYYY"),
        (Column(name="Land", aliases=(("a", "b"),)), "untyped, a = b"),
    ],
)
def test_a_column_is_told_in_words(column: Column, words: str) -> None:
    assert column_words(column) == words


@pytest.mark.parametrize("one", METRIC_EXAMPLES, ids=lambda one: one.name)
def test_each_row_of_figures_can_be_reproduced_from_what_it_shows(one: MetricExample) -> None:
    question = {"id": 1, "answer_type": one.type, "schema": schema_of(one.answer_format)}
    truth = read_truth(read_questions(json.dumps(question).encode())[0], one.truth_file.strip("\n").encode())
    score = Scorer(truth.gold, truth.answer_format, "strict").score_parsed(
        parse_reply(reply(one.block), truth.answer_format)
    )
    assert {name: score.metrics[name] for name in one.figures} == pytest.approx(dict(one.figures))


def test_no_cell_of_the_page_is_cut() -> None:
    assert [line for line in PAGE.read_text(encoding="utf-8").splitlines() if " …`" in line or "{TRUTH" in line] == []


EXPLAINED = [
    field.name for record in (Explanation, CellDiff, PublishedExplanation, Comparison) for field in fields(record)
]
RUN = run_data({}, ("strict",))


@pytest.mark.parametrize("member", [*EXPLAINED, *RUN, *RUN["summary"]["strict"], "notes", "num_samples"])
def test_every_member_of_the_json_is_explained(member: str) -> None:
    assert f"`{member}`" in PAGE.read_text(encoding="utf-8").partition("## What the JSON holds")[2]


SAID = [field.name for record in (Column, SortKey) for field in fields(record) if field.name not in ("name", "type")]


@pytest.mark.parametrize("member", SAID)
def test_every_member_of_a_schema_has_an_example(member: str) -> None:
    said = PAGE.read_text(encoding="utf-8").partition("in the member `schema`")[2].partition("In Python")[0]
    assert f'"{member}": ' in said


SCHEMA_ROWS = re.findall(
    r"^\| `(types|key|sort|\w+)`[^|]*\|[^|]*\| `([{\[].*)` \|$", PAGE.read_text("utf-8"), re.MULTILINE
)


@pytest.mark.parametrize(("member", "example"), SCHEMA_ROWS)
def test_examples_of_a_schema_are_read(member: str, example: str) -> None:
    assert read_schema({member if member in ("key", "sort") else "types": json.loads(example)})


def test_every_example_of_a_schema_is_tried() -> None:
    assert [member for member, _ in SCHEMA_ROWS] == [
        "types", "unit", "tolerance", "date_format", "null_marker", "aliases", "key", "sort", "sort",
    ]  # fmt: skip
