"""`--json FILE`: a file that is there whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO

import pytest

from browser_capture.cli.json_output import write_json
from browser_capture.errors import UserError


def test_file_is_written_with_nothing_beside_it(tmp_path: Path) -> None:
    write_json(str(tmp_path / "a.json"), {"b": 1, "a": "é"})
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_interrupted_writing_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: object, file: IO[str], **__: object) -> None:
        file.write("half")
        raise KeyboardInterrupt

    (tmp_path / "a.json").write_text("before")
    monkeypatch.setattr(json, "dump", stop)
    with pytest.raises(KeyboardInterrupt):
        write_json(str(tmp_path / "a.json"), {})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.json": "before"}


def test_link_keeps_leading_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "a.json")
    write_json(str(tmp_path / "link.json"), [])
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "a.json").read_text() == "[]\n"


def test_device_is_written_to_in_its_place() -> None:
    write_json("/dev/null", [])
    assert Path("/dev/null").is_char_device()


def test_half_a_sign_is_written_as_its_escape(tmp_path: Path) -> None:
    write_json(str(tmp_path / "a.json"), "x\ud800")
    assert json.loads((tmp_path / "a.json").read_bytes()) == "x\ud800"


@pytest.mark.parametrize("name", ["nowhere/a.json", "."])
def test_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=f"cannot write .*{name}"):
        write_json(str(tmp_path / name), {})
