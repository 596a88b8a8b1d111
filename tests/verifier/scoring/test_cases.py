"""The case file: kinds of answers with their right score, set by hand; and the other kinds that the facts name."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.builders import reply
from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, Column, SortKey
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.csv_files import read_answer_csv, write_answer_csv
from verifier.errors import AnswerUnreadable
from verifier.scoring.answer_score import score_answer

CASE_FILE = Path(__file__).parents[2] / "cases" / "answer_scoring.jsonl"
CASES = [json.loads(line) for line in CASE_FILE.read_text(encoding="utf-8").split("\n") if line]

WHOLE_RUNS = {"F01", "F02", "F03", "F04", "F05"}
"""Cases about a whole run of questions: their files, their groups, an unknown type."""

SINGLE = [case for case in CASES if case["id"] not in WHOLE_RUNS and "error" not in case["right_result"]]

ONE, NONE = {"global_em": 1.0}, {"global_em": 0.0}
OTHER_KINDS: list[tuple[str, str, str, str, dict[str, float], dict[str, Any]]] = [
    ("A03", "item", "9007199254740993", reply("Value\n9007199254740992"), NONE, {}),
    ("A04", "set", "1234567890123456781\n1234567890123456782", reply("Item\n1234567890123456780"), {"set_f1": 0}, {}),
    ("A05", "item", "1E5", reply("Value\n100000"), NONE, {}),
    ("A06", "item", "12_34", reply("Value\n1234"), NONE, {}),
    ("A07", "item", "Infinity", reply("Value\ninf"), NONE, {}),
    ("A10", "item", "None", reply("Value\n-"), NONE, {}),
    ("A16 pound", "item", "1000", reply("Value\n£1,000"), ONE, {}),
    ("A16 yen", "item", "1000", reply("Value\n¥1,000"), ONE, {}),
    ("A20", "item", "1234 km", reply("Value\n1,234 km"), ONE, {}),
    ("B02", "item", "Rock 'n' Roll", reply("Value\nRock ’n’ Roll"), ONE, {}),
    ("B05", "item", "ABC 12", reply("Value\nＡＢＣ　１２"), ONE, {}),
    ("B07", "item", "Straße", reply("Value\nSTRASSE"), ONE, {}),
    ("B08", "item", "AT&T", reply("Value\nAT&amp;T"), ONE, {}),
    ("B09", "item", "A*", reply("Value\nA"), NONE, {}),
    ("C05", "set", "A\nB\nC", reply('Item\n"A\nB"\nC'), {"set_recall": 1 / 3}, {}),
    ("C07", "item", "Paris", "```tsv\nValue\nLyon\n```\n" + reply("Value\nParis"), ONE, {}),
    ("C09", "set", "A1\nB1", "In a ```tsv block:\n" + reply("Item\nA1\nB1"), {"set_f1": 1}, {}),
    ("C11", "set", "A1\nB1", reply("Item\nA1\nB1", "TSV"), {"set_f1": 1}, {}),
    ("C20", "item", "Paris", reply("Value\nParis\nLyon\nRome"), {"item_em": 0, "global_em": 0}, {}),
    ("D01", "table", "President Name,Start\nA,1\nB,2", reply("Name\tFrom\nA\t1\nB\t2"), NONE, {}),
    ("D06", "table", "Name,Year\nA,1\nA,1\nB,2", reply("Name\tYear\nA\t1\nB\t2"), {"table_row_f1": 0.8}, {}),
    ("D11", "table", "Name,Year\nA,1", reply("**Name**\t**Year**\nA\t1"), {"table_row_f1": 1, **ONE}, {}),
    ("D14 199", "list", "\n".join(["a", "b"] * 100)[:-2], reply("Item\n" + "\n".join(["b", "a"] * 100)[:-2]),
     {"list_order_score": 198 / 199}, {}),
    ("D14 200", "list", "\n".join(["a", "b"] * 100), reply("Item\n" + "\n".join(["b", "a"] * 100)),
     {"list_order_score": 199 / 200}, {}),
    ("D15", "list", "\n".join(["a", "b", "c"] * 200), reply("Item\n" + "\n".join(["a", "b", "c"] * 200)[2:]),
     {"list_order_score": 2 * 599 / 1199}, {}),
    ("stray quote", "table", "Name,Year\nA,1\nB,2", reply('Name\tYear\n"A\t1\nB\t2'), {"table_row_f1": 0.5}, {}),
    ("typed zip", "item", "01040", reply("Value\n1040"), NONE, {"*": "text"}),
    ("version", "item", "3.10", reply("Value\n3.1"), NONE, {"*": "text"}),
    ("decimal comma", "item", "3.14", reply("Value\n3,14"), ONE, {"*": "number"}),
    ("null words", "table", "Name,End\nA,\nB,1", reply("Name\tEnd\nA\tnull\nB\t1"), ONE, {"End": "number"}),
]  # fmt: skip
"""Id, type, truth file, prediction, right figures, declared types."""


def format_of(case: dict[str, Any]) -> AnswerFormat:
    kind, schema = case["answer_type"], case.get("schema", {})
    header = next(csv.reader(io.StringIO(case["truth_csv"]))) if kind == "table" else [DEFAULT_HEADERS[kind]]
    types = schema.get("types", {})
    columns = tuple(Column(name=name, type=types.get(name, types.get("*", "untyped"))) for name in header if name)
    sort = tuple(SortKey(column=name) for name in schema["sort"]) if "sort" in schema else None
    return AnswerFormat(type=kind, columns=columns, keys=tuple(schema.get("key", ())), sort=sort)


def gold_of(case: dict[str, Any], asked: AnswerFormat) -> AnswerVersion:
    encoding = case.get("truth_encoding")
    parsed = read_answer_csv(case["truth_csv"].encode(encoding or "utf-8"), asked, encoding)
    return AnswerVersion(
        task_id="t", task_version=1, version=1, valid_from="2026-01-01", header=parsed.header, rows=parsed.rows
    )


def is_as_written(case: dict[str, Any]) -> bool:
    """Tell whether the truth file is what we would write, and the prediction a reply: then only scoring counts."""
    if case.get("truth_encoding", "gbk") != "gbk" or case["id"] == "C23" or "exception" in case["reference_result"]:
        return False
    asked = format_of(case)
    try:
        gold = gold_of(case, asked)
    except AnswerUnreadable:
        return False
    truth: str = case["truth_csv"]
    return write_answer_csv(gold.header, gold.rows, asked).decode() == truth


AS_PUBLISHED = [case for case in SINGLE if is_as_written(case)]


@pytest.mark.parametrize("case", SINGLE, ids=[case["id"] for case in SINGLE])
def test_strict_gives_the_right_result(case: dict[str, Any]) -> None:
    asked = format_of(case)
    score = score_answer(gold_of(case, asked), case["prediction"], asked)
    found = {name: score.metrics.get(name) for name in case["right_result"]}
    assert found == pytest.approx(case["right_result"], abs=1e-4), case["why"]


@pytest.mark.parametrize("case", AS_PUBLISHED, ids=[case["id"] for case in AS_PUBLISHED])
def test_the_published_profile_gives_the_reference_result(case: dict[str, Any]) -> None:
    asked = format_of(case)
    score = score_answer(gold_of(case, asked), case["prediction"], asked, "gisa-compat")
    wanted = {name: value for name, value in case["reference_result"].items() if not name.startswith("_")}
    assert {name: score.metrics.get(name) for name in wanted} == pytest.approx(wanted, abs=1e-4), case["why"]


def test_most_cases_are_scored_in_both_profiles() -> None:
    assert len(AS_PUBLISHED) > 50


@pytest.mark.parametrize(("name", "kind", "truth", "prediction", "right", "types"), OTHER_KINDS,
                         ids=[kind[0] for kind in OTHER_KINDS])  # fmt: skip
def test_other_kinds_are_scored_right(
    name: str, kind: str, truth: str, prediction: str, right: dict[str, float], types: dict[str, Any]
) -> None:
    case = {"answer_type": kind, "truth_csv": truth + "\n", "schema": {"types": types}}
    asked = format_of(case)
    score = score_answer(gold_of(case, asked), prediction, asked)
    assert {figure: score.metrics[figure] for figure in right} == pytest.approx(right)


def test_an_empty_truth_file_is_refused() -> None:
    case = next(case for case in CASES if case["id"] == "F06")
    asked = AnswerFormat(type="set", columns=(Column(name="Item"),))
    with pytest.raises(AnswerUnreadable, match="empty"):
        gold_of(case, asked)
