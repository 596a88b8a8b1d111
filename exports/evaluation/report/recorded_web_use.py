"""How the recorded web answered each agent: a score on pages that were not there is another score."""

from __future__ import annotations

from exports.evaluation.report.markup import Html, el
from exports.evaluation.report.view import ReportView

HOW = ("exact", "normalised", "ranked", "missing")


def recorded_web_use(view: ReportView) -> Html | None:
    """Return a table of calls by how they were matched; None when no agent called a tool."""
    agents = [agent for agent in view.agents() if agent.matched]
    if not agents:
        return None
    head = [el("th", "Agent", scope="col"), *(el("th", how, scope="col", class_="n") for how in HOW)]
    rows = []
    for agent in agents:
        total = sum(agent.matched.values())
        shares = [f"{agent.matched.get(how, 0)} of {total}" for how in HOW]
        rows.append(el("tr", el("th", agent.agent, scope="row"), [el("td", share, class_="n") for share in shares]))
    return el(
        "section",
        el("h2", "How the recorded web answered"),
        el("div", el("table", el("thead", el("tr", head)), el("tbody", rows)), class_="scroll", tabindex=0),
        el(
            "p",
            "exact: as recorded. normalised: the same words or a near spelling of the address. ranked: searched in the "
            "recorded pages. missing: nothing was recorded.",
            class_="note",
        ),
    )
