"""`trailbench score`: a folder of predictions against a folder of truths, and why one of them scored as it did."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from browser_capture.cli.json_output import STANDARD_OUTPUT, json_option, write_json
from browser_capture.errors import IncompleteError, UserError
from verifier.cli.plain_text import visible
from verifier.cli.progress import with_bar
from verifier.errors import QuestionsUnreadable
from verifier.scoring.answer_score import PROFILES
from verifier.scoring.compat_explain import PublishedExplanation, explain_as_published
from verifier.scoring.explain import Explanation, explain
from verifier.scoring.prediction_files import AnswerFiles, open_files, remarks
from verifier.scoring.question_file import QuestionRow, id_key, read_questions
from verifier.scoring.run_scores import Scored, notes_of, run_data, score_run

Command = TypeVar("Command", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path)
_EXAMPLE = "--questions questions.jsonl --answers answers --predictions predictions"

_NOTES_SHOWN = 10

MANY = 2000
"""From this many questions on, every processor scores; below, starting processes takes longer than it saves."""


def _run_folders(command: Command) -> Command:
    for option in (
        click.option("--predictions", type=_FILE, required=True,
                     help="Folder with ID.json (member `prediction`), ID.txt, ID.tsv or ID.csv."),
        click.option("--answers", type=_FILE, required=True, help="Folder with the right answers, ID.csv."),
        click.option("--questions", type=_FILE, required=True,
                     help="Question file, a JSON object a line: id, answer_type, where wanted schema, truth_encoding."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.group(epilog=f"Example: trailbench score answers {_EXAMPLE}")
def score() -> None:
    """Score predictions against right answers, and explain a score."""


@score.command("answers", epilog=f"Example: trailbench score answers {_EXAMPLE} --profile all --json scores.json")
@_run_folders
@click.option("--profile", type=click.Choice([*PROFILES, "all"]), default="strict", show_default=True,
              help="Rules to score by; gisa-compat gives the published evaluator's figures.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256),
              help=f"Processes. By default one, or every processor from {MANY:,} questions on.")  # fmt: skip
@json_option
def score_answers(
    questions: Path, answers: Path, predictions: Path, profile: str, workers: int | None, json_to: str | None
) -> None:
    """Score a folder of predictions.

    \b
    questions.jsonl    {"id": 7, "answer_type": "table", "schema": {"sort": []}}
    answers/7.csv      a table with its header row;
                       item, set and list: a value a line, no header
    predictions/7.json {"prediction": "a whole reply"}; or 7.txt, a reply;
                       or 7.csv, 7.tsv, cells as in answers/7.csv

    answer_type is item, set, list or table; schema may be left out (types, key, sort: see docs/scoring.md).

    A missing or unreadable prediction counts 0. A right answer that cannot be read costs that question alone: it
    leaves the mean, and the command ends with exit code 3.
    """
    profiles = tuple(PROFILES) if profile == "all" else (profile,)
    rows, files = _open_run(questions, answers, predictions)
    _refuse_target(json_to, questions, files)
    warnings = remarks(files, [row.question_id for row in rows])
    scored = _score_all(rows, files, profiles, workers or (_processors() if len(rows) >= MANY else 1))
    by_id = {row.question_id: one for row, one in zip(rows, scored, strict=True)}
    warnings += notes_of(by_id)
    data = run_data(by_id, profiles, warnings)
    if json_to is not None:
        write_json(json_to, data)
    else:
        from verifier.cli.score_tables import print_run

        print_run(data)
    for warning in warnings[:_NOTES_SHOWN]:
        click.echo(f"Note: {visible(warning)}", err=True)
    if len(warnings) > _NOTES_SHOWN:
        click.echo(f"Note: {len(warnings) - _NOTES_SHOWN:,} more notes stand in the JSON, under warnings", err=True)
    _refuse_incomplete(scored, f"{answers} or {questions}")


@score.command("explain", epilog=f"Example: trailbench score explain --question 7 {_EXAMPLE}")
@click.option("--question", "question_id", required=True, help="The id of the question.")
@_run_folders
@click.option("--profile", type=click.Choice([*PROFILES]), default="strict", show_default=True,
              help="Rules to explain by.")  # fmt: skip
@click.option("--differences", is_flag=True, help="Leave out what matches.")
@json_option
def score_explain(
    question_id: str,
    questions: Path,
    answers: Path,
    predictions: Path,
    profile: str,
    differences: bool,
    json_to: str | None,
) -> None:
    """Show cell by cell why a question scored as it did.

    Each cell has its status in the strict profile: matched (and by which rules), wrong (and whether nearly right),
    missing, extra, or misplaced, which is right but out of order. Profile gisa-compat knows no such cells: it shows
    what each published figure counted, after the published normalising, and what of it matched, is missing or extra.
    """
    rows, files = _open_run(questions, answers, predictions)
    _refuse_target(json_to, questions, files)
    found = _explained(_pick(rows, question_id, questions), files, profile)
    if json_to is not None:
        write_json(json_to, asdict(found))
    else:
        from verifier.cli.compat_explain_table import print_published_explanation
        from verifier.cli.explain_table import print_explanation

        if isinstance(found, PublishedExplanation):
            print_published_explanation(found, only_differences=differences)
        else:
            print_explanation(found, only_differences=differences)
    if found.status == "error":
        raise IncompleteError(f"question {question_id} could not be scored: {visible(_REST.sub('', found.error), 300)}")


def _explained(row: QuestionRow, files: AnswerFiles, profile: str) -> Explanation | PublishedExplanation:
    return explain(row, files) if profile == "strict" else explain_as_published(row, files)


def _pick(rows: tuple[QuestionRow, ...], question_id: str, questions: Path) -> QuestionRow:
    for row in rows:
        if id_key(row.question_id) == id_key(question_id):
            return row
    like = get_close_matches(question_id, [row.question_id for row in rows]) or [row.question_id for row in rows[:5]]
    raise UserError(
        f"{questions} has no question {question_id!r}; among its {len(rows):,} ids are "
        f"{', '.join(visible(name, 40) for name in like)}"
    )


def _open_run(questions: Path, answers: Path, predictions: Path) -> tuple[tuple[QuestionRow, ...], AnswerFiles]:
    try:
        rows = read_questions(questions.read_bytes())
    except OSError as error:
        raise UserError(
            f"cannot read {questions}: {error.strerror or error}; --questions wants a file, one JSON object a line"
        ) from error
    except QuestionsUnreadable as error:
        raise QuestionsUnreadable(f"{questions}, {error}") from error
    return rows, open_files(answers, predictions)


def _refuse_target(json_to: str | None, questions: Path, files: AnswerFiles) -> None:
    # Said before an hour of scoring, not after it.
    if json_to is None or json_to == STANDARD_OUTPUT:
        return
    target = Path(json_to).resolve()
    if not target.parent.is_dir():
        raise UserError(f"cannot write {json_to}: there is no folder {target.parent}")
    read = _read_files(questions, files)
    what = next((what for what, path in read if path.name == target.name and path.resolve() == target), None)
    if what is not None:
        raise UserError(f"{json_to} is {what}; it would be lost. Name another file for --json")


def _read_files(questions: Path, files: AnswerFiles) -> Iterator[tuple[str, Path]]:
    yield "the question file", questions
    for what, listing in (("a right answer", files.truths), ("a prediction", files.predictions)):
        for names in listing.names.values():
            yield from ((what, listing.folder / name) for name in names if not name.startswith("_"))


def _refuse_incomplete(scored: Iterable[Scored], where: str) -> None:
    broken = [next((one for one in by_profile.values() if one.status == "error"), None) for by_profile in scored]
    reasons = [f"question {one.question_id}: {_REST.sub('', one.error)}" for one in broken if one is not None]
    if reasons:
        more = f" and {len(reasons) - 3:,} more" if len(reasons) > 3 else ""
        raise IncompleteError(
            f"{len(reasons):,} of {len(broken):,} questions could not be scored ({visible('; '.join(reasons[:3]), 400)}"
            f"{more}); mend that in {where} and give the same command again"
        )


_REST = re.compile(r"[;.:] .*", re.DOTALL)
"""What a reason says beyond its first words: the tables and the JSON have it whole."""


def _score_all(
    rows: tuple[QuestionRow, ...], files: AnswerFiles, profiles: tuple[str, ...], workers: int
) -> list[Scored]:
    try:
        with nullcontext() if workers == 1 else processes(min(workers, len(rows))) as executor:
            return list(with_bar(score_run(rows, files, profiles, executor), len(rows), "Questions"))
    except BrokenProcessPool as error:
        raise IncompleteError(
            "a scoring process was ended from outside, often for want of memory; give the command again "
            "with --workers 1"
        ) from error


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Start processes; however the block ends, none of them stays."""
    before = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        with _ctrl_c_held_back():
            # What starts meanwhile holds Ctrl-C back for good: only this process answers it.
            for _ in range(workers):
                executor.submit(int)
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    executor.shutdown()


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
