"""Prompts state the day and the form, and never the answer."""

from __future__ import annotations

from exports.agents.agent import view_of
from exports.agents.prompts import closed_book_prompt
from exports.benchmark.reader import Release
from tests.exports.small_release import DAY


def test_prompt_states_day_and_question(release: Release) -> None:
    prompt = closed_book_prompt(view_of(release.task("4-table"), DAY))
    assert DAY in prompt
    assert release.task("4-table").question in prompt


def test_prompt_states_the_header(release: Release) -> None:
    assert "Name <tab> Lit <tab> Height" in closed_book_prompt(view_of(release.task("4-table"), DAY))


def test_view_holds_no_gold(release: Release) -> None:
    assert "Outer Ness" not in repr(view_of(release.task("4-table"), DAY))
