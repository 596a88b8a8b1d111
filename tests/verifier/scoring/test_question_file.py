"""A question file is read strictly: what is wrong is named with its line, what is not ours is left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from verifier.answers.answer_format import SortKey
from verifier.errors import QuestionsUnreadable
from verifier.scoring.question_file import QuestionRow, read_questions


def lines(*rows: Any) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def row(**members: Any) -> dict[str, Any]:
    return {"id": 1, "answer_type": "item", **members}


def read_one(**members: Any) -> QuestionRow:
    (read,) = read_questions(lines(row(**members)))
    return read


def test_published_row_is_read_and_the_question_is_left_out() -> None:
    read = read_one(question="cipher", question_type="live", topic="Art", canary="x", answer_type="set")
    assert read == QuestionRow(question_id="1", answer_type="set", temporal="live", topic="Art")


@pytest.mark.parametrize(
    ("written", "read"), [(1, "1"), ("1", "1"), ("007", "007"), ("a b", "a b"), (10**20, "1" + 20 * "0")]
)
def test_id_is_text(written: Any, read: str) -> None:
    assert read_one(id=written).question_id == read


def test_answer_and_question_type_are_compared_without_case() -> None:
    read = read_one(answer_type="Item", question_type="Live")
    assert (read.kind, read.temporal) == ("item", "live")


def test_unknown_answer_type_is_kept_as_written() -> None:
    assert read_one(answer_type="Rank").answer_type == "Rank"


@pytest.mark.parametrize(
    "data",
    [
        lines(row(), row(id=2)) + b"\n",
        b"\xef\xbb\xbf" + lines(row(), row(id=2)),
        lines(row(), row(id=2)).replace(b"\n", b"\r\n\r\n  \r\n"),
        lines(row(), row(id=2)).decode().encode("utf-16"),
        lines({"canary": "c", "warning": "w"}, row(), row(id=2)),
        json.dumps(row(question="a\u2028b"), ensure_ascii=False).encode() + b"\n" + lines(row(id=2)),
    ],
    ids=["line feed at the end", "byte order mark", "blank lines", "utf-16", "canary line", "line separator in a text"],
)
def test_forms_of_a_file_that_are_read(data: bytes) -> None:
    assert [read.question_id for read in read_questions(data)] == ["1", "2"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "there is no question"),
        (b"\n\n", "there is no question"),
        (b"id,answer_type\n1,item\n", "line 1: no JSON"),
        (b"[\n" + lines(row()), "line 1: no JSON: .*; write one JSON object a line"),
        (lines([row()]), "line 1: found a list"),
        (lines(row(), 7), "line 2: found a number"),
        (b"[" * 100_000, "line 1: the JSON is nested too deeply"),
        (lines(row()) + b'\n{"id": ' + b"1" * 5000 + b"}", "line 2: no JSON"),
        (lines(row()) + b"\n\xff", "line 2 is not UTF-8: byte 0xff"),
        (lines({"answer_type": "item"}), "line 1: the id is missing"),
        (lines(row(id=None)), "the id is missing"),
        (lines(row(id=1.5)), "the id is a number; a text or a whole number is expected"),
        (lines(row(id=True)), "the id is true or false"),
        (lines(row(id="")), "the id is an empty text"),
        (lines(row(id=[1])), "the id is a list"),
        (lines(row(id="a\0")), "holds a character that no file name can have"),
        (lines(row(id="\ud800")), r"'\\ud800' holds a character that no file name can have"),
        (lines({"id": 1}), "answer_type is missing; expected one of item, set, list, table"),
        (lines(row(answer_type=3)), "answer_type is a number"),
        (lines(row(truth_encoding="klingon")), "no encoding is called 'klingon'"),
        (lines(row(truth_encoding="rot13")), "no encoding is called 'rot13'"),
        (lines(row(), 7) + b'\n{"id": 1,}', r"line 3: no JSON: [^;]*, column \d+$"),
        (lines(row(shema={})), "line 1: found the member 'shema'; expected 'schema'"),
        (lines(row(Truth_Encoding="gbk")), "found the member 'Truth_Encoding'; expected 'truth_encoding'"),
        (lines(row(types={"ZIP": "text"})),
         "line 1: found the member 'types' in the row itself; expected it in the schema: {.schema"),
        (lines(row(schema={"types": {}}, sort=[])),
         "found the member 'sort' in the row itself; .*; move it there, or rename it"),
        (lines(row(Key=["Town"])), "found the member 'Key' in the row itself; expected it in the schema: .*.key.: "),
        (lines(row(keys="Town")), "found the member 'keys' in the row itself"),
        (lines(row(tolerance=3)), "found the member 'tolerance' in the row itself; expected it at its column"),
        (lines(row(schema={}, Unit="km")), "found the member 'Unit' in the row itself; .*.unit.: "),
        (lines(row(schema={"typs": {}})), "line 1: schema has the member 'typs'"),
        (lines(row(answer_format={"type": "item"})), "columns"),
        (lines(row(answer_format={"type": "set", "columns": [{"name": "A"}]})), "but answer_format says 'set'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(data: bytes, says: str) -> None:
    with pytest.raises(QuestionsUnreadable, match=says):
        read_questions(data)


@pytest.mark.parametrize("second", [1, "1"])
def test_duplicate_id_names_both_lines(second: Any) -> None:
    with pytest.raises(QuestionsUnreadable, match="line 3: the id '1' stands in line 1 already"):
        read_questions(lines(row(), row(id=2), row(id=second)))


def test_accent_in_two_spellings_is_a_duplicate() -> None:
    with pytest.raises(QuestionsUnreadable, match="stands in line 1 already"):
        read_questions(lines(row(id="\u00e9"), row(id="e\u0301")))


def test_first_problems_are_named_and_the_others_counted() -> None:
    with pytest.raises(QuestionsUnreadable, match=r"line 1: .*line 2: .*line 3: .*; and 2 more lines$"):
        read_questions(lines(1, 2, 3, 4, 5))


def test_answer_format_may_stand_whole() -> None:
    wanted = {"type": "table", "columns": [{"name": "A", "type": "text"}, {"name": "B"}], "sort": [{"column": "B"}]}
    (read,) = read_questions(lines({"id": 1, "answer_format": wanted}))
    assert read.kind == "table"
    assert read.answer_format is not None
    assert read.answer_format.sort == (SortKey(column="B"),)


def test_members_of_a_published_row_are_left_out() -> None:
    published = {"question": "q", "question_type": "stable", "topic": "Art", "canary": "c", "key": 7, "sort": None}
    assert read_one(**published).topic == "Art"


def test_members_that_are_nobodys_typing_fault_are_left_out() -> None:
    assert (
        read_one(question="q", answer="a", ids=[1], answers=[], topics=[], encoding="gbk", answer_text="a").question_id
        == "1"
    )
