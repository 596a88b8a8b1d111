"""The headline table: each agent's exact match with its interval, how much is right, by type, coverage, calls, time."""

from __future__ import annotations

from datetime import datetime
from statistics import median

from exports.evaluation.report.markup import Child, Html, el
from exports.evaluation.report.plot import bars
from exports.evaluation.report.view import ReportView, interval_text, percent, seconds_text
from exports.evaluation.scores import AgentScores, Figure
from exports.evaluation.scoring import GradedAttempt

TYPES = ("item", "set", "list", "table")


def leaderboard(view: ReportView) -> Html:
    """Return the table and the two plots beneath it."""
    agents = view.agents()
    return el(
        "section",
        el("h2", "Who answers best"),
        el("div", _table(view, agents), class_="scroll", tabindex=0, role="region", aria_label="Table of agents"),
        el(
            "p",
            "Exact match and right cells in percent, means over tasks; in brackets the 95% t-interval of the mean, cut "
            "at 0 and 100. Right cells: items by exact match, sets and lists by the F1 of their elements, tables by "
            "the F1 of cells in aligned rows. By type: exact match. Time: median of an attempt.",
            class_="note",
        ),
        el(
            "div",
            bars("Exact match", [(agent.agent, agent.exact) for agent in agents]),
            bars("Right cells", [(agent.agent, agent.partial) for agent in agents]),
            class_="plots",
        ),
    )


def _table(view: ReportView, agents: list[AgentScores]) -> Html:
    types = [kind for kind in TYPES if any(kind in agent.by_type for agent in agents)]
    head = [el("th", "Agent", scope="col")]
    head += [el("th", name, scope="col", class_="n") for name in ("Exact match", "Right cells")]
    head += [el("th", f"{kind} ({_tasks(agents, kind)})", scope="col", class_="n") for kind in types]
    head += [el("th", name, scope="col", class_="n") for name in ("Coverage", "Calls", "Time", "Cost")]
    rows = [_row(view, agent, types) for agent in agents]
    return el("table", el("thead", el("tr", head)), el("tbody", rows), class_="board")


def _row(view: ReportView, agent: AgentScores, types: list[str]) -> Html:
    attempts = view.attempts_of(agent.agent)
    cells: list[Child] = [
        el("th", agent.agent, scope="row"),
        el("td", el("b", percent(agent.exact.mean)), _interval(agent.exact), class_="n"),
        el("td", percent(agent.partial.mean), _interval(agent.partial), class_="n"),
    ]
    for kind in types:
        scores = agent.by_type.get(kind)
        cells.append(el("td", percent(scores.exact.mean if scores else None), class_="n"))
    done = agent.scored + agent.agent_failed
    cells += [
        el("td", f"{done}/{agent.planned}", class_="n"),
        el("td", "–" if agent.calls is None else f"{agent.calls:.1f}", class_="n"),
        el("td", seconds_text(_median_seconds(attempts)), class_="n"),
        el("td", _cost(attempts), class_="n"),
    ]
    return el("tr", cells)


def _tasks(agents: list[AgentScores], kind: str) -> int:
    return max(agent.by_type[kind].tasks for agent in agents if kind in agent.by_type)


def _interval(figure: Figure) -> Html | None:
    text = interval_text(figure)
    return None if text is None else el("span", f" {text}", class_="interval")


def _median_seconds(attempts: list[GradedAttempt]) -> float | None:
    spans = [
        (datetime.fromisoformat(one.attempt.ended_at) - datetime.fromisoformat(one.attempt.started_at)).total_seconds()
        for one in attempts
    ]
    return median(spans) if spans else None


def _cost(attempts: list[GradedAttempt]) -> str:
    used_a_model = [one for one in attempts if any(call.kind == "model" for call in one.attempt.calls)]
    if not used_a_model:
        return "0"
    known = [float(one.attempt.usd) for one in used_a_model if one.attempt.usd is not None]
    # Unknown is not zero: one attempt without a price leaves the sum unknown.
    return f"${sum(known):.2f}" if len(known) == len(used_a_model) else "unknown"
