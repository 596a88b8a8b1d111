"""`trailbench verify`: one task's checks on the command line, from record files."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from browser_capture.cli.json_output import json_option, write_json
from browser_capture.errors import CheckFailed, IncompleteError, RecordError, UserError
from browser_capture.json_records import Record, from_json, to_json
from browser_capture.page_store import PageStore
from browser_capture.trajectory import Trajectory
from verifier.answers.answer_version import AnswerVersion
from verifier.checks.check_result import CheckResult
from verifier.checks.memorization import MAX_OUTPUT_TOKENS, TRIES, check_memorization
from verifier.language_model.client import OpenAIModel
from verifier.pipeline import verify as run_pipeline
from verifier.report import VerificationReport
from verifier.tasks import Task

R = TypeVar("R", bound=Record)
Command = TypeVar("Command", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


def _task_and_answer(command: Command) -> Command:
    answer = click.option("--answer", "answer_file", type=_FILE, required=True, help="The answer, a record answer/1.")
    task = click.option("--task", "task_file", type=_FILE, required=True, help="The task, a record task/1.")
    return task(answer(command))


@click.group(epilog="Example: trailbench verify task --task task.json --answer answer.json")
def verify() -> None:
    """Check tasks: shape, evidence, memorization."""


@verify.command("task", epilog="Example: trailbench verify task --task task.json --answer answer.json")
@_task_and_answer
@click.option("--trajectory", "trajectory_file", type=_FILE, help="The recording, a record trajectory/1.")
@click.option("--pages", type=_FOLDER, help="The folder with the recorded pages.")
@json_option
def verify_task(
    task_file: Path, answer_file: Path, trajectory_file: Path | None, pages: Path | None, json_to: str | None
) -> None:
    """Run every check that needs no model; exit 4 when one fails."""
    if (trajectory_file is None) != (pages is None):
        raise click.UsageError("--trajectory and --pages belong together: the recording and the pages it shows")
    if pages is not None and not pages.is_dir():
        raise UserError(f"there is no folder {pages}; --pages wants the folder with the recorded pages")
    trajectory = None if trajectory_file is None else _read(Trajectory, trajectory_file)
    task, answer = _read_pair(task_file, answer_file)
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    report = run_pipeline(task, answer, trajectory, PageStore(pages or Path()), now=now)
    if json_to is not None:
        write_json(json_to, to_json(report))
    else:
        _show_report(report)
    if report.verdict == "fail":
        failed = [check.check for check in report.checks if check.verdict == "fail"]
        raise CheckFailed(f"task {task.task_id} fails: {', '.join(failed)}")


@verify.command(
    "memorization",
    epilog="Example: trailbench verify memorization --task task.json --answer answer.json "
    "--base-url http://127.0.0.1:8080/v1 --model NAME",
)
@_task_and_answer
@click.option("--base-url", required=True, help="Address of an OpenAI-compatible server, often ending in /v1.")
@click.option("--model", required=True, help="The model's name as the server knows it.")
@click.option("--api-key-env", help="The environment variable that holds the API key.")
@click.option("--tries", type=click.IntRange(1, 100), default=TRIES, show_default=True)
@click.option("--max-output-tokens", type=click.IntRange(16), default=MAX_OUTPUT_TOKENS, show_default=True)
@json_option
def verify_memorization(
    task_file: Path,
    answer_file: Path,
    base_url: str,
    model: str,
    api_key_env: str | None,
    tries: int,
    max_output_tokens: int,
    json_to: str | None,
) -> None:
    """Ask a model without any web; exit 4 when it knows the whole answer, 2 or 3 when it could not be asked."""
    task, answer = _read_pair(task_file, answer_file)
    key = _api_key(api_key_env)

    async def ask() -> CheckResult:
        async with OpenAIModel(base_url=base_url, api_key=key, model=model) as client:
            return await check_memorization(task, answer, client, tries=tries, max_output_tokens=max_output_tokens)

    found = asyncio.run(ask())
    if json_to is not None:
        write_json(json_to, _plain(found))
    else:
        _show_checks([found])
    if found.verdict == "fail":
        raise CheckFailed(f"task {task.task_id}: {found.summary}; the question measures memory")
    if found.verdict == "skipped":
        refused = any(finding.code == "refused" for finding in found.findings)
        kind = UserError if refused or not found.findings else IncompleteError
        raise kind(f"task {task.task_id} was not checked: {found.summary}")


def _read_pair(task_file: Path, answer_file: Path) -> tuple[Task, AnswerVersion]:
    task, answer = _read(Task, task_file), _read(AnswerVersion, answer_file)
    if task.task_id != answer.task_id:
        raise UserError(f"{answer_file} answers task {answer.task_id!r}, but {task_file} is task {task.task_id!r}")
    return task, answer


def _read(kind: type[R], path: Path) -> R:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise RecordError(f"{path} is no JSON file: {error}") from error
    try:
        return from_json(kind, data)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def _api_key(variable: str | None) -> str:
    if variable is None:
        # Servers on one's own machine ask for no key, but the client wants a text.
        return "none"
    key = os.environ.get(variable)
    if not key:
        raise UserError(f"the environment variable {variable} is not set; it should hold the API key")
    return key


def _plain(check: CheckResult) -> dict[str, Any]:
    report = VerificationReport(
        task_id="", task_version=0, answer_version=0, trajectory=None, created_at="", verifier_version="",
        verdict=check.verdict, checks=(check,),
    )  # fmt: skip
    plain = to_json(report)["checks"][0]
    assert isinstance(plain, dict)  # noqa: S101
    return plain


def _show_report(report: VerificationReport) -> None:
    _show_checks(report.checks)
    doubtful = [cell for cell in report.cells if cell.state not in ("proven", "derived")]
    for cell in doubtful:
        click.echo(f"  row {cell.row + 1}, {cell.column}: {cell.value!r} {cell.state} {cell.note}".rstrip())
    proven = sum(cell.state == "proven" for cell in report.cells)
    click.echo(f"{proven} of {len(report.cells)} cells proven; verdict {report.verdict}")


def _show_checks(checks: Any) -> None:
    for check in checks:
        click.echo(f"{check.verdict:<8} {check.check:<14} {check.summary}")
        for finding in check.findings:
            if finding.severity != "info":
                where = "" if finding.event is None else f" (event {finding.event})"
                click.echo(f"         {finding.severity}: {finding.message}{where}")
