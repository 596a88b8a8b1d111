"""`trailbench capture forget`: take events of a recording back before they are sent."""

from __future__ import annotations

import re
from pathlib import Path

import click

from browser_capture.cli.asking import asked
from browser_capture.cli.json_output import json_option, write_json
from browser_capture.cli.plain import counted
from browser_capture.errors import UserError
from browser_capture.folders import capture_home
from browser_capture.forgetting import already_forgotten, forget_events, forgettable
from browser_capture.kept_recordings import find_recording

_SPAN = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@click.command(
    "forget",
    short_help="Take events back before they are sent.",
    epilog="Example: trailbench capture forget SESSION 12-20",
)
@click.argument("session")
@click.argument("span", metavar="FROM-TO")
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of this machine's pairing, profile and recordings.  [env: TRAILBENCH_CAPTURE_HOME]",
)
@click.option("--yes", is_flag=True, help="Do not ask once more.")
@json_option
def forget(session: str, span: str, home: Path | None, yes: bool, json_to: str | None) -> None:
    """Take the events FROM to TO of a recording back, for ever, before they are sent.

    Their numbers stand in `trailbench capture inspect SESSION`. What they held and their pages are deleted here; that
    something was forgotten, and when, stays. While a recording runs, its panel forgets the last minutes instead.

    Leaves with 0 when they are gone, or you said no; with 2 when the events are not there, have to stay or may be at
    the server already; with 3 while somebody records or sends.
    """
    found = _SPAN.fullmatch(span.strip())
    if found is None:
        raise UserError(f"{span!r} is no span of events; expected two numbers such as 12-20, or one")
    first, last = int(found[1]), int(found[2] or found[1])
    where = capture_home(home)
    folder = find_recording(where, session)
    if folder.parent != where / "spool":
        raise UserError(f"{folder} is not among the recordings of {where}: name its --home, and its session")
    count, before = forgettable(folder, first, last), already_forgotten(folder, first, last)
    if not count and not before:
        raise UserError(
            f"there is nothing to forget from {first} to {last}: start, stop, pauses and the recorder's own notes stay"
        )
    question = f"Forget {counted(count, 'event')} of recording {folder.name} for ever?"
    is_wanted = count > 0 and (yes or asked(lambda: click.confirm(question, err=True), "--yes"))
    is_refused, count = count > 0 and not is_wanted, forget_events(where, folder, first, last) if is_wanted else 0
    if json_to is not None:
        write_json(json_to, {"session": folder.name, "from": first, "to": last, "forgotten": count})
    elif count:
        click.echo(
            f"{counted(count, 'event')} of recording {folder.name} forgotten. Look whether a word is gone with: "
            f"trailbench capture inspect {folder.name} --search WORD"
        )
    elif is_refused:
        click.echo("Nothing was forgotten.")
    else:
        click.echo(f"Nothing is left to forget there: {counted(before, 'event')} forgotten already.")
