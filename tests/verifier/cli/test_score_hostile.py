"""Hostile predictions and truths through the command: each ends as a named entry, and the question beside it counts."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.builders import reply
from tests.verifier.cli.run_folder import RunFolder, a_right_run, metrics

BOTH = ("strict", "gisa-compat")
NESTED = b"[" * 50_000 + b"]" * 50_000


def beside(folder: Path, answer_type: str = "item", truth: bytes | None = b"Paris\n") -> RunFolder:
    """A run with a right question 1 and a question 2 whose files are the test's."""
    made = a_right_run(folder / "run", ["1"])
    made.ask("2", answer_type, truth)
    return made


def ends_of(made: RunFolder) -> tuple[int, dict[str, Any]]:
    """Score; check that question 1 is right all the same and return exit code and the entries of question 2."""
    code, data = made.score("--profile", "all")
    assert [metrics(data, "1", profile)["global_em"] for profile in BOTH] == [1.0, 1.0]
    assert all(set(data["questions"][name]) == set(BOTH) for name in ("1", "2"))
    return code, data["questions"]["2"]


@pytest.mark.parametrize(
    "prediction",
    [
        b'{"prediction": null}',
        b'{"prediction": 42}',
        b'{"prediction": ' + b"9" * 5000 + b"}",
        b'{"prediction": ["Paris"]}',
        b'{"prediction": {"Value": "Paris"}}',
        b'{"prediction": ' + NESTED + b"}",
        b'{"prediction": "Paris", "messages": ' + NESTED + b"}",
        b'{"prediction": "\xff\xfe"}',
        b'{"prediction": "Par',
        b"\x00\x01\x02",
        b"",
        NESTED,
    ],
    ids=lambda data: data[:30].decode("ascii", "replace"),
)
def test_prediction_that_is_no_text_is_the_agents_failure(tmp_path: Path, prediction: bytes) -> None:
    made = beside(tmp_path)
    (made.predictions / "2.json").write_bytes(prediction)
    code, entries = ends_of(made)
    assert code == 0
    for profile in BOTH:
        assert (entries[profile]["status"], entries[profile]["metrics"]["global_em"]) == ("agent_failed", 0.0)
        assert entries[profile]["error"]


@pytest.mark.parametrize(
    "prediction",
    [
        "",
        "\0",
        "\ud800",
        reply("Value\n\ud800Paris\udfff"),
        reply("Value\nLo\0ndon"),
        "/etc/passwd",
        "../answers/1.csv",
        "[" * 100_000,
        "<answer>" * 10_000,
        "```tsv\n" * 10_000,
        "<answer>\n```tsv\nValue\n" + '"' * 10_001,
        "\t" * 10_000,
        reply("Value\n" + "x" * 1_000_000),
        reply("&amp;" * 20_000),
        "\u202e\u200b\ufeff\x1b[31m",
        reply("Value\n" + "9" * 10_000),
        reply("Value\n1e999999999"),
    ],
    ids=map(str, count()),
)
@pytest.mark.parametrize("answer_type", ["item", "table"])
def test_any_text_is_scored(tmp_path: Path, answer_type: str, prediction: str) -> None:
    made = beside(tmp_path, answer_type, b"Name,Year\nA,1\nB,2\n" if answer_type == "table" else b"Paris\n")
    made.answer("2", prediction)
    started = time.monotonic()
    code, entries = ends_of(made)
    assert time.monotonic() - started < 5
    assert code == 0
    for profile in BOTH:
        assert (entries[profile]["status"], entries[profile]["metrics"]["global_em"]) == ("scored", 0.0)


@pytest.mark.parametrize(
    ("ending", "data"), [("txt", b"Par\xff"), ("csv", b"Par\xff\n"), ("csv", b""), ("tsv", b"\xff\xfe\xff")]
)
def test_file_that_is_no_text_is_the_agents_failure(tmp_path: Path, ending: str, data: bytes) -> None:
    made = beside(tmp_path, "set", b"A\n")
    (made.predictions / f"2.{ending}").write_bytes(data)
    code, entries = ends_of(made)
    assert (code, entries["strict"]["status"], entries["strict"]["metrics"]["set_f1"]) == (0, "agent_failed", 0.0)


@pytest.mark.parametrize(
    ("answer_type", "truth", "says"),
    [
        ("set", b"", "truth file empty"),
        ("table", b" \n\n", "truth file empty"),
        ("item", b"\0\0\n", "truth file empty"),
        ("set", None, "truth file missing"),
        ("table", b"Name,Year\nA,1\nB,2,3,4\n", "truth file ragged"),
        ("set", b"Caf\xe9,\n", "truth file undecodable"),
    ],
)
def test_truth_that_cannot_be_used_is_an_error_entry(
    tmp_path: Path, answer_type: str, truth: bytes | None, says: str
) -> None:
    made = beside(tmp_path, answer_type, truth)
    made.answer("2", reply("Item\nA"))
    code, entries = ends_of(made)
    assert code == 3
    assert entries["strict"]["error"].startswith(says)
    assert entries["strict"] | {"error": ""} == {"status": "error", "metrics": {}, "faults": [], "error": ""}


def test_folder_as_truth_is_an_error_entry(tmp_path: Path) -> None:
    made = beside(tmp_path, truth=None)
    (made.answers / "2.csv").mkdir()
    code, entries = ends_of(made)
    assert (code, entries["gisa-compat"]["error"]) == (3, "truth file is a folder")


@pytest.mark.parametrize("question_id", ["../1", "a/../../1", "..", "con\n", "\x1b[2J", "ü" * 100])
def test_odd_id_is_scored_where_its_file_can_be(tmp_path: Path, question_id: str, capsys: Any) -> None:
    made = beside(tmp_path)
    made.questions.write_text(made.questions.read_text().replace('"2"', json.dumps(question_id)))
    code, data = made.score()
    assert (code, data["questions"][question_id]["strict"]["error"]) == (3, "truth file missing")
    assert "\x1b" not in capsys.readouterr().err


def test_lone_halves_of_signs_reach_the_json_as_escapes(tmp_path: Path) -> None:
    made = beside(tmp_path)
    made.questions.write_text(made.questions.read_text().replace('"question": "q"', r'"topic": "\ud800"'))
    made.answer("2", "x")
    _, data = made.score()
    assert list(data["summary"]["strict"]["by_topic"]) == ["\ud800"]


@pytest.mark.parametrize("answer_type", ["list", "set", "table"])
def test_5000_items_take_seconds(tmp_path: Path, answer_type: str) -> None:
    rows = [f"name {number % 4999}" for number in range(5000)]
    made = beside(tmp_path, answer_type, "\n".join(["Item", *rows] if answer_type == "table" else rows).encode())
    made.answer("2", reply("\n".join(["Item", *rows[1:], rows[0]])))
    started = time.monotonic()
    code, entries = ends_of(made)
    assert (code, entries["strict"]["status"]) == (0, "scored")
    assert time.monotonic() - started < 20


SIZE = 100 * 1024**2
HUGE = {
    "fenced.txt": lambda: reply("Name\tYear\n" + "some name\t1999\n" * (SIZE // 15)),
    "no fence.txt": lambda: "some name\t1999\n" * (SIZE // 15),
    "one line.txt": lambda: "x" * SIZE,
    "opened tags.txt": lambda: "<answer>" * (SIZE // 8),
    "quotes.txt": lambda: '"' * SIZE,
    "fenced.json": lambda: json.dumps({"prediction": reply("Name\tYear\n" + "some name\t1999\n" * (SIZE // 17))}),
    "surrogates.json": lambda: '{"prediction": "' + "\\ud800" * (SIZE // 6) + '"}',
    "cells.csv": lambda: "Name,Year\n" + "some name,1999\n" * (SIZE // 15),
}
"""File name -> its 100 MB."""


@pytest.mark.long
@pytest.mark.parametrize("profile", BOTH)
@pytest.mark.parametrize("name", HUGE)
def test_100_mb_take_bounded_time_and_memory(tmp_path: Path, name: str, profile: str) -> None:
    made = beside(tmp_path, "table", b"Name,Year\nA,1\nB,2\n")
    (made.predictions / f"2.{name.partition('.')[2]}").write_text(HUGE[name]())
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))"
    code = f"{limit}; from exports.cli.root import main; main(sys.argv[1:])"
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code, "score", "answers", *made.arguments("--profile", profile, "--json")],
        capture_output=True,
        timeout=600,
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{name}, {profile}: {time.monotonic() - started:.0f} s, peak of all so far {peak:.0f} MB")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["questions"]["2"][profile]["status"] == "scored"
