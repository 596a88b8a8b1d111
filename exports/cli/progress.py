"""The progress of a run on standard error: a bar, the rate, the time left; one line in the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from exports.evaluation.runner import Progress as Told
from verifier.attempts.attempt import Attempt


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def progress_bar(total: int, done: int, *, quiet: bool) -> Iterator[Told]:
    """Show a bar while the block runs; what it yields is told of every attempt that ended."""
    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    ]
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bar:
        line = bar.add_task("Attempts", total=total, completed=done, last="")

        def tell(attempt: Attempt) -> None:
            bar.update(line, advance=1, last=f"{attempt.key.agent} · {attempt.key.task_id}: {attempt.stop_reason}")

        yield tell
