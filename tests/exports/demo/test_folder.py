"""The demo's folder: an earlier demo is replaced, anything else is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser_capture.errors import UserError
from exports.demo.folder import prepare_folder


def test_earlier_demo_is_replaced(tmp_path: Path) -> None:
    first = prepare_folder(tmp_path / "demo")
    (first.root / "old.txt").write_text("old")
    second = prepare_folder(tmp_path / "demo")
    assert sorted(path.name for path in second.root.iterdir()) == [".trailbench-demo", "logs"]


def test_empty_folder_is_taken(tmp_path: Path) -> None:
    assert prepare_folder(tmp_path).logs.is_dir()


def test_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="no trailbench demo"):
        prepare_folder(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("a file")
    with pytest.raises(UserError, match="Name another one with --folder"):
        prepare_folder(tmp_path / "demo")


def test_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be made"):
        prepare_folder(tmp_path / "file" / "demo")
