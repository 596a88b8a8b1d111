"""The score table of a run, for terminals."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from exports.evaluation.scores import AgentScores, Figure, RunScores


def print_scores(scores: RunScores) -> None:
    """Print one line for each agent, best first."""
    table = Table(title=f"{scores.release}, profile {scores.profile} {scores.profile_version}", title_justify="left")
    table.add_column("Agent", overflow="fold")
    for name in ("Exact match", "95% interval", "Right cells", "Coverage", "Calls"):
        table.add_column(name, justify="right")
    for agent in sorted(scores.agents, key=lambda one: (-(one.exact.mean or 0), one.agent)):
        table.add_row(*_cells(agent))
    Console().print(table)


def _cells(agent: AgentScores) -> list[str]:
    return [
        agent.agent,
        _percent(agent.exact.mean),
        _interval(agent.exact),
        _percent(agent.partial.mean),
        f"{agent.scored + agent.agent_failed}/{agent.planned}",
        "–" if agent.calls is None else f"{agent.calls:.1f}",
    ]


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return "–"
    # Of few tasks the interval reaches past what a share can be; what lies outside says nothing.
    return f"[{100 * max(0.0, figure.low):.1f}, {100 * min(1.0, figure.high):.1f}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"
