"""Attempts survive on disk whatever happens to the writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser_capture.errors import RecordError
from verifier.attempts.attempt import Attempt, AttemptKey, Outcome
from verifier.attempts.store import AttemptStore


def attempt(name: str, outcome: Outcome = "scored", reply: str = "x") -> Attempt:
    key = AttemptKey(task_id=name, task_version=1, agent="silent")
    return Attempt(
        attempt_id=name, run_id="r", key=key, started_at="2026-01-01T00:00:00Z", ended_at="2026-01-01T00:00:01Z",
        as_of="2026-01-01", outcome=outcome, stop_reason="answer", reply=reply,
    )  # fmt: skip


def test_what_was_appended_comes_back_in_order(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path / "run")
    store.append(attempt("b"))
    store.append(attempt("a"))
    assert AttemptStore(tmp_path / "run").attempts() == (attempt("b"), attempt("a"))


def test_an_empty_or_missing_folder_holds_nothing(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path / "nowhere")
    assert (store.attempts(), store.done_ids()) == ((), frozenset())


def test_a_torn_last_line_is_left_out_and_the_next_writer_is_not_harmed(tmp_path: Path) -> None:
    first = AttemptStore(tmp_path)
    first.append(attempt("a"))
    (segment,) = tmp_path.glob("segment-*.jsonl")
    segment.write_bytes(segment.read_bytes() + b'{"attempt_id": "torn')
    second = AttemptStore(tmp_path)
    second.append(attempt("b"))
    assert [one.attempt_id for one in second.attempts()] == ["a", "b"]


@pytest.mark.parametrize("line", [b"{broken}\n", b"[]\n", b'{"attempt_id": "a"}\n'])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    store = AttemptStore(tmp_path)
    store.append(attempt("a"))
    (segment,) = tmp_path.glob("segment-*.jsonl")
    segment.write_bytes(segment.read_bytes() + line)
    with pytest.raises(RecordError, match=r"segment-000001\.jsonl, line 2"):
        store.attempts()


def test_a_repeated_attempt_takes_the_place_of_the_failed_one(tmp_path: Path) -> None:
    store = AttemptStore(tmp_path)
    store.append(attempt("a", "infrastructure_failure"))
    assert store.done_ids() == frozenset()
    store.append(attempt("a", reply="better"))
    assert [one.reply for one in store.attempts()] == ["better"]
    assert store.done_ids() == {"a"}


def test_two_writers_use_two_segments(tmp_path: Path) -> None:
    one, other = AttemptStore(tmp_path), AttemptStore(tmp_path)
    for store, name in ((one, "a"), (other, "b"), (one, "c")):
        store.append(attempt(name))
    assert len(list(tmp_path.glob("segment-*.jsonl"))) == 2
    assert one.done_ids() == {"a", "b", "c"}
