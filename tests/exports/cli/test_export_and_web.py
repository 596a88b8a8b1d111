"""`trailbench export verify` and `trailbench web` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.cli.root import run
from tests.exports.small_release import LIGHTS, MISAKI


def test_sound_release_is_said_to_be_sound(release_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "verify", str(release_folder)]) == 0
    assert "is sound" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["tasks.jsonl", "pages.jsonl", "README.md"])
def test_changed_file_is_named_with_exit_4(release_folder: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (release_folder / name).write_text("other")
    assert run(["export", "verify", str(release_folder)]) == 4
    assert f"Damaged: {name} was changed" in capsys.readouterr().out


def test_damage_comes_as_json_too(release_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (release_folder / "tasks.jsonl").unlink()
    (release_folder / "notes.txt").write_text("mine")
    assert run(["export", "verify", str(release_folder), "--json"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert (found["sound"], found["damage"], found["strangers"]) == (False, ["tasks.jsonl is missing"], ["notes.txt"])


def test_folder_that_is_no_release_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "verify", str(tmp_path)]) == 2
    assert "is no release" in capsys.readouterr().err


def test_manifest_that_cannot_be_read_is_exit_2_with_the_next_step(
    release_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release_folder / "manifest.json").write_text('{"a')
    assert run(["export", "verify", str(release_folder)]) == 2
    assert "Fetch or export it again" in capsys.readouterr().err


def test_search_says_how_it_matched(release_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "search", str(release_folder), "灯台の年表"]) == 0
    shown = capsys.readouterr().out
    assert "Matched: ranked" in shown
    assert MISAKI in shown


def test_fetch_prints_the_page(release_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "fetch", str(release_folder), LIGHTS]) == 0
    assert "Outer Ness\t1811\t24 m" in capsys.readouterr().out


def test_page_that_was_not_recorded_is_exit_2(release_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "fetch", str(release_folder), "https://nowhere.example/"]) == 2
    assert "was not recorded" in capsys.readouterr().err
    assert run(["web", "fetch", str(release_folder), "https://nowhere.example/", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["matched"] == "missing"


@pytest.mark.parametrize("words", [["search", "lights"], ["fetch", MISAKI]])
def test_day_that_is_none_is_refused(
    release_folder: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(["web", words[0], str(release_folder), words[1], "--as-of", "yesterday"]) == 2
    assert "'yesterday' does not match the format '%Y-%m-%d'" in capsys.readouterr().err


def test_json_goes_into_a_file(release_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    assert run(["web", "search", str(release_folder), "coast lights list", "--json", str(out)]) == 0
    assert json.loads(out.read_text())["matched"] == "exact"


def test_json_that_cannot_be_written_is_exit_2(release_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "search", str(release_folder), "x", "--json", str(release_folder)]) == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize(
    "group", [["export", "release"], ["export", "verify"], ["web", "search"], ["web", "fetch"], ["eval", "run"]]
)
def test_help_ends_with_an_example(capsys: pytest.CaptureFixture[str], group: list[str]) -> None:
    assert run([*group, "--help"]) == 0
    assert f"Example: trailbench {' '.join(group)}" in capsys.readouterr().out
