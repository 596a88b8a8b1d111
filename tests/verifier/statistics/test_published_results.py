"""The published leaderboard comes out of counts of right answers: its overall figure is a mean over questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import pytest

from verifier.statistics.breakdown import ScoredQuestion, summarise

TYPES = ("item", "set", "list", "table")
SIZES = {"item": 22, "set": 50, "list": 48, "table": 253}

# System, exact match of items, sets, lists and tables, overall exact match, in percent: GISA's table 3 (spec/gisa.md
# 4.1). Every figure is rounded to 0.01, so a column lies within 0.005 of a count of right answers. The overall column
# does not always: some rows look like a mean of the four rounded columns (16.36 for 61 of 373, which is 16.354) or cut
# off (14.47 for 54 of 373, which is 14.477). All lie within 0.01.
PUBLISHED = [
    ("Qwen3-235B-A22B thinking", (40.91, 18.00, 14.58, 4.35), 9.65),
    ("Claude 4.5 Sonnet non-thinking", (59.09, 26.00, 22.92, 9.49), 16.36),
    ("Claude 4.5 Sonnet thinking", (63.64, 28.00, 22.92, 13.04), 19.30),
    ("Gemini 3 Pro low", (45.45, 28.00, 27.08, 7.11), 14.74),
    ("Gemini 3 Pro high", (50.00, 22.00, 27.08, 8.70), 15.28),
    ("GPT-5.2 thinking", (63.64, 26.00, 16.67, 9.49), 15.82),
    ("DeepSeek-V3.2 non-thinking", (22.73, 20.00, 22.92, 6.72), 11.53),
    ("DeepSeek-V3.2 thinking", (63.64, 28.00, 20.83, 6.32), 14.47),
    ("GLM-4.7 thinking", (50.00, 22.00, 20.83, 8.30), 14.21),
    ("Seed-1.8 thinking", (45.45, 32.00, 16.67, 6.32), 13.40),
    ("Qwen3-Max thinking", (59.09, 30.00, 25.00, 10.67), 17.96),
    ("Kimi K2.5 thinking", (68.18, 28.00, 18.75, 7.91), 15.55),
    ("GPT-4o Search Preview", (13.64, 4.00, 8.33, 4.74), 5.63),
    ("OpenAI o4-mini Deep Research", (18.18, 14.00, 18.75, 3.56), 7.78),
    ("Perplexity Sonar Pro Search", (22.73, 20.00, 6.25, 3.95), 7.51),
    ("Google Search AI Mode", (31.82, 20.00, 8.33, 5.53), 9.38),
]

# System, exact match of stable and live questions by type, then overall (spec/gisa.md 4.2, by its own counts).
STABLE_AND_LIVE = [
    ("Claude 4.5 Sonnet thinking", (75.00, 30.30, 23.33, 12.16), (50.00, 23.53, 22.22, 14.29), 19.73, 18.67),
    ("Kimi K2.5 thinking", (83.33, 30.30, 20.00, 10.14), (50.00, 23.53, 16.67, 4.76), 18.39, 11.33),
]
STABLE = {"item": 12, "set": 33, "list": 30, "table": 148}
LIVE = {"item": 10, "set": 17, "list": 18, "table": 105}


def right_answers(percent: float, questions: int) -> int:
    """Return the one count of right answers that gives a percentage which is rounded to 0.01."""
    fitting = [right for right in range(questions + 1) if abs(100 * right / questions - percent) <= 0.005]
    assert len(fitting) == 1
    return fitting[0]


def questions(percents: Sequence[float], sizes: Mapping[str, int], temporal: str = "") -> list[ScoredQuestion]:
    """Return as many scored questions of each type as there were, with as many of them right."""
    numbers = count(1)
    return [
        ScoredQuestion(
            question_id=f"{temporal}{next(numbers)}",
            answer_type=kind,
            status="scored",
            metrics={"global_em": float(place < right_answers(percent, sizes[kind]))},
            temporal=temporal,
        )
        for kind, percent in zip(TYPES, percents, strict=True)
        for place in range(sizes[kind])
    ]


@pytest.mark.parametrize(("percents", "overall"), [row[1:] for row in PUBLISHED], ids=[row[0] for row in PUBLISHED])
def test_counts_of_right_answers_give_the_published_overall_figure(percents: Sequence[float], overall: float) -> None:
    summary = summarise(questions(percents, SIZES))
    assert 100 * summary["overall_global_em"] == pytest.approx(overall, abs=0.01)


@pytest.mark.parametrize("percents", [row[1] for row in PUBLISHED], ids=[row[0] for row in PUBLISHED])
def test_counts_of_right_answers_give_the_published_figure_of_each_type(percents: Sequence[float]) -> None:
    summary = summarise(questions(percents, SIZES))
    # Four decimals of a share are two of a percentage: the published digits themselves.
    assert [100 * summary[kind]["overall_global_em"] for kind in TYPES] == pytest.approx(percents, abs=1e-9)
    assert {kind: summary[kind]["num_samples"] for kind in TYPES} == summary["types"] == SIZES


@pytest.mark.parametrize(
    ("stable", "live", "overall_stable", "overall_live"),
    [row[1:] for row in STABLE_AND_LIVE],
    ids=[row[0] for row in STABLE_AND_LIVE],
)
def test_stable_and_live_questions_give_their_published_figures(
    stable: Sequence[float], live: Sequence[float], overall_stable: float, overall_live: float
) -> None:
    parts = summarise(questions(stable, STABLE, "stable") + questions(live, LIVE, "live"))["by_question_type"]
    assert 100 * parts["stable"]["overall_global_em"] == pytest.approx(overall_stable, abs=0.01)
    assert 100 * parts["live"]["overall_global_em"] == pytest.approx(overall_live, abs=0.01)


def test_the_interval_at_the_best_published_figure_is_four_points_either_way() -> None:
    interval = summarise(questions(PUBLISHED[2][1], SIZES))["interval"]
    # spec/evaluation.md 1: a standard error of 2.0 points at 19.3 % of 373.
    assert interval["high"] - interval["mean"] == pytest.approx(0.040, abs=0.0005)
