"""`trailbench eval`: agents run on a release; their runs become a report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from browser_capture.cli.json_output import json_option, write_json
from browser_capture.errors import UserError
from browser_capture.json_records import to_json
from exports.agents.roster import ROSTER, ModelSettings, build_agent
from exports.benchmark.reader import Release, load_release
from exports.cli.progress import progress_bar
from exports.cli.score_table import print_scores
from exports.errors import RunIncomplete
from exports.evaluation.interruption import Interruption
from exports.evaluation.plan import PlannedAttempt, RunPlan, agents_of, plan_run, planned_attempts
from exports.evaluation.recorded_run import run_on_recorded_web
from exports.evaluation.results import load_results, write_scores
from exports.evaluation.run_folder import open_run, write_whole
from exports.evaluation.runner import CONCURRENCY, RunEnd, still_to_do
from exports.recorded_web.resolve import RecordedWeb

DEADLINE_S = 1800.0


@click.group()
def evaluate() -> None:
    """Run agents on a release and report."""


@evaluate.command(
    epilog="Example: trailbench eval run --release releases/demo-1 --agent replay-human --agent silent --out runs/first"
)
@click.option("--release", "release_folder", type=click.Path(path_type=Path), required=True, help="Release folder.")
@click.option("--agent", "names", multiple=True, required=True, help=f"One of {', '.join(ROSTER)}; may be repeated.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the run.")
@click.option("--task", "task_ids", multiple=True, help="Only this task; may be repeated.")
@click.option("--limit", type=click.IntRange(1), help="Only the first tasks.")
@click.option("--epochs", type=click.IntRange(1), default=1, show_default=True, help="Tries of each task.")
@click.option("--deadline", type=click.FloatRange(0.1), default=DEADLINE_S, show_default=True, help="Seconds a try.")
@click.option("--concurrency", type=click.IntRange(1, 1000), default=CONCURRENCY, show_default=True)
@click.option("--cache", type=click.Path(path_type=Path), envvar="TRAILBENCH_CACHE", help="Keep the search index here.")
@click.option("--model", help="Name of the language model, for agents that use one.")
@click.option("--base-url", help="Address of an OpenAI-compatible server.")
@click.option("--api-key-env", help="Environment variable that holds the API key.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and stop.")
@json_option
def run(
    release_folder: Path,
    names: tuple[str, ...],
    out: Path,
    task_ids: tuple[str, ...],
    limit: int | None,
    epochs: int,
    deadline: float,
    concurrency: int,
    cache: Path | None,
    model: str | None,
    base_url: str | None,
    api_key_env: str | None,
    dry_run: bool,
    json_to: str | None,
) -> None:
    """Run agents over a release's recorded web and score them.

    Every finished attempt is on disk before the next begins. Stopped by Ctrl-C, a crash or a failing server, the same
    command goes on where it stopped.
    """
    settings = ModelSettings(model, base_url, api_key_env)
    agents = [build_agent(name, settings) for name in dict.fromkeys(names)]
    release = load_release(release_folder)
    chosen = (list(dict.fromkeys(task_ids)) or [task.task_id for task in release.tasks])[:limit]
    plan = plan_run(release, agents, tasks=chosen, epochs=epochs, deadline_s=deadline)
    planned = list(planned_attempts(plan, release, agents))
    if dry_run:
        _say_plan(plan, planned)
        return
    end = _make_attempts(release, plan, planned, out, cache=cache, concurrency=concurrency, quiet=json_to is not None)
    scores = load_results(release, [out]).scores
    scores_file = write_scores(out, scores)
    if json_to is not None:
        write_json(json_to, to_json(scores))
    else:
        print_scores(scores)
        click.echo(f"Attempts and scores: {scores_file.parent}")
    if end.interrupted:
        raise KeyboardInterrupt
    if end.missing:
        click.echo("INCOMPLETE", err=True)
        raise RunIncomplete(
            f"{end.missing} of {end.planned} attempts failed by the infrastructure; give the same command to try again"
        )
    if json_to is None:
        click.echo(f"Next: trailbench eval report {out} --release {release_folder} --out {out}/report.html")


@evaluate.command(epilog="Example: trailbench eval report runs/first --release releases/demo-1 --out report.html")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--release", "release_folder", type=click.Path(path_type=Path), required=True, help="Release folder.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The HTML file; scores.json goes beside it."
)
@json_option
def report(folders: tuple[Path, ...], release_folder: Path, out: Path, json_to: str | None) -> None:
    """Write one HTML file about runs on a release. It loads nothing and may be mailed."""
    from exports.evaluation.report.page import report_page
    from exports.evaluation.report.view import ReportView

    release = load_release(release_folder)
    plans, scores, graded = load_results(release, folders)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, report_page(ReportView(release, plans, scores, graded)))
        scores_file = write_scores(out.parent, scores)
    except OSError as error:
        raise UserError(f"cannot write {out}: {error.strerror or error}") from error
    if json_to is not None:
        write_json(json_to, to_json(scores))
        return
    click.echo(f"Report: {out}\nScores: {scores_file}")


def _make_attempts(
    release: Release,
    plan: RunPlan,
    planned: Sequence[PlannedAttempt],
    out: Path,
    *,
    cache: Path | None,
    concurrency: int,
    quiet: bool,
) -> RunEnd:
    store = open_run(out, plan)
    done = len(planned) - len(still_to_do(planned, store))
    interruption = Interruption()

    async def all_of_them(web: RecordedWeb) -> RunEnd:
        with interruption.on_signals(), progress_bar(len(planned), done, quiet=quiet) as told:
            return await run_on_recorded_web(
                web, plan, planned, store, progress=told, interruption=interruption, concurrency=concurrency
            )

    with RecordedWeb.from_release(release, cache) as web:
        return asyncio.run(all_of_them(web))


def _say_plan(plan: RunPlan, planned: Sequence[PlannedAttempt]) -> None:
    click.echo(f"Run {plan.run_id} on release {plan.release}: {len(planned)} attempts")
    for agent in agents_of(planned):
        each = plan.epochs * len(plan.tasks)
        budget = "no limit on tool calls" if agent.budget is None else f"at most {agent.budget * each} tool calls"
        click.echo(f"  {agent.name}: {each} attempts, {budget}{', model ' + agent.model if agent.model else ''}")
