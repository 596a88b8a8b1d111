"""`trailbench score explain`: one question cell by cell, readable in an ordinary terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from exports.cli.root import run
from tests.verifier.builders import reply
from tests.verifier.cli.run_folder import RunFolder
from verifier.cli.explain_table import print_explanation
from verifier.scoring.explain import Explanation, explain
from verifier.scoring.prediction_files import open_files
from verifier.scoring.question_file import read_questions
from verifier.scoring.score import CellDiff

Capture = pytest.CaptureFixture[str]
TRUTH = "Name,Year\nZürich,1999\nOslo,2001\nRome,2005\nBern,2007\n"
FOUND = "Name\tYear\nOslo\t2001\nzürich\t1999\nBern\t2008\nBonn\t1990"


@pytest.fixture(autouse=True)
def _narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def made(tmp_path: Path) -> RunFolder:
    """A table with a cell of every status, an unanswered set, and a question whose truth is empty."""
    folder = RunFolder(tmp_path / "run")
    folder.ask("cities", "table", TRUTH.encode())
    folder.answer("cities", FOUND)
    folder.ask("2", "set", b"A\nB\n")
    folder.ask("3", "set", b"")
    folder.answer("3", reply("Item\nA"))
    return folder


def explained(made: RunFolder, capsys: Capture, *more: str) -> str:
    assert run(["score", "explain", *made.arguments(*more)]) == 0
    return capsys.readouterr().out


def lines_with(shown: str, *words: str) -> list[str]:
    return [line for line in shown.splitlines() if all(word in line for word in words)]


def test_every_cell_has_its_status_and_reason(made: RunFolder, capsys: Capture) -> None:
    shown = explained(made, capsys, "--question", "cities")
    for words in (
        ("│ 1→2 │", "Zürich", "zürich", "matched", "case"),
        ("│ 2→1 │", "Oslo", "misplaced", "as written"),
        ("│   3 │", "Rome", "missing"),
        ("2007", "2008", "wrong"),
        ("→4 │", "Bonn", "extra"),
    ):
        assert len(lines_with(shown, *words)) == 1, words
    assert "Cells: " in shown


def test_header_names_figures_faults_and_rules_with_their_meaning(made: RunFolder, capsys: Capture) -> None:
    shown = explained(made, capsys, "--question", "cities")
    assert shown.startswith("Question cities (table), profile strict 4: not right as a whole\n")
    for words in (
        ("table_item_f1_aligned", "0."),
        ("no_answer_tag", "the reply has no <answer> tags"),
        ("  case  ",),
        ("1→2", "row 1 of the right answer was found in row 2"),
        ("→4", "row 4 of the reply belongs to no row of the right answer"),
    ):
        assert lines_with(shown, *words), words


def test_only_differences_leaves_out_what_matches(made: RunFolder, capsys: Capture) -> None:
    shown = explained(made, capsys, "--question", "cities", "--differences")
    assert (lines_with(shown, "Zürich"), bool(lines_with(shown, "Rome"))) == ([], True)


def test_json_holds_every_cell(made: RunFolder, capsys: Capture) -> None:
    told = json.loads(explained(made, capsys, "--question", "cities", "--json"))
    assert (told["question_id"], told["status"], told["header"]) == ("cities", "scored", ["Name", "Year"])
    assert {cell["status"] for cell in told["cells"]} == {"matched", "wrong", "missing", "extra", "misplaced"}


def test_missing_prediction_shows_what_was_asked_for(made: RunFolder, capsys: Capture) -> None:
    shown = explained(made, capsys, "--question", "2")
    assert "No answer, counts 0: no prediction" in shown
    assert [len(lines_with(shown, name, "missing")) for name in ("│ A ", "│ B ")] == [1, 1]


def test_question_that_cannot_be_scored_says_why_and_exits_with_3(made: RunFolder, capsys: Capture) -> None:
    assert run(["score", "explain", *made.arguments("--question", "3")]) == 3
    shown, error = capsys.readouterr()
    assert "Could not be scored: truth file empty" in shown
    assert error == "Error: question 3 could not be scored: truth file empty\n"


@pytest.mark.parametrize(("asked", "said"), [("citys", "cities"), ("77", "cities, 2, 3")])
def test_unknown_question_names_ids_there_are(made: RunFolder, capsys: Capture, asked: str, said: str) -> None:
    assert run(["score", "explain", *made.arguments("--question", asked)]) == 2
    error = capsys.readouterr().err
    assert f"has no question '{asked}'; among its 3 ids are {said}" in error
    assert error.count("\n") == 1


def wide_and_long(folder: Path) -> RunFolder:
    made = RunFolder(folder)
    names = ["Name of the place", "Country", "Population (millions)", "Founded", "Mayor", "Area", "Elevation"]
    row = ["x" * 5000, "Some country with a long name"] + ["value"] * 5
    made.ask("1", "table", f"{','.join(names)}\n{','.join(row)}\n".encode())
    made.answer("1", reply("\t".join(names) + "\n" + "\t".join([*row[:2], *["other value"] * 5])))
    return made


def test_wide_tables_and_long_cells_stay_within_80_columns(tmp_path: Path, capsys: Capture) -> None:
    shown = explained(wide_and_long(tmp_path / "run"), capsys, "--question", "1")
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) < 80
    assert "more signs)" in "".join(line.strip("│ ").replace("│", "") for line in shown.splitlines())


def test_nothing_a_cell_holds_reaches_the_terminal_as_a_command(tmp_path: Path, capsys: Capture) -> None:
    made = RunFolder(tmp_path / "run")
    made.ask("1", "set", b"A [red]b[/red]\n")
    made.answer("1", reply("Item\nA\x1b[31m\ud800\u202e\n[bold]x[/nope]"))
    shown = explained(made, capsys, "--question", "1")
    assert "\x1b" not in shown
    for said in (r"A\x1b[31m\ud800\u202e", "[bold]x[/nope]", "A [red]b[/red]"):
        assert said in shown


def told(made: RunFolder, question_id: str) -> Explanation:
    (row,) = (row for row in read_questions(made.questions.read_bytes()) if row.question_id == question_id)
    return explain(row, open_files(made.answers, made.predictions))


def test_terminal_shows_colours(made: RunFolder) -> None:
    terminal = io.StringIO()
    console = Console(file=terminal, force_terminal=True, color_system="standard", width=80, markup=False)
    print_explanation(told(made, "cities"), console=console)
    shown = terminal.getvalue()
    for status, colour in {
        "matched": "32",
        "wrong": "1;31",
        "missing": "1;31",
        "extra": "33",
        "misplaced": "36",
    }.items():
        assert f"\x1b[{colour}m{status}" in shown


def test_near_miss_says_why_and_that_it_does_not_count() -> None:
    near = CellDiff(
        status="wrong", column="Item", row=0, found_row=0, expected="Zürich", found="Zurich", near="accents"
    )
    found = Explanation(
        question_id="1", answer_type="set", status="scored", metrics={"global_em": 0.0}, header=("Item",), cells=(near,)
    )
    terminal = io.StringIO()
    console = Console(file=terminal, width=80, markup=False)
    print_explanation(found, console=console)
    shown = terminal.getvalue()
    assert lines_with(shown, "Zürich", "Zurich", "wrong", "near: accents")
    assert lines_with(shown, "near: accents", "accents only; shown, never counted")


def test_very_long_reply_is_compared_in_part_and_says_so(
    made: RunFolder, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.scoring.explain.MOST_ROWS", 5)
    monkeypatch.setattr("verifier.cli.explain_table._MOST_CELLS", 4)
    made.answer("2", reply("Item\n" + "\n".join("CDEFGHAB")))
    shown = explained(made, capsys, "--question", "2")
    assert lines_with(shown, "set_recall", "1.0000")
    assert "3 more cells are not shown; --json FILE holds them" in shown
    assert "3 more rows of the reply count and are not compared cell by cell" in shown


@pytest.mark.parametrize("prediction", [None, 7, "\0", "\ud800", "[" * 100_000, "x" * 1_000_000])
def test_whatever_was_predicted_can_be_explained(made: RunFolder, capsys: Capture, prediction: Any) -> None:
    made.answer("2", prediction)
    shown = explained(made, capsys, "--question", "2")
    assert "global_em                0.0000" in shown


def test_published_figures_are_shown_with_what_they_counted(made: RunFolder, capsys: Capture) -> None:
    shown = explained(made, capsys, "--question", "cities", "--profile", "gisa-compat", "--differences")
    assert shown.startswith("Question cities (table), profile gisa-compat 1\n")
    assert "columns that both sides have: 2 matched, 2 missing" in " ".join(shown.split())
    assert lines_with(shown, "missing", "rome | 2005")
    assert lines_with(shown, "extra", "bonn | 1990")
    assert not lines_with(shown, "matched  │")


def test_published_figures_as_json(made: RunFolder, capsys: Capture) -> None:
    data = json.loads(explained(made, capsys, "--question", "cities", "--profile", "gisa-compat", "--json"))
    assert [one["figures"][-1] for one in data["comparisons"]] == ["table_row_f1", "table_item_f1", "global_em"]


def test_a_question_without_an_answer_says_so_in_the_published_view_too(made: RunFolder, capsys: Capture) -> None:
    assert "No answer, counts 0" in explained(made, capsys, "--question", "2", "--profile", "gisa-compat")
