"""The sections come in, one self-contained HTML file goes out: no script, no address outside, nothing to load."""

from __future__ import annotations

from exports.evaluation.report.faults import faults
from exports.evaluation.report.film_strip import film_strip
from exports.evaluation.report.leaderboard import leaderboard
from exports.evaluation.report.look import STYLE
from exports.evaluation.report.markup import Html, el
from exports.evaluation.report.opening import opening
from exports.evaluation.report.recorded_web_use import recorded_web_use
from exports.evaluation.report.task_answers import task_answers
from exports.evaluation.report.view import ReportView

# The browser itself is told to load nothing: a page title or a reply cannot smuggle in an image or a script.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_page(view: ReportView) -> str:
    """Return the report as HTML."""
    manifest = view.release.manifest
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("title", f"{manifest.name}: trailbench report"),
        el("style", Html(STYLE)),
    )
    main = el(
        "main",
        opening(view),
        film_strip(view),
        leaderboard(view),
        recorded_web_use(view),
        faults(view),
        task_answers(view),
        el("footer", f"{manifest.canary} · benchmark data, not for training · trailbench {manifest.trailbench}"),
    )
    return f"<!doctype html>\n{el('html', head, el('body', main), lang='en')}\n"
