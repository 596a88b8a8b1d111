"""How long scoring takes: tables, sets and lists in each profile, against the budgets and the published evaluator.

Gold answers are made ready once, replies come as text, the diff is off. Every repetition scores replies of its own, so
that no cell is remembered from the one before. Times are CPU and wall milliseconds an answer. Budgets are held against
the quickest repetition, since a busy machine can only slow one down.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click

from benchmarks.long_lists import measure_long_lists
from benchmarks.made_answers import MadeAnswers, Shape, make_answers
from benchmarks.rescore import rescore
from browser_capture.cli.json_output import json_option, write_json
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.csv_files import write_answer_csv
from verifier.scoring.answer_score import PROFILES, Scorer

TABLES = [Shape("table", 30, 5), Shape("table", 100, 5), Shape("table", 1000, 8)]
COLUMNS = [Shape(kind, rows) for kind in ("set", "list") for rows in (10, 100, 1000, 5000)]
CELLS_A_PASS = 20_000
"""A pass scores as many replies as make about this many cells, at least 5 and at most 200."""


class Budget(NamedTuple):
    """Milliseconds an answer under `strict`, and the share of the published evaluator's time under each profile."""

    strict_ms: float
    compat_share: float

    def share(self, profile: str) -> float:
        """Return the allowed share: `strict` may take twice as long as `gisa-compat`."""
        return self.compat_share * (2 if profile == "strict" else 1)


BUDGETS: Mapping[str, Budget] = {
    "table 30x5": Budget(0.5, 1 / 8),
    "table 100x5": Budget(1.5, 1 / 5),
    "table 1000x8": Budget(25.0, 1 / 2),
}
IMPORT_BUDGET, RESCORE_BUDGET = 0.2, 60.0
"""Seconds: to import the scorer; to score 100,000 stored answers of 30x5 again on all processors."""


class Times(NamedTuple):
    """CPU and wall milliseconds an answer, one of each a repetition."""

    cpu: list[float]
    wall: list[float]

    def add(self, answers: int, cpu: float, wall: float) -> None:
        """Add a repetition, given in seconds for all its answers."""
        self.cpu.append(1000 * cpu / answers)
        self.wall.append(1000 * wall / answers)

    def as_data(self) -> dict[str, float]:
        """Return the least and the middle of each."""
        return {
            "cpu_ms_min": min(self.cpu),
            "cpu_ms_median": median(self.cpu),
            "wall_ms_min": min(self.wall),
            "wall_ms_median": median(self.wall),
        }


class Evaluator:
    """The published evaluator, in a process of its own that stays for the whole run."""

    def __init__(self, folder: Path, python: str) -> None:
        script = Path(__file__).with_name("published_evaluator.py")
        self._process = subprocess.Popen(  # noqa: S603 - the caller's own folder and interpreter
            [python, str(script), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, files: Path) -> dict[str, Any]:
        """Score the replies of a file; return its seconds and figures. Raises UsageError when it has given up."""
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101
        try:
            self._process.stdin.write(json.dumps({"files": str(files)}) + "\n")
            self._process.stdin.flush()
            found: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (BrokenPipeError, ValueError):
            raise click.UsageError(
                "the published evaluator gave up, its last words stand above; "
                "it needs pandas: name a Python that has it with --evaluator-python"
            ) from None
        return found

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def _evaluator(folder: Path | None, python: str) -> Iterator[Evaluator | None]:
    evaluator = Evaluator(folder, python) if folder else None
    try:
        yield evaluator
    finally:
        if evaluator:
            evaluator.close()


def measure(shape: Shape, repetitions: int, answers: int, evaluator: Evaluator | None) -> dict[str, Any]:
    """Time every profile, and the published evaluator on the same files, each repetition one after the other."""
    names = [*PROFILES, *(["published"] if evaluator else [])]
    times = {name: Times([], []) for name in names}
    unequal = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(repetitions):
            made = make_answers(shape, answers, seed)
            figures = [_time_profile(profile, made, times[profile]) for profile in PROFILES]
            if evaluator:
                found = evaluator.run(_write_files(Path(folder), shape, made))
                times["published"].add(answers, found["cpu"], found["wall"])
                unequal += sum(map(_differ, figures[list(PROFILES).index("gisa-compat")], found["figures"]))
    result: dict[str, Any] = {
        "shape": shape.name,
        "answers": answers,
        **{name: times[name].as_data() for name in names},
    }
    if evaluator:
        published = min(times["published"].cpu)
        result["share"] = {profile: min(times[profile].cpu) / published for profile in PROFILES}
        result["unequal"] = unequal
    return {**result, "missed": _missed(shape.name, result)}


def _time_profile(profile: str, made: MadeAnswers, times: Times) -> list[Mapping[str, float]]:
    gold = AnswerVersion(task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=made.rows)
    scorer = Scorer(gold, made.answer_format, profile)
    cpu, wall = time.process_time(), time.perf_counter()
    figures = [scorer.score(reply, diff=False).metrics for reply in made.replies]
    times.add(len(made.replies), time.process_time() - cpu, time.perf_counter() - wall)
    return figures


def _write_files(folder: Path, shape: Shape, made: MadeAnswers) -> Path:
    gold, files = folder / "gold.csv", folder / "replies.json"
    gold.write_bytes(write_answer_csv(made.answer_format.header, made.rows, made.answer_format))
    files.write_text(json.dumps({"type": shape.type, "gold": str(gold), "replies": made.replies}), encoding="utf-8")
    return files


def _differ(ours: Mapping[str, float], theirs: Mapping[str, float]) -> bool:
    return dict(ours) != {name: theirs.get(name) for name in ours}


def _missed(name: str, result: Mapping[str, Any]) -> list[str]:
    missed = ["figures differ from the published ones"] if result.get("unequal") else []
    budget = BUDGETS.get(name)
    if budget is None:
        return missed
    if "share" not in result:
        slow = result["strict"]["cpu_ms_min"] > budget.strict_ms
        return [*missed, *([f"strict takes more than {budget.strict_ms} ms"] if slow else [])]
    # With the published evaluator beside it the shares decide: a busy machine slows both.
    for profile, share in result["share"].items():
        if share > budget.share(profile):
            missed.append(f"{profile} takes more than {budget.share(profile):.3f} of the published evaluator's time")
    return missed


def import_seconds(repetitions: int) -> float:
    """Return the CPU seconds the import of the scorer takes in a fresh Python, the least of the repetitions."""
    code = "import time; t = time.process_time(); import verifier.scoring.answer_score; print(time.process_time() - t)"
    # Compiled files are part of an installed package, whatever this shell says.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    runs = (subprocess.run(command, check=True, capture_output=True, env=env) for _ in range(repetitions + 1))  # noqa: S603
    return min(float(run.stdout) for run in runs)


def print_report(report: Mapping[str, Any]) -> None:
    """Print a report as people read it."""
    machine = report["machine"]
    click.echo(
        f"{machine['processors']} processors, load {machine['load'][0]:.2f}, Python {machine['python']}, "
        f"{report['repetitions']} repetitions"
    )
    click.echo("Milliseconds an answer: CPU least / median (wall median); shares of the published evaluator's least")
    names = [*PROFILES, "published"]
    click.echo(
        f"{'':14}{'answers':>8}" + "".join(f"{name:>26}" for name in names) + f"{'strict':>8}{'compat':>8}  figures"
    )
    for one in report["shapes"]:
        cells = [_cell(one[name]) if name in one else "-" for name in names]
        shares = [f"{one['share'][profile]:.3f}" if "share" in one else "-" for profile in PROFILES]
        equal = "-" if "unequal" not in one else "equal" if not one["unequal"] else f"{one['unequal']} differ"
        click.echo(f"{one['shape']:14}{one['answers']:>8}" + "".join(f"{cell:>26}" for cell in cells)
                   + "".join(f"{share:>8}" for share in shares) + f"  {equal}")  # fmt: skip
    if "import_seconds" in report:
        click.echo(f"import of the scorer: {report['import_seconds']:.3f} s of CPU (budget {IMPORT_BUDGET} s)")
    for one in report.get("long_lists", ()):
        click.echo(f"order of 5,000 elements, {one['lists']}: {one['order_ms']:.1f} ms (LCS {one['lcs_ms']:.1f} ms)")
    for one in report["rescored"]:
        click.echo(f"{one['answers']} stored answers of 30x5 scored again ({one['profile']}) on {one['processors']} "
                   f"processors: {min(one['cpu_seconds']) / one['processors']:.1f} s of CPU each, "
                   f"{min(one['seconds']):.1f} s on the clock")  # fmt: skip
    for name, missed in report["missed"].items():
        click.echo(f"missed: {name}: {missed}")


def _cell(times: Mapping[str, float]) -> str:
    return f"{times['cpu_ms_min']:.3f} / {times['cpu_ms_median']:.3f} ({times['wall_ms_median']:.3f})"


def _all_missed(report: Mapping[str, Any]) -> dict[str, str]:
    missed = {one["shape"]: "; ".join(one["missed"]) for one in report["shapes"] if one["missed"]}
    if report.get("import_seconds", 0.0) > IMPORT_BUDGET:
        missed["import"] = f"takes more than {IMPORT_BUDGET} s"
    for one in report["rescored"]:
        if min(one["cpu_seconds"]) / one["processors"] * 100_000 > RESCORE_BUDGET * one["answers"]:
            missed[f"rescore {one['profile']}"] = f"100,000 answers take more than {RESCORE_BUDGET:.0f} s"
    return missed


def _answers_a_pass(shape: Shape, at_most: int) -> int:
    return max(1, min(at_most, max(5, CELLS_A_PASS // (shape.rows * shape.columns))))


@click.command(epilog="Example: .venv/bin/python -m benchmarks.scorer --evaluator ~/GISA/src --rescore 100000")
@click.option(
    "--repetitions", default=5, show_default=True, type=click.IntRange(min=1), help="At least 3 to be quoted."
)
@click.option(
    "--only", multiple=True, metavar="WORD", help="Only shapes with this word in their name; may be repeated."
)
@click.option("--answers", default=200, show_default=True, type=click.IntRange(min=1), help="At most so many a pass.")
@click.option("--evaluator", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="A folder with the published evaluator.py, to be timed on the same files.")  # fmt: skip
@click.option("--evaluator-python", default=sys.executable, help="The Python that has the evaluator's pandas.")
@click.option(
    "--rescore", "stored", default=0, metavar="N", help="Also score N stored answers again on all processors."
)
@json_option
def main(
    repetitions: int,
    only: Sequence[str],
    answers: int,
    evaluator: Path | None,
    evaluator_python: str,
    stored: int,
    json_to: str | None,
) -> None:
    """Time the scorer. Ends with exit code 4 when a budget is missed."""
    if evaluator and not (evaluator / "evaluator.py").is_file():
        raise click.UsageError(f"there is no evaluator.py in {evaluator}; --evaluator wants the folder that holds it")
    shapes = [shape for shape in (*TABLES, *COLUMNS) if not only or any(word in shape.name for word in only)]
    machine = {
        "processors": os.cpu_count(), "load": list(os.getloadavg()), "python": platform.python_version(),
        "system": platform.platform(),
    }  # fmt: skip
    with _evaluator(evaluator, evaluator_python) as published:
        measured = [measure(shape, repetitions, _answers_a_pass(shape, answers), published) for shape in shapes]
    report: dict[str, Any] = {"machine": machine, "repetitions": repetitions, "shapes": measured}
    report["rescored"] = [rescore(profile, stored, repetitions) for profile in PROFILES] if stored else []
    if not only:
        report["import_seconds"] = import_seconds(repetitions)
        report["long_lists"] = measure_long_lists(repetitions)
    machine["load_after"] = list(os.getloadavg())
    report["missed"] = _all_missed(report)
    print_report(report) if json_to is None else write_json(json_to, report)
    sys.exit(4 if report["missed"] else 0)


if __name__ == "__main__":
    main()
