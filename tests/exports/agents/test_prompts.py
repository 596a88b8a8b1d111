"""Prompts state the day, the budget and the form, and never the answer."""

from __future__ import annotations

from exports.agents.agent import view_of
from exports.agents.prompts import closed_book_prompt, research_prompt
from exports.benchmark.reader import Release
from tests.exports.small_release import DAY


def test_prompt_states_day_budget_and_question(release: Release) -> None:
    prompt = research_prompt(view_of(release.task("4-table"), DAY), 30)
    assert DAY in prompt
    assert "30 tool calls" in prompt
    assert release.task("4-table").question in prompt


def test_prompt_states_the_header(release: Release) -> None:
    assert "Name <tab> Lit <tab> Height" in closed_book_prompt(view_of(release.task("4-table"), DAY))


def test_view_holds_no_gold(release: Release) -> None:
    assert "Outer Ness" not in repr(view_of(release.task("4-table"), DAY))
