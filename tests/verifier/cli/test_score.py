"""`trailbench score answers`: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from exports.cli.root import run
from tests.verifier.builders import reply
from tests.verifier.cli.run_folder import RunFolder, a_right_run, metrics
from verifier.cli import score as command

Capture = pytest.CaptureFixture[str]


def test_table_shows_every_figure_at_80_columns(tmp_path: Path, capsys: Capture, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    made = a_right_run(tmp_path / "run", ["1", "2"])
    made.ask("3", "table", b"Name,Year\nA,1\nB,2\n", question_type="live")
    made.answer("3", "Name\tYear\nA\t1\nB\t9")
    made.ask("4", "set", b"", question_type="stable")
    made.answer("4", reply("Item\nA"))
    made.ask("5", "item", b"Paris\n", question_type="stable")
    assert run(["score", "answers", *made.arguments()]) == 3
    shown, error = capsys.readouterr()
    assert max(map(len, shown.splitlines())) <= 80
    for said in (
        "coverage 3/5",
        "│ all       │ 4 │          50.0 │ [",
        "│ item      │ 3 │          66.7 │",
        "row F1 50.0",
        "│ live      │ 1 │           0.0 │            – │",
        "INCOMPLETE: 1 question could not be scored; with them exact match lies between",
        "no_answer_tag",
        "the reply has no <answer> tags",
        "Not scored, question 4: truth file empty",
        "No answer, counts 0, question 5: no prediction; expected is ID.json, ID.txt,",
    ):
        assert said in shown
    assert error == (
        "Error: 1 of 5 questions could not be scored (question 4: truth file empty); "
        f"mend that in {made.answers} or {made.questions} and give the same command again\n"
    )


def test_right_run_ends_with_0_and_says_nothing_more(tmp_path: Path, capsys: Capture) -> None:
    assert run(["score", "answers", *a_right_run(tmp_path / "run").arguments()]) == 0
    shown, error = capsys.readouterr()
    assert (error, "100.0" in shown, "INCOMPLETE" in shown, "\x1b" in shown) == ("", True, False, False)


def test_json_goes_to_standard_output_or_a_file(tmp_path: Path, capsys: Capture) -> None:
    made = a_right_run(tmp_path / "run")
    assert run(["score", "answers", *made.arguments("--json")]) == 0
    printed = capsys.readouterr().out
    _, written = made.score()
    assert json.loads(printed) == written
    assert capsys.readouterr().out == ""
    assert written["profiles"].keys() == written["summary"].keys() == {"strict"}


def test_profiles_are_chosen(tmp_path: Path) -> None:
    made = a_right_run(tmp_path / "run")
    for profile, names in (("gisa-compat", {"gisa-compat"}), ("all", {"strict", "gisa-compat"})):
        assert made.score("--profile", profile)[1]["questions"]["1"].keys() == names


def test_files_of_people_are_read_as_cells(tmp_path: Path) -> None:
    made = RunFolder(tmp_path / "run")
    for name, content in {
        "a.csv": b"Name,Year\nA,1\n",
        "b.tsv": b"Name\tYear\nA\t1\n",
        "c.txt": b"Name\tYear\nA\t1",
    }.items():
        made.ask(name[0], "table", b"Name,Year\nA,1\n")
        (made.predictions / name).write_bytes(content)
    _, data = made.score("--profile", "all")
    for profile in ("strict", "gisa-compat"):
        assert [metrics(data, name, profile)["global_em"] for name in "abc"] == [1.0, 1.0, 1.0]


def test_notes_say_which_files_were_left_out(tmp_path: Path, capsys: Capture) -> None:
    made = a_right_run(tmp_path / "run")
    (made.predictions / "1.csv").write_text("Lyon\n")
    made.answer("7", "Paris")
    (made.predictions / "_final_scores.json").write_text("{}")
    _, data = made.score()
    assert data["warnings"] == [
        "prediction files of no question, left out: 1 (7.json)",
        "questions with several prediction files: 1 (1.json counts, not 1.csv)",
    ]
    assert capsys.readouterr().err == "".join(f"Note: {warning}\n" for warning in data["warnings"])
    assert metrics(data, "1")["global_em"] == 1.0


def test_notes_name_files_that_nobody_reads(tmp_path: Path) -> None:
    made = a_right_run(tmp_path / "run")
    (made.predictions / "1.md").write_text("Paris\n")
    (made.predictions / "README.md").write_text("about this run\n")
    (made.answers / "99.csv").write_text("Lyon\n")
    assert made.score()[1]["warnings"] == [
        "prediction files of another kind, left out: 1 (1.md); expected endings are .json, .txt, .tsv, .csv",
        "right answers of no question, left out: 1 (99.csv)",
    ]


def test_notes_name_right_answers_that_break_their_own_format(tmp_path: Path, capsys: Capture) -> None:
    made = RunFolder(tmp_path / "run")
    made.ask("7", "table", b"Name,Year\nA,2\nB,1\n", schema={"sort": ["Year"]})
    made.answer("7", "Name\tYear\nA\t2\nB\t1")
    code, data = made.score("--profile", "all")
    note = "the truth is not sorted by Year (ascending, casefold), as its question says; so its own order counts"
    assert (code, data["warnings"]) == (0, [f"truth of question 7: {note}"])
    assert data["questions"]["7"]["strict"]["notes"] == [note]
    assert "notes" not in data["questions"]["7"]["gisa-compat"]
    assert run(["score", "explain", "--question", "7", *made.arguments()]) == 0
    assert "Note on the right answer: the truth is not sorted" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["answers"], ["explain", "--question", "1"]])
@pytest.mark.parametrize("target", ["questions.jsonl", "answers/1.csv", "predictions/1.json"])
def test_no_file_of_the_run_is_overwritten(tmp_path: Path, capsys: Capture, command: list[str], target: str) -> None:
    made = a_right_run(tmp_path / "run")
    file = tmp_path / "run" / target
    before = file.read_bytes()
    assert run(["score", *command, *made.arguments("--json", str(file))]) == 2
    assert "it would be lost. Name another file for --json" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_reply_in_a_file_of_cells_is_read_as_a_reply(tmp_path: Path) -> None:
    made = RunFolder(tmp_path / "run")
    made.ask("1", "item", b"Paris\n")
    (made.predictions / "1.tsv").write_text("<answer>\n```tsv\nValue\nParis\n```\n</answer>\n")
    assert metrics(made.score()[1], "1")["global_em"] == 1.0


def test_the_order_of_an_item_is_nobodys_concern(tmp_path: Path) -> None:
    made = RunFolder(tmp_path / "run")
    made.ask("1", "item", b"Paris\n", schema={"sort": ["Year"]})
    made.answer("1", "Paris")
    code, data = made.score()
    assert (code, metrics(data, "1")["global_em"]) == (0, 1.0)


def test_what_was_expected_is_said_beside_what_was_found(tmp_path: Path, capsys: Capture, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    made = RunFolder(tmp_path / "run")
    made.ask("1", "matrix", b"A\n")
    made.ask("2", "item", None)
    made.ask("3", "item", "Zürich\n".encode(), truth_encoding="utf-8")
    (made.predictions / "3.csv").write_bytes("Zürich\n".encode("latin-1"))
    assert run(["score", "answers", *made.arguments()]) == 3
    shown = capsys.readouterr().out
    for said in (
        "question 1: unknown answer_type matrix; expected one of item, set, list, table",
        "question 2: truth file missing; expected is ID.csv in the folder of --answers",
        "question 3: prediction file unreadable: found byte 0xfc in line 1, expected UTF-8; save it as UTF-8",
    ):
        assert said in shown


def missing_questions(made: RunFolder) -> None:
    made.questions.unlink()


def folder_for_questions(made: RunFolder) -> None:
    made.questions.unlink()
    made.questions.mkdir()


def no_questions(made: RunFolder) -> None:
    made.questions.write_text("")


def csv_questions(made: RunFolder) -> None:
    made.questions.write_text("id,answer_type\n1,item\n")


def double_question(made: RunFolder) -> None:
    made.ask("1", "item", b"Paris\n")


def missing_answers(made: RunFolder) -> None:
    made.answers.rename(made.folder / "elsewhere")


def missing_predictions(made: RunFolder) -> None:
    made.predictions.rename(made.folder / "elsewhere")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (missing_questions, "questions.jsonl: No such file or directory; --questions wants a file"),
        (folder_for_questions, "questions.jsonl: Is a directory"),
        (no_questions, "questions.jsonl, there is no question"),
        (csv_questions, "questions.jsonl, line 1: no JSON"),
        (double_question, "questions.jsonl, line 3: the id '1' stands in line 1 already"),
        (missing_answers, "cannot read the folder"),
        (missing_predictions, "cannot read the folder"),
    ],
)
def test_wrong_input_is_one_sentence_and_exit_2(
    tmp_path: Path, capsys: Capture, damage: Callable[[RunFolder], None], says: str
) -> None:
    made = a_right_run(tmp_path / "run")
    damage(made)
    assert run(["score", "answers", *made.arguments()]) == 2
    shown, error = capsys.readouterr()
    assert (shown, error.count("\n"), says in error) == ("", 1, True)


def test_json_place_is_checked_before_anything_is_scored(tmp_path: Path, capsys: Capture, monkeypatch: Any) -> None:
    made = a_right_run(tmp_path / "run")
    monkeypatch.setattr(command, "score_run", None)
    assert run(["score", "answers", *made.arguments("--json", str(tmp_path / "nowhere" / "a.json"))]) == 2
    assert "a.json: there is no folder" in capsys.readouterr().err


def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path, monkeypatch: Any) -> None:
    def stopped(*_: object) -> Any:
        yield from ()
        raise KeyboardInterrupt

    made = a_right_run(tmp_path / "run")
    before = sorted(made.folder.iterdir())
    monkeypatch.setattr(command, "score_run", stopped)
    assert run(["score", "answers", *made.arguments("--json", str(made.folder / "a.json"))]) == 130
    assert sorted(made.folder.iterdir()) == before


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """250 questions of every type, some broken, whose files were written in a random order."""
    made = RunFolder(tmp_path_factory.mktemp("mixed") / "run")
    draw = random.Random(7)
    kinds = ["item", "set", "List", "table", "rank"]
    for number in draw.sample(range(250), 250):
        words = [f"w{draw.randrange(9)}" for _ in range(3)]
        truth = "Name,Year\n" + "".join(f"{word},{number}\n" for word in words) if number % 5 == 3 else "\n".join(words)
        made.ask(number, kinds[number % 5], truth.encode() if number % 50 else b"", topic=f"topic {number % 4}")
        found = "\n".join(f"{word}\t{number}" for word in draw.sample(words, 3)) if number % 5 == 3 else words[0]
        made.answer(
            number, reply(f"Name\tYear\n{found}" if number % 5 == 3 else f"Item\n{found}") if number % 7 else None
        )
    return made


def test_workers_give_the_same_bytes(mixed: RunFolder) -> None:
    mixed.score("--profile", "all", "--workers", "1")
    alone = (mixed.folder / "scores.json").read_bytes()
    mixed.score("--profile", "all", "--workers", "2")
    assert (mixed.folder / "scores.json").read_bytes() == alone
    assert multiprocessing.active_children() == []


def test_json_is_the_same_whatever_the_hash_seed_and_the_order_of_files(mixed: RunFolder, tmp_path: Path) -> None:
    other = RunFolder(tmp_path / "run")
    lines = mixed.questions.read_text(encoding="utf-8").splitlines(keepends=True)
    other.questions.write_text("".join(sorted(lines)), encoding="utf-8")
    for old, new in ((mixed.answers, other.answers), (mixed.predictions, other.predictions)):
        for path in sorted(old.iterdir(), reverse=True):
            (new / path.name).write_bytes(path.read_bytes())
    printed = [
        subprocess.run(
            [sys.executable, "-m", "exports", "score", "answers", *made.arguments("--profile", "all", "--json")],
            capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for made, seed in ((mixed, "0"), (other, "1"))
    ]  # fmt: skip
    assert printed[0] == printed[1]
    assert len(json.loads(printed[0])["questions"]) == 250


def test_interrupted_workers_are_ended() -> None:
    with suppress(KeyboardInterrupt), command.processes(2) as executor:
        assert executor.submit(abs, -1).result() == 1
        assert len(multiprocessing.active_children()) > 0
        raise KeyboardInterrupt
    deadline = time.monotonic() + 60  # a busy machine takes its time to bury them
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert multiprocessing.active_children() == []


def test_killed_worker_is_one_sentence(tmp_path: Path, capsys: Capture, monkeypatch: Any) -> None:
    def killed(rows: Any, files: Any, profiles: Any, executor: Any) -> Any:
        yield executor.submit(os._exit, 9).result()

    monkeypatch.setattr(command, "score_run", killed)
    made = a_right_run(tmp_path / "run")
    assert run(["score", "answers", *made.arguments("--workers", "2")]) == 3
    assert "give the command again with --workers 1" in capsys.readouterr().err


def test_loading_the_command_is_quick_and_needs_no_table_library() -> None:
    heavy = {"pandas", "numpy", "rich", "flask", "openai", "rapidfuzz"}
    code = f"import sys, verifier.cli.score; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
