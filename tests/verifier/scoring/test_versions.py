"""A live question's answer has versions: which one a reply is, cell by cell, and how stale a run is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.builders import gold, one_column, reply, table
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.reply_text import format_reply
from verifier.scoring.answer_score import score_answer
from verifier.scoring.versions import VersionScorer, VersionStatus, answer_as_of, judge_versions, stale_rate

ITEM, SET, LIST = one_column("item"), one_column("set"), one_column("list")
TOWNS = table(["Town", "Mayor", "People"], sort=[])


def versions(*answers: list[list[str]], header: tuple[str, ...] = ()) -> list[AnswerVersion]:
    """Answers that began to hold in January, February, March, ..."""
    return [
        replace(gold(*rows, header=header), version=number, valid_from=f"2026-0{number}-01")
        for number, rows in enumerate(answers, start=1)
    ]


MAYORS = versions([["Ann"]], [["Bo"]], [["Cy"]], [["Di"]])
LONG_AGO = versions([["Ann"]], [["Bo"]], [["Ann"]], [["Bo"]])

# Versions, the day, the reply, what it is, the version it is, that one's first day, the day after its last.
WHOLE: list[tuple[list[AnswerVersion], str, str, VersionStatus, int | None, str, str]] = [
    (MAYORS, "2026-03-15", "Cy", "fresh", 3, "2026-03-01", "2026-04-01"),
    (MAYORS, "2026-03-01", "Cy", "fresh", 3, "2026-03-01", "2026-04-01"),
    (MAYORS, "2026-04-15", "Di", "fresh", 4, "2026-04-01", ""),
    (MAYORS, "2026-03-15", "Bo", "stale", 2, "2026-02-01", "2026-03-01"),
    (MAYORS, "2026-03-15", "ann", "stale", 1, "2026-01-01", "2026-02-01"),
    (MAYORS, "2026-03-15", "Di", "early", 4, "2026-04-01", ""),
    (MAYORS, "2026-03-15", "Eve", "wrong", None, "", ""),
    (MAYORS, "2025-12-31", "Ann", "fresh", 1, "2026-01-01", "2026-02-01"),
    (MAYORS, "2025-12-31", "Cy", "early", 3, "2026-03-01", "2026-04-01"),
    (MAYORS[:1], "2026-03-15", "Ann", "fresh", 1, "2026-01-01", ""),
    (MAYORS[:1], "2026-03-15", "Bo", "wrong", None, "", ""),
    (LONG_AGO, "2026-03-15", "Ann", "fresh", 3, "2026-03-01", "2026-04-01"),
    (LONG_AGO, "2026-03-15", "Bo", "stale", 2, "2026-02-01", "2026-03-01"),
    (LONG_AGO, "2026-04-15", "Ann", "stale", 3, "2026-03-01", "2026-04-01"),
]


@pytest.mark.parametrize(("answers", "day", "text", "status", "version", "first", "after"), WHOLE)
def test_a_reply_is_the_version_it_is_exact_against(
    answers: list[AnswerVersion], day: str, text: str, status: str, version: int | None, first: str, after: str
) -> None:
    seen = judge_versions(answers[::-1], reply(f"Value\n{text}"), ITEM, as_of=day)
    assert (seen.status, seen.matched, seen.valid_from, seen.valid_until) == (status, version, first, after)


def test_a_correction_of_the_same_day_makes_the_first_version_stale_for_no_day() -> None:
    wrong, right = versions([["Ann"]], [["Anne"]])
    corrected = [wrong, replace(right, valid_from=wrong.valid_from)]
    seen = judge_versions(corrected, reply("Value\nAnn"), ITEM, as_of="2026-01-01")
    assert (seen.status, seen.version, seen.valid_from, seen.valid_until) == ("stale", 2, "2026-01-01", "2026-01-01")


@pytest.mark.parametrize("text", [None, "", "I do not know", "\0\ud800"])
def test_anything_may_come_in(text: str | None) -> None:
    assert judge_versions(MAYORS, text, ITEM, as_of="2026-03-15").status == "wrong"


def test_no_version_is_refused() -> None:
    with pytest.raises(ValueError, match="found none"):
        VersionScorer([], ITEM)


HEADER = ("Town", "Mayor", "People")
TABLE = versions(
    [["Ayl", "Ann", "90"], ["Bex", "Bo", "40"], ["Gone", "Gus", "1"]],
    [["Ayl", "Ann", "100"], ["Bex", "Bea", "50"]],
    [["Ayl", "Amy", "110"], ["Bex", "Bea", "50"], ["Cam", "Cy", "5"]],
    [["Ayl", "Abe", "110"], ["Bex", "Bea", "60"], ["Cam", "Cy", "5"]],
    header=HEADER,
)
MARCH = "2026-03-15"

# Found rows, how many cells are fresh, and the others: text, column, status, version.
CELLS: list[tuple[str, list[list[str]], int, set[tuple[str | None, str, str, int | None]]]] = [
    ("all fresh", [["Cam", "Cy", "5"], ["Ayl", "Amy", "110"], ["Bex", "Bea", "50"]], 9, set()),
    (
        "a stale, an old, an early and a wrong cell",
        [["Ayl", "Ann", "90"], ["Bex", "Bea", "60"], ["Cam", "Carl", "5"]],
        5,
        {("Ann", "Mayor", "stale", 2), ("90", "People", "stale", 1), ("60", "People", "early", 4),
         ("Carl", "Mayor", "wrong", None)},
    ),
    (
        "a row that once was there",
        [["Ayl", "Amy", "110"], ["Bex", "Bea", "50"], ["Cam", "Cy", "5"], ["Gone", "Gus", "1"]],
        9,
        {("Gone", "Town", "stale", 1), ("Gus", "Mayor", "stale", 1), ("1", "People", "stale", 1)},
    ),
    (
        "an older value in another row is wrong",
        [["Ayl", "Bo", "110"], ["Bex", "Bea", "90"], ["Cam", "Cy", "5"]],
        7,
        {("Bo", "Mayor", "wrong", None), ("90", "People", "wrong", None)},
    ),
    (
        "a missing row",
        [["Ayl", "Amy", "110"], ["Bex", "Bea", "50"]],
        6,
        {(None, "Town", "missing", None), (None, "Mayor", "missing", None), (None, "People", "missing", None)},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "fresh", "others"), [case[1:] for case in CELLS], ids=[case[0] for case in CELLS])
def test_a_wrong_cell_names_the_version_whose_aligned_cell_it_is(
    rows: list[list[str]], fresh: int, others: set[tuple[str | None, str, str, int | None]]
) -> None:
    seen = judge_versions(TABLE, format_reply(HEADER, rows), TOWNS, as_of=MARCH)
    rest = {(cell.found, cell.column, cell.status, cell.version) for cell in seen.cells if cell.status != "fresh"}
    assert (seen.counts["fresh"], rest) == (fresh, others)


def test_the_version_that_the_reply_is_explains_its_cells() -> None:
    # People 50 in February and March alike: the whole reply is February's.
    answers = versions([["Ayl", "Ann", "1"]], [["Ayl", "Ann", "2"]], [["Ayl", "Bo", "1"]], [["Ayl", "Cy", "3"]])
    seen = judge_versions(answers, format_reply(HEADER, [["Ayl", "Ann", "1"]]), TOWNS, as_of="2026-04-15")
    assert (seen.status, seen.matched) == ("stale", 1)
    assert {(cell.column, cell.version) for cell in seen.cells if cell.status == "stale"} == {
        ("Mayor", 1),
        ("People", 1),
    }


@pytest.mark.parametrize("asked", [SET, LIST], ids=["set", "list"])
def test_an_element_that_left_is_stale_and_one_that_came_is_missing(asked: AnswerFormat) -> None:
    answers = versions([["Ann"], ["Bo"]], [["Bo"], ["Zoë Quill"]])
    seen = judge_versions(answers, reply("Item\nAnn\nBo"), asked, as_of="2026-02-02")
    assert (seen.status, seen.counts) == ("stale", {"fresh": 1, "stale": 1, "early": 0, "wrong": 0, "missing": 1})


def test_the_score_is_the_one_against_the_day_s_version() -> None:
    text = format_reply(HEADER, [["Ayl", "Ann", "90"]])
    assert judge_versions(TABLE, text, TOWNS, as_of=MARCH).score == score_answer(TABLE[2], text, TOWNS)


def test_the_stale_rate_states_its_denominators() -> None:
    days = [(MAYORS, "Cy"), (MAYORS, "Bo"), (MAYORS, "Di"), (MAYORS, "Eve"), (MAYORS[:1], "Eve")]
    verdicts = [judge_versions(answers, reply(f"Value\n{text}"), ITEM, as_of=MARCH) for answers, text in days]
    seen = stale_rate(verdicts)
    assert (seen.n, seen.outcomes) == (5, {"fresh": 1, "stale": 1, "early": 1, "wrong": 2})
    assert (seen.rate.mean, seen.could_be_stale, seen.rate_where_possible) == (0.2, 4, 0.25)
    assert (seen.cells_given, seen.cell_rate) == (5, 0.2)


def test_no_live_question_has_no_stale_rate() -> None:
    seen = stale_rate([])
    assert (seen.rate.mean, seen.rate_where_possible, seen.cell_rate) == (None, None, None)


@pytest.mark.parametrize(
    ("day", "version"), [("2025-12-31", 1), ("2026-01-01", 1), ("2026-02-28", 2), ("2027-01-01", 4)]
)
def test_the_newest_version_that_held_is_the_day_s_in_any_order(day: str, version: int) -> None:
    assert answer_as_of(MAYORS, day).version == answer_as_of(MAYORS[::-1], day).version == version


_NAMES = st.lists(st.sampled_from(["Ann", "Bo", "Cy"]), min_size=1, max_size=3)


@given(st.lists(_NAMES, min_size=1, max_size=5), _NAMES, st.sampled_from(["2026-01-01", "2026-03-15", "2027-01-01"]),
       st.data())  # fmt: skip
def test_fresh_is_exact_and_the_order_of_versions_changes_nothing(
    answers: list[list[str]], found: list[str], day: str, data: st.DataObject
) -> None:
    known = versions(*([[name] for name in names] for names in answers))
    text = format_reply(LIST.header, [[name] for name in found])
    seen = judge_versions(known, text, LIST, as_of=day)
    assert (seen.status == "fresh") == score_answer(answer_as_of(known, day), text, LIST).exact
    assert seen == judge_versions(data.draw(st.permutations(known)), text, LIST, as_of=day)
