"""A project can ask that nothing leaves a searcher's machine before it was looked at; the recorder is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator_server.config import create_home, load_settings
from annotator_server.errors import SetupError
from browser_capture.policy import read_task


def setting(home: Path, value: str) -> bool:
    create_home(home)
    (home / "config.toml").write_text(f"[capture]\ninspect_first = {value}\n")
    return load_settings(home).inspect_first


@pytest.mark.parametrize(("value", "asks"), [("true", True), ("false", False)])
def test_the_setting_is_read(tmp_path: Path, value: str, asks: bool) -> None:
    assert setting(tmp_path, value) is asks


def test_a_word_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="inspect_first must be true or false, found 'yes'"):
        setting(tmp_path, '"yes"')


@pytest.mark.parametrize(
    ("policy", "asks"), [({"inspect_first": True}, True), ({"inspect_first": "no"}, False), ({}, False)]
)
def test_the_recorder_reads_it(policy: dict[str, object], asks: bool) -> None:
    assert read_task({"task_id": "t1", "policy": policy}).policy.inspect_first is asks
