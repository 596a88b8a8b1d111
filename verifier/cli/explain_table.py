"""Why one question scored as it did, for terminals: figures, faults, then the answer row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verifier.answers.faults import FAULTS
from verifier.answers.normalization.matching import RULES
from verifier.answers.normalization.near_miss import NEAR_MISSES
from verifier.cli.plain_text import visible
from verifier.cli.score_tables import with_expected
from verifier.scoring.explain import PROFILE, Explanation
from verifier.scoring.score import CellDiff, DiffStatus

_LOOK: dict[DiffStatus, str] = {
    "matched": "green",
    "wrong": "bold red",
    "missing": "bold red",
    "extra": "yellow",
    "misplaced": "cyan",
}
_CELL_SIGNS = 200
_MOST_CELLS = 4000


def print_explanation(found: Explanation, *, only_differences: bool = False, console: Console | None = None) -> None:
    """Print a score with its reasons. `only_differences` leaves out the cells that match."""
    console = console or Console(highlight=False, markup=False)
    name = visible(found.question_id, 60)
    right = {None: "", 0.0: ": not right as a whole", 1.0: ": right"}[found.metrics.get("global_em")]
    console.print(f"Question {name} ({visible(found.answer_type, 20)}), profile {PROFILE} {found.version}{right}")
    if found.error:
        console.print(f"{'Could not be scored' if found.status == 'error' else 'No answer, counts 0'}: "
                      f"{visible(with_expected(found.error), 300)}")  # fmt: skip
    for note in found.notes:
        console.print(f"Note on the right answer: {visible(note, 300)}")
    for metric, value in found.metrics.items():
        console.print(f"  {metric:<24} {value:.4f}")
    for title, faults in (("Faults of form", found.faults), ("Mended in the truth file", found.truth_faults)):
        if faults:
            console.print(f"{title}:")
            _print_meanings(console, [(fault, FAULTS.get(fault, "")) for fault in faults])
    if not found.cells:
        return
    cells = [cell for cell in found.cells if not (only_differences and cell.status == "matched")]
    counts = Counter(cell.status for cell in found.cells)
    said = ", ".join(f"{counts[status]} {status}" for status in get_args(DiffStatus) if counts[status])
    console.print(f"Cells: {said}")
    if shown := cells[:_MOST_CELLS]:
        console.print(_cells_table(shown, many_columns=len(found.header) > 1))
        _print_meanings(console, _words_used(shown))
    if len(cells) > len(shown):
        console.print(f"{len(cells) - len(shown):,} more cells are not shown; --json FILE holds them")
    if found.rows_left_out:
        console.print(f"{found.rows_left_out:,} more rows of the reply count and are not compared cell by cell")


def _cells_table(cells: Sequence[CellDiff], *, many_columns: bool) -> Table:
    table = Table(title_justify="left")
    table.add_column("Row", justify="right", no_wrap=True)
    if many_columns:
        table.add_column("Column", overflow="fold")
    for name in ("Right answer", "Found"):
        table.add_column(name, overflow="fold", ratio=1)
    table.add_column("Status", no_wrap=True)
    table.add_column("Why", overflow="fold")
    before: str | None = None
    for at, cell in enumerate(cells):
        place = _place(cell)
        ends = at + 1 == len(cells) or _place(cells[at + 1]) != place
        words = [Text(visible(cell.column, _CELL_SIGNS))] if many_columns else []
        table.add_row(
            "" if place == before else place,
            *words,
            _shown(cell.expected),
            _shown(cell.found),
            Text(cell.status, style=_LOOK[cell.status]),
            _why(cell),
            end_section=many_columns and ends,
        )
        before = place
    return table


def _place(cell: CellDiff) -> str:
    # Rows count from 1 for people. An arrow leads from the row of the right answer to the one it was found in.
    if cell.row is None:
        return "" if cell.found_row is None else f"→{cell.found_row + 1}"
    if cell.found_row is None or cell.found_row == cell.row:
        return str(cell.row + 1)
    return f"{cell.row + 1}→{cell.found_row + 1}"


def _shown(text: str | None) -> Text:
    if text is None:
        return Text("")
    return Text(visible(text, _CELL_SIGNS)) if text.strip() else Text("(blank)", style="dim")


def _why(cell: CellDiff) -> Text:
    if cell.near:
        return Text(f"near: {cell.near}", style="yellow")
    if cell.status in ("matched", "misplaced"):
        return Text(", ".join(cell.rules) or "as written")
    return Text("")


def _words_used(cells: Sequence[CellDiff]) -> Iterator[tuple[str, str]]:
    for rule in dict.fromkeys(rule for cell in cells for rule in cell.rules):
        yield rule, RULES[rule].says if rule in RULES else ""
    for reason in dict.fromkeys(cell.near for cell in cells if cell.near):
        yield f"near: {reason}", f"{NEAR_MISSES.get(reason, 'nearly the same')}; shown, never counted"
    # The sign is told by a place that the table shows.
    for cell in cells:
        if cell.row is not None and cell.found_row not in (None, cell.row):
            yield _place(cell), f"row {cell.row + 1} of the right answer was found in row {(cell.found_row or 0) + 1}"
            break
    for cell in cells:
        if cell.row is None and cell.found_row is not None:
            yield _place(cell), f"row {cell.found_row + 1} of the reply belongs to no row of the right answer"
            break


def _print_meanings(console: Console, meanings: Sequence[tuple[str, str]] | Iterator[tuple[str, str]]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for word, meaning in meanings:
        grid.add_row(f"  {word}", meaning)
    if grid.row_count:
        console.print(grid)
