"""What each published figure of one question counted, for terminals: matched, missing and extra, figure by figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verifier.cli.plain_text import visible
from verifier.cli.score_tables import with_expected
from verifier.scoring.compat_explain import PROFILE, Comparison, PublishedExplanation, Unit

_LOOK = {"matched": "green", "missing": "bold red", "extra": "yellow"}
_CELL_SIGNS = 200
_MOST_UNITS = 1000


def print_published_explanation(
    found: PublishedExplanation, *, only_differences: bool = False, console: Console | None = None
) -> None:
    """Print how the published figures come about. `only_differences` leaves out what matches."""
    console = console or Console(highlight=False, markup=False)
    name, kind = visible(found.question_id, 60), visible(found.answer_type, 20)
    console.print(f"Question {name} ({kind}), profile {PROFILE} {found.version}")
    if found.error:
        console.print(f"{'Could not be scored' if found.status == 'error' else 'No answer, counts 0'}: "
                      f"{visible(with_expected(found.error), 300)}")  # fmt: skip
    if found.comparisons:
        for side, columns in (("Right answer", found.gold_columns), ("Reply", found.found_columns)):
            console.print(f"{side}, columns: {', '.join(visible(column, 60) for column in columns) or 'none'}")
    for comparison in found.comparisons:
        console.print()
        for figure in comparison.figures:
            console.print(f"  {figure:<24} {found.metrics[figure]:.4f}")
        _print_comparison(console, comparison, only_differences)


def _print_comparison(console: Console, comparison: Comparison, only_differences: bool) -> None:
    sides = {"matched": comparison.matched, "missing": comparison.missing, "extra": comparison.extra}
    counts = ", ".join(f"{len(units):,} {status}" for status, units in sides.items())
    console.print(f"Compared: {comparison.compared}: {counts}")
    shown = {
        status: units for status, units in sides.items() if units and not (only_differences and status == "matched")
    }
    if shown:
        console.print(_units_table(shown))
    if left_out := sum(max(len(set(units)) - _MOST_UNITS, 0) for units in shown.values()):
        console.print(f"{left_out:,} more are not shown; --json FILE holds them")


def _units_table(sides: Mapping[str, Sequence[Unit]]) -> Table:
    table = Table()
    table.add_column("Status", no_wrap=True)
    table.add_column("Times", justify="right", no_wrap=True)
    table.add_column("Compared as", overflow="fold", ratio=1)
    for status, units in sides.items():
        for unit, times in list(Counter(units).items())[:_MOST_UNITS]:
            words = " | ".join(visible(cell, _CELL_SIGNS) if cell else "(blank)" for cell in unit)
            table.add_row(Text(status, style=_LOOK[status]), str(times), Text(words))
    return table
