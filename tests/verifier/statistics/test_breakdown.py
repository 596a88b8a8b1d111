"""A run's summary: what counts where, in which order, and with which digits."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from verifier.statistics.breakdown import ScoredQuestion, Status, summarise


def row(question_id: str, em: float | None = 1.0, status: Status = "scored", **more: Any) -> ScoredQuestion:
    """A question of type item; `em=None` leaves the metrics out."""
    metrics = {} if em is None else {"item_em": em, "global_em": em}
    return ScoredQuestion(
        **{"question_id": question_id, "answer_type": "item", "status": status, "metrics": metrics, **more}
    )


MIXED = [
    row("10", 1.0, temporal="live", topic="Art"),
    row("9", 0.0, temporal="stable", topic="Art", faults=("no_fence",)),
    row("a", None, "agent_failed", temporal="live", error="prediction is null", faults=("no_fence", "no_answer")),
    row("2", None, "error", temporal="live", topic="Music", error="truth file empty"),
]


def test_the_mean_is_over_scored_and_failed_questions_and_not_rounded() -> None:
    assert summarise(MIXED)["overall_global_em"] == 1 / 3


def test_a_group_has_the_published_keys_and_four_decimals() -> None:
    assert summarise(MIXED)["item"] == {"num_samples": 3, "overall_item_em": 0.3333, "overall_global_em": 0.3333}


def test_the_bounds_take_questions_in_error_as_wrong_and_as_right() -> None:
    assert summarise(MIXED)["bounds"] == [0.25, 0.5]


def test_coverage_and_outcomes_name_every_question() -> None:
    summary = summarise(MIXED)
    assert summary["coverage"] == "2/4"
    assert summary["outcomes"] == {"scored": 2, "agent_failed": 1, "error": 1}


def test_errors_and_faults_are_listed_by_id_and_name() -> None:
    summary = summarise(MIXED)
    assert summary["errors"] == ["2: truth file empty", "a: prediction is null"]
    assert list(summary["faults"].items()) == [("no_answer", 1), ("no_fence", 2)]


def test_stable_and_live_have_their_own_mean_and_interval() -> None:
    parts = summarise(MIXED)["by_question_type"]
    assert {name: (part["n"], part["overall_global_em"]) for name, part in parts.items()} == {
        "live": (2, 0.5),
        "stable": (1, 0.0),
    }
    assert parts["live"]["interval"]["n"] == 2


def test_a_topic_of_errors_alone_says_nothing() -> None:
    assert summarise(MIXED)["by_topic"]["Music"] == {
        "n": 0,
        "overall_global_em": None,
        "interval": {"mean": None, "low": None, "high": None, "n": 0},
    }


def test_types_stand_in_the_house_order_and_are_compared_without_case() -> None:
    kinds = ["table", "Item", "rank", "list", "item", "SET"]
    summary = summarise([row(str(place), answer_type=kind) for place, kind in enumerate(kinds)])
    assert list(summary["types"].items()) == [("item", 2), ("set", 1), ("list", 1), ("table", 1), ("rank", 1)]


def test_a_type_of_errors_alone_has_no_means() -> None:
    assert summarise([row("1", None, "error", answer_type="rank")])["rank"] == {"num_samples": 0}


def test_a_failed_question_counts_zero_in_every_figure_of_its_type() -> None:
    rows = [row("1", metrics={"set_f1": 1.0, "global_em": 1.0}), row("2", None, "agent_failed")]
    assert summarise(rows)["item"] == {"num_samples": 2, "overall_set_f1": 0.5, "overall_global_em": 0.5}


def test_an_answer_type_cannot_take_the_name_of_a_fixed_member() -> None:
    assert summarise([row("1", answer_type="coverage")])["coverage"] == "1/1"


def test_a_question_shows_a_fault_once() -> None:
    assert summarise([row("1", faults=("ragged_row", "ragged_row"))])["faults"] == {"ragged_row": 1}


def test_questions_that_state_no_topic_are_in_no_part() -> None:
    summary = summarise([row("1"), row("2", topic="Art", temporal="live")])
    assert (list(summary["by_topic"]), list(summary["by_question_type"])) == (["Art"], ["live"])


def test_no_question_gives_no_mean() -> None:
    summary = summarise([])
    assert (summary["overall_global_em"], summary["bounds"], summary["coverage"]) == (None, [0.0, 1.0], "0/0")


def test_two_rows_of_one_question_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="several of 7"):
        summarise([row("7"), row("7"), row("8")])


def test_the_order_of_rows_changes_no_byte() -> None:
    draw = random.Random(1)
    rows = [row(str(i), round(draw.random(), 4), topic=f"T{i % 7}", faults=(f"f{i % 3}",)) for i in range(373)]
    once = json.dumps(summarise(rows))
    for _ in range(20):
        draw.shuffle(rows)
        assert json.dumps(summarise(rows)) == once
