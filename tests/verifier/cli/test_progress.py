"""The bar of those who wait: nothing is lost, nothing is shown to those who do not wait or do not look."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from verifier.cli.progress import with_bar

Capture = pytest.CaptureFixture[str]


def test_items_come_through_in_order() -> None:
    assert list(with_bar(range(5), 5, "Questions", clock=count().__next__)) == [0, 1, 2, 3, 4]


def test_bar_shows_at_a_terminal_after_a_second(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert list(with_bar("abc", 3, "Questions", clock=count().__next__)) == ["a", "b", "c"]
    shown = capsys.readouterr()
    assert (shown.out, "Questions" in shown.err) == ("", True)


def test_quick_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert list(with_bar("abc", 3, "Questions", clock=lambda: 0.0)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""


def test_pipe_shows_no_bar(capsys: Capture) -> None:
    list(with_bar("abc", 3, "Questions", clock=count().__next__))
    assert capsys.readouterr().err == ""


def test_error_of_the_work_is_the_callers() -> None:
    def broken() -> Iterator[int]:
        yield 1
        yield 2
        yield 3
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(with_bar(broken(), 9, "Questions", clock=count().__next__))
