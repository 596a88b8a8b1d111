"""`trailbench demo` where it cannot begin: one sentence, the right exit code, and nothing of an earlier demo lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser_capture import chromium
from exports.cli.root import run
from exports.demo import real_docs
from exports.demo.folder import prepare_folder


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the demo, see that it is the user's to mend, and return the one sentence it said."""
    assert run(["demo", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.mark.browser
def test_folder_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    assert "no trailbench demo" in refused(capsys, "--folder", str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_missing_browser_leaves_an_earlier_demo_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = prepare_folder(tmp_path / "demo")
    earlier.report.parent.mkdir()
    earlier.report.write_text("an earlier report")
    monkeypatch.setenv(chromium.VARIABLE, str(tmp_path / "nothing"))
    assert "nothing" in refused(capsys, "--folder", str(earlier.root))
    assert earlier.report.read_text() == "an earlier report"


@pytest.mark.browser
def test_missing_documents_leave_an_earlier_demo_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = prepare_folder(tmp_path / "demo")
    monkeypatch.setenv(real_docs.VARIABLE, str(tmp_path / "nothing"))
    assert "does not hold the documents" in refused(capsys, "--web", "real-docs", "--folder", str(earlier.root))
    assert earlier.logs.is_dir()


def test_unknown_web_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--web", "moon"]) == 2
    assert "'moon' is not one of 'own', 'real-docs'" in capsys.readouterr().err
