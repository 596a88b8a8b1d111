"""A result page that was read comes in; a table of its results for terminals goes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text

from browser_capture.cli.plain import plain
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.trajectory import ResultPage

_SAYS = {
    "ok": "read",
    "empty": "the engine found nothing",
    "suspect": "cannot be read with certainty",
    "interstitial": "something stood before the results",
}
_WALLS = {"captcha": "a captcha", "consent": "a consent form", "script": "a page that asks for JavaScript"}


class Pair(Protocol):
    """A page as it was read before and as it is read now."""

    @property
    def was(self) -> ResultPage: ...
    @property
    def now(self) -> ResultPage: ...


def print_page(page: ParsedResultPage) -> None:
    """Print what was found on a page: its state, its results, and how much stands beside them."""
    console = Console()
    console.print(Text(_first_line(page)), soft_wrap=True)
    if page.results:
        table = Table(title_justify="left")
        table.add_column("Rank", justify="right", no_wrap=True)
        table.add_column("Title and address", overflow="fold", ratio=1)
        table.add_column("Snippet", overflow="fold", ratio=1)
        for result in page.results:
            name = Text(f"{plain(result.title)}\n{plain(result.url)}")
            table.add_row(str(result.abs_rank), name, Text(plain(result.snippet)))
        console.print(table)
    if page.blocks:
        console.print(Text("Beside the results: " + _named(page.blocks.items())), soft_wrap=True)


def print_reread(pairs: Sequence[Pair]) -> None:
    """Print a line for each result page of a recording, as it was read and as it is read now."""
    table = Table(title_justify="left")
    table.add_column("Event", justify="right", no_wrap=True)
    table.add_column("Query", overflow="fold", ratio=1)
    table.add_column("Was", overflow="fold")
    table.add_column("Now", overflow="fold")
    for pair in pairs:
        table.add_row(str(pair.now.seq), Text(plain(pair.now.text)), Text(_state(pair.was)), Text(_state(pair.now)))
    Console().print(table)


def _first_line(page: ParsedResultPage) -> str:
    says = _WALLS.get(page.wall or "", "something") + " stood before the results" if page.wall else _SAYS[page.status]
    count = f"{len(page.results)} result{'' if len(page.results) == 1 else 's'}"
    begins = f" from {page.start + 1} on" if page.start else ""
    return f"{page.status}: {says}; {count}{begins} for “{plain(page.query)}” ({page.engine}, {page.parser_version})"


def _state(page: ResultPage) -> str:
    return f"{page.status}, {len(page.results)} results ({page.parser_version})"


def _named(blocks: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in blocks)
