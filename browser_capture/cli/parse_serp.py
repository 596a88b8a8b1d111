"""`trailbench capture parse-serp`: what the parser of result pages reads on a page that somebody saved.

Whoever sees that an engine has changed its pages can show it so. A recording's folder is read again as a whole.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from browser_capture.cli.json_output import json_option, write_json
from browser_capture.cli.result_table import print_page, print_reread
from browser_capture.derivation import derive_trajectory
from browser_capture.errors import CheckFailed, UserError
from browser_capture.log_lines import read_lines
from browser_capture.page_store import PageStore
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.reading import PARSERS, read_saved_page
from browser_capture.result_pages.recognise import ENGINES, recognise, search_behind
from browser_capture.result_pages.rereading import kept_documents, serp_events_again
from browser_capture.snapshots import read_mhtml
from browser_capture.trajectory import ResultPage

STANDARD_INPUT = "-"
_READ = ", ".join(sorted(PARSERS))
_OTHERS = ", ".join(name for name in ENGINES if name not in PARSERS)


class Reread(NamedTuple):
    """A recorded result page as it was read then and as it is read now."""

    was: ResultPage
    now: ResultPage


@click.command(
    "parse-serp",
    short_help="Read a result page that was saved.",
    epilog="Example: trailbench capture parse-serp page.html",
)
@click.argument("file", type=click.Path(exists=True, allow_dash=True))
@click.option("--url", help="The page's own address, where the page does not say it or says another one.")
@json_option
def parse_serp(file: str, url: str | None, json_to: str | None) -> None:
    """Read the result page that was saved as FILE and show what was found on it.

    FILE is HTML or MHTML, as a browser saves pages; - reads standard input. It may also be the folder of a recording on
    this machine: its result pages are then read again by the parser of today, and nothing is changed.

    Leaves with 4 when a page could not be read with certainty (suspect), and with 2 when it is no result page.
    """
    if file != STANDARD_INPUT and Path(file).is_dir():
        rereads = read_recording(Path(file))
        _show_rereads(rereads, json_to)
        suspects = sum(1 for reread in rereads if reread.now.status == "suspect")
        if suspects:
            raise CheckFailed(f"{suspects} of {len(rereads)} result pages cannot be read with certainty")
        return
    page = read_file(file, url)
    if json_to is not None:
        write_json(json_to, as_data(page))
    else:
        print_page(page)
    if page.status == "suspect":
        raise CheckFailed(
            "this page cannot be read with certainty: the engine may have changed its pages. Please report it: "
            f"send the file, and say that {page.parser_version} read it"
        )


def read_file(file: str, url: str | None = None) -> ParsedResultPage:
    """Read a saved page. Raises UserError for what cannot be read or is no result page of an engine that is read."""
    if url is not None and _engine(url) not in PARSERS:
        raise UserError(f"{url} is no search whose pages are read here ({_engines()})")
    try:
        with click.open_file(file, "rb") as source:
            data = source.read()
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror or error}") from error
    document, location = _document(data)
    page = read_saved_page(document, url or location)
    if page is None:
        name = "standard input" if file == STANDARD_INPUT else file
        raise UserError(
            f"{name} is no result page that can be read here, or does not say so ({_engines()}). "
            "If it is one, give its own address with --url"
        )
    return page


def read_recording(folder: Path) -> Sequence[Reread]:
    """Read the result pages of a recording again. Raises UserError when the folder holds none that can be read."""
    events = [line.event for line in read_lines(folder)]
    if not events:
        raise UserError(f"{folder} is no recording: it has no events.jsonl with whole lines")
    before = derive_trajectory(events)
    documents = kept_documents(PageStore(folder / "pages"))
    again = serp_events_again(before, documents, t_wall=int(time.time() * 1000))
    after = derive_trajectory([*events, *again])
    return [Reread(was, now) for was, now in zip(before.result_pages, after.result_pages, strict=True)]


def as_data(page: ParsedResultPage) -> Mapping[str, Any]:
    """Return a page that was read for programs; a result without a snippet has null in its place."""
    results = [
        {"rank": result.rank, "title": result.title, "url": result.url, "snippet": result.snippet or None}
        for result in page.results
    ]
    return {
        "status": page.status,
        "query": page.query,
        "results": results,
        "blocks": dict(page.blocks),
        "engine": page.engine,
        "start": page.start,
        "wall": page.wall,
        "parser_version": page.parser_version,
    }


def _document(data: bytes) -> tuple[bytes, str | None]:
    head = data[:2048].lower()
    if b"multipart/related" not in head and b"snapshot-content-location:" not in head:
        return data, None
    location, parts = read_mhtml(data)
    return parts[0].data, location


def _engine(url: str) -> str | None:
    found = recognise(url) or recognise(search_behind(url) or "")
    return None if found is None else found.engine


def _engines() -> str:
    return f"read: {_READ}; only recognised by their address: {_OTHERS}"


def _show_rereads(rereads: Sequence[Reread], json_to: str | None) -> None:
    if json_to is None:
        print_reread(rereads)
        return
    pages = [
        {"seq": now.seq, "query": now.text, "start": now.start, "was": _summary(was), "now": _summary(now)}
        for was, now in rereads
    ]
    write_json(json_to, {"pages": pages})


def _summary(page: ResultPage) -> Mapping[str, Any]:
    return {
        "status": page.status,
        "results": len(page.results),
        "blocks": dict(page.blocks),
        "parser_version": page.parser_version,
    }
