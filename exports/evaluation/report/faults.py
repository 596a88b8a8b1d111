"""What went wrong with replies and attempts, named and counted by agent."""

from __future__ import annotations

from collections import Counter

from exports.evaluation.report.markup import Html, el
from exports.evaluation.report.view import ReportView
from verifier.answers.parsing import FAULTS

STOPS = {
    "answer": "handed in an answer",
    "no_answer": "handed in nothing",
    "time": "was too slow",
    "error": "broke",
    "max_calls": "ran out of tool calls",
}


def stop_words(stop_reason: str) -> str:
    """Return in words how an attempt ended.

    >>> stop_words("time"), stop_words("max_turns")
    ('was too slow', 'max_turns')
    """
    return STOPS.get(stop_reason, stop_reason)


def faults(view: ReportView) -> Html:
    """Return two lists: how attempts ended, and what was wrong with the form of replies."""
    agents = view.agents()
    forms = [
        (agent.agent, fault, times)
        for agent in agents
        for fault, times in sorted(agent.faults.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    endings = Counter((label, one.attempt.stop_reason) for label in _names(view) for one in view.attempts_of(label))
    return el(
        "section",
        el("h2", "What went wrong"),
        el(
            "div",
            _list(
                "How attempts ended",
                [(name, stop_words(stop), times) for (name, stop), times in sorted(endings.items())],
                "No attempt was made.",
            ),
            _list(
                "Form of the replies",
                [(name, f"{fault}: {FAULTS.get(fault, fault)}", times) for name, fault, times in forms],
                "Every reply had the asked form.",
            ),
            _list("Infrastructure", _broken(view), "Nothing failed."),
            class_="columns",
        ),
    )


def _names(view: ReportView) -> list[str]:
    return [agent.agent for agent in view.agents()]


def _broken(view: ReportView) -> list[tuple[str, str, int]]:
    counted = Counter(
        (name, one.attempt.error[:200])
        for name in _names(view)
        for one in view.attempts_of(name)
        if one.attempt.outcome == "infrastructure_failure"
    )
    return [(name, error, times) for (name, error), times in sorted(counted.items())]


def _list(title: str, rows: list[tuple[str, str, int]], none: str) -> Html:
    if not rows:
        return el("div", el("h3", title), el("p", none, class_="note"))
    items = [
        el("li", el("b", str(times)), " × ", el("span", name, class_="who"), f" {what}") for name, what, times in rows
    ]
    return el("div", el("h3", title), el("ul", items, class_="plain"))
