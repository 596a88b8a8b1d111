"""Profile `gisa-compat`: the published evaluator's figures, its faults included."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import AnswerUnreadable
from verifier.scoring.compat_score import judge_as_published
from verifier.scoring.compat_tables import CompatTable, prediction_table, truth_table

CASE_FILE = Path(__file__).parents[2] / "cases" / "answer_scoring.jsonl"
CASES = {case["id"]: case for case in map(json.loads, CASE_FILE.read_text(encoding="utf-8").splitlines())}

NO_SINGLE_SCORE = {
    "C22": "the published run ends: the reply is taken for a path; here it is scored like any other",
    "C23": "the reply is the path of the truth file, which the command alone knows",
    "F01": "about a whole run: ids of two kinds",
    "F02": "about a whole run: who is missing leaves the mean",
    "F03": "about a whole run: groups by spelling",
    "F04": "about a whole run: a reply that is null",
}
"""Cases whose published result is no figure of one reply, with the reason."""

GIVES_UP = {"E02", "E03", "F06"}
"""Cases whose truth file ends the published run."""

SCORED = [case for name, case in CASES.items() if name not in NO_SINGLE_SCORE and name not in GIVES_UP]


def truth_of(case: dict[str, Any]) -> CompatTable:
    return truth_table(case["truth_csv"].encode(case.get("truth_encoding", "utf-8")), case["answer_type"])


def figures(kind: str, truth: str, reply: str) -> dict[str, float]:
    return judge_as_published(truth_table(truth.encode(), kind), prediction_table(reply), kind)


@pytest.mark.parametrize("case", SCORED, ids=[case["id"] for case in SCORED])
def test_case_gives_the_published_result(case: dict[str, Any]) -> None:
    expected = {name: value for name, value in case["reference_result"].items() if not name.startswith("_")}
    found = judge_as_published(truth_of(case), prediction_table(case["prediction"]), case["answer_type"])
    # The case file rounds to four digits.
    assert {name: round(found[name], 4) for name in expected} == expected


@pytest.mark.parametrize("name", sorted(GIVES_UP))
def test_truth_that_ends_the_published_run_is_named(name: str) -> None:
    assert "exception" in CASES[name]["reference_result"]
    with pytest.raises(AnswerUnreadable):
        truth_of(CASES[name])


def test_every_case_left_out_has_no_published_score_of_one_reply() -> None:
    results = [CASES[name]["reference_result"] for name in NO_SINGLE_SCORE if name != "C23"]
    assert all("exception" in result or "overall_global_em" in result for result in results)


def fenced(*rows: str) -> str:
    return "<answer>\n```tsv\n" + "\n".join(rows) + "\n```\n</answer>"


DUPLICATES = "Home\nAway\n" * 100
KINDS: list[tuple[str, str, str, str, Sequence[float]]] = [
    # Cases that spec/gisa.md 5 names and the case file lacks: id, type, truth, reply, figures.
    ("A03", "item", "9007199254740993\n", fenced("Value", "9007199254740992"), [1, 1]),
    ("A04", "set", "1234567890123456789\n1234567890123456788\n", fenced("Item", "1234567890123456780"), [1, 1, 1, 1]),
    ("A05", "item", "1E5\n", fenced("Value", "100000"), [1, 1]),
    ("A06", "item", "12_34\n", fenced("Value", "1234"), [1, 1]),
    ("A07", "item", "Infinity\n", fenced("Value", "inf"), [1, 1]),
    ("A10", "item", "None\n", fenced("Value", '""'), [1, 1]),
    ("A16", "item", "1000\n", fenced("Value", "£1,000"), [0, 0]),
    ("A20", "item", "1234 km\n", fenced("Value", "1,234 km"), [0, 0]),
    ("B02", "item", "O'Neil\n", fenced("Value", "O’Neil"), [0, 0]),
    ("B05", "item", "100\n", fenced("Value", "１００"), [1, 1]),
    ("B07", "item", "Straße\n", fenced("Value", "STRASSE"), [0, 0]),
    ("B08", "item", "AT&T\n", fenced("Value", "AT&amp;T"), [0, 0]),
    ("B09", "item", "A*\n", fenced("Value", "A"), [1, 1]),
    ("C05", "set", "a\nb\nc\n", fenced("Item", '"a', 'b"', "c"), [0.5, 1 / 3, 0.4, 0]),
    ("C07", "item", "Paris\n", "```tsv\nValue\nLyon\n```\n" + fenced("Value", "Paris"), [0, 0]),
    ("C09", "item", "Paris\n", "In a ```tsv block:\n" + fenced("Value", "Paris"), [0, 0]),
    ("C11", "item", "Paris\n", "```TSV\nValue\nParis\n```", [0, 0]),
    ("C20", "item", "Paris\n", fenced("Value", "Paris", "Lyon", "Rome"), [1, 0]),
    ("D01", "table", "President Name,Start\nA,1\n", fenced("Name\tFrom", "A\t1"), [0, 0, 0, 0, 0, 0, 1]),
    ("D02", "table", "Home,Away\nA,1\n", fenced("Away\tHome", "A\t1"), [0, 0, 0, 0, 0, 0, 1]),
    ("D06", "table", "N\nA\nA\nB\n", fenced("N", "A", "B"), [1, 1, 1, 1, 2 / 3, 0.8, 0]),
    ("D11", "table", "Name,Year\nA,1\n", fenced("**Name**\t**Year**", "A\t1"), [0, 0, 0, 0, 0, 0, 1]),
    ("D14, at 199", "list", DUPLICATES[:-5], fenced("Item", *DUPLICATES.split()[1:199]), [0.9975, 0.9975, 0]),
    ("D14, at 200", "list", DUPLICATES + "Away\n", fenced("Item", *DUPLICATES.split()[1:], "Away"), [0.9975, 0.0, 0]),
    ("name twice", "table", "A b,Ab\n1,2\n", fenced("Ab", "ab"), [0, 0, 0, 1, 0.25, 0.4, 0]),
    ("header alone on both sides", "table", "A,B\n", fenced("C\tD"), [0, 0, 0, 0, 0, 0, 1]),
    ("row of the index alone", "set", "b\n", fenced("Item", "a\tb", "c\tb"), [1, 1, 1, 1]),
    ("type in capitals", "SET", "A\nB\n", fenced("Item", "B", "A"), [1, 1, 1, 1]),
    ("unknown type", "rank", "Paris\n", fenced("Value", "Paris"), [1, 1]),
]


@pytest.mark.parametrize(
    ("kind", "truth", "reply", "expected"), [row[1:] for row in KINDS], ids=[row[0] for row in KINDS]
)
def test_kind_gives_the_published_figures(kind: str, truth: str, reply: str, expected: Sequence[float]) -> None:
    assert list(figures(kind, truth, reply).values()) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["item", "set", "list", "table"])
def test_nothing_found_scores_0_under_the_published_names(kind: str) -> None:
    gold = truth_table(b"A\n1\n", kind)
    nothing = judge_as_published(gold, None, kind)
    assert (set(nothing.values()), nothing.keys()) == ({0.0}, judge_as_published(gold, gold, kind).keys())


_CELLS = st.sampled_from(["a", "b", "A *", "1", "1.0", "1,000", "12%", "", "NA", "é", "x y", "0.1234567890123456789"])
_ROWS = st.lists(st.tuples(_CELLS, _CELLS), min_size=1, max_size=6)
_KIND = st.sampled_from(["item", "set", "list", "table"])


def table_of(rows: Sequence[Sequence[str]]) -> CompatTable:
    found = prediction_table("\n".join("\t".join(row) for row in [("Name", "Year"), *rows]))
    assert found is not None
    return found


@given(kind=_KIND, one=_ROWS, other=_ROWS)
def test_figures_are_shares(kind: str, one: Any, other: Any) -> None:
    assert all(0 <= figure <= 1 for figure in judge_as_published(table_of(one), table_of(other), kind).values())


@given(kind=_KIND, rows=_ROWS.filter(lambda rows: any("".join(row) for row in rows)))
def test_an_answer_judged_by_itself_is_all_right(kind: str, rows: Any) -> None:
    assert set(judge_as_published(table_of(rows), table_of(rows), kind).values()) == {1.0}


@given(kind=st.sampled_from(["set", "table"]), gold=_ROWS, rows=_ROWS, seed=st.integers(0, 9))
def test_order_of_rows_changes_no_share_of_sets_and_tables(kind: str, gold: Any, rows: Any, seed: int) -> None:
    shuffled = random.Random(seed).sample(rows, len(rows))
    one, other = (judge_as_published(table_of(gold), table_of(found), kind) for found in (rows, shuffled))
    assert {**one, "global_em": 0} == {**other, "global_em": 0}
