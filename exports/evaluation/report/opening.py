"""The report's head: what was run, and whether it is complete."""

from __future__ import annotations

from collections.abc import Sequence

from exports.evaluation.report.markup import Html, el, join
from exports.evaluation.report.view import ReportView


def opening(view: ReportView) -> Html:
    """Return the title, the facts of the run, and a warning where attempts are missing."""
    manifest = view.release.manifest
    return el(
        "header",
        el("p", "trailbench report", class_="eyebrow"),
        el("h1", manifest.name),
        _facts(view),
        _warning(view),
    )


def _facts(view: ReportView) -> Html:
    manifest, scores = view.release.manifest, view.scores
    tasks = len({task for plan in view.plans for task in plan.tasks})
    epochs = sorted({plan.epochs for plan in view.plans})
    facts: list[tuple[str, str]] = [
        ("Release", f"{manifest.release_id[:12]} · {manifest.created_at[:10] or 'undated'}"),
        ("Tasks", f"{tasks} of {len(manifest.tasks)}"),
        ("Tries a task", " and ".join(map(str, epochs))),
        ("Web", f"recorded, {manifest.counts.get('pages', 0)} pages"),
        ("Days shown", _days(view)),
        ("Score", f"{scores.profile} {scores.profile_version}"),
        ("Run", ", ".join(scores.runs)),
    ]
    return el("dl", [join(el("div", el("dt", name), el("dd", value))) for name, value in facts], class_="facts")


def _days(view: ReportView) -> str:
    days = sorted({one.attempt.as_of for one in view.graded})
    if not days:
        return "–"
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _warning(view: ReportView) -> Html | None:
    lines: Sequence[str] = [
        f"{agent.agent}: {unscored} of {agent.planned} attempts have no score; its exact match lies between "
        f"{100 * agent.bounds[0]:.1f} and {100 * agent.bounds[1]:.1f}."
        for agent in view.agents()
        if (unscored := agent.infrastructure_failed + agent.missing)
    ]
    if not lines:
        return None
    return el("div", el("strong", "Incomplete. "), [join(line, " ") for line in lines], class_="warning", role="alert")
