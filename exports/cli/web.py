"""`trailbench web`: look into the recorded web of a release, as agents do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from browser_capture.cli.json_output import json_option, write_json
from browser_capture.errors import UserError
from exports.benchmark.reader import load_release
from exports.recorded_web.resolve import RESULTS, RecordedWeb
from exports.tools.web_search import results_text


def as_of_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the day whose web it shows, a text YYYY-MM-DD or None."""
    return click.option(
        "--as-of",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _context, _option, day: None if day is None else f"{day:%Y-%m-%d}",
        metavar="YYYY-MM-DD",
        help="Show the web of this day, not the newest.",
    )(command)


@click.group()
def web() -> None:
    """Search and read a release's recorded web."""


@web.command(epilog='Example: trailbench web search releases/demo-1 "harbour lights"')
@click.argument("release", type=click.Path(path_type=Path))
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=RESULTS, show_default=True)
@as_of_option
@json_option
def search(release: Path, query: str, limit: int, as_of: str | None, json_to: str | None) -> None:
    """Search the recorded pages and say how the query was matched."""
    with RecordedWeb.from_release(load_release(release)) as opened:
        answer = opened.search(query, as_of=as_of, limit=limit)
    if json_to is not None:
        write_json(json_to, {"matched": answer.matched, "results": [asdict(result) for result in answer.results]})
        return
    click.echo(f"Matched: {answer.matched}")
    click.echo(results_text(answer.results))


@web.command(epilog="Example: trailbench web fetch releases/demo-1 https://example.org/")
@click.argument("release", type=click.Path(path_type=Path))
@click.argument("url")
@as_of_option
@json_option
def fetch(release: Path, url: str, as_of: str | None, json_to: str | None) -> None:
    """Print the visible text of a recorded page and say how its address was matched."""
    with RecordedWeb.from_release(load_release(release)) as opened:
        page = opened.fetch(url, as_of=as_of)
    if json_to is not None:
        write_json(json_to, page._asdict())
    if page.matched == "missing":
        raise UserError(f"{url} was not recorded in {release}; look for pages with: trailbench web search")
    if json_to is None:
        click.echo(f"Matched: {page.matched}, captured {page.at}")
        click.echo(f"{page.title}\n{page.url}\n\n{page.text}")
