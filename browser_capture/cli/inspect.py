"""`trailbench capture inspect`: what a recording on this machine holds, before and while it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from browser_capture.cli.inspection_text import as_data, hit_sentences, page_sentences, sentences
from browser_capture.cli.json_output import json_option, write_json
from browser_capture.errors import IncompleteError
from browser_capture.folders import capture_home
from browser_capture.kept_recordings import find_recording, state_of, task_of
from browser_capture.looked_at import asks_for_a_look, note_looked_at
from browser_capture.looking import Look, look_at, page_of, search_for
from browser_capture.spool import spools

WORD_FOUND = 1
"""Exit code when a word that was searched for stands in what goes out."""


@click.command("inspect", epilog="Example: trailbench capture inspect --search 'a name'")
@click.argument("recording", required=False, metavar="[SESSION|FOLDER]")
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of this machine's pairing, profile and recordings.  [env: TRAILBENCH_CAPTURE_HOME]",
)
@click.option("--page", type=click.IntRange(min=1), help="Show the text of the page of this number, as it goes out.")
@click.option("--search", "word", metavar="WORD", help="Say where WORD stands in anything that goes out.")
@json_option
def inspect(recording: str | None, home: Path | None, page: int | None, word: str | None, json_to: str | None) -> None:
    """Say in plain words what of a recording is sent to the server, and what stays out.

    SESSION is the name that `trailbench capture status` shows, its first letters, or its task; FOLDER is the folder of
    a recording. Without it, the recording written to last is shown and the others are named. Nothing is changed.

    Leaves with 0; with --search 0 when the word stands nowhere, 1 when it was found, 3 when some parts could not be
    looked through; with 2 when there is no such recording or it cannot be read.
    """
    if page is not None and word is not None:
        raise click.UsageError("--page and --search are two questions; ask one at a time")
    where = capture_home(home)
    look = look_at(where, find_recording(where, recording))
    if word is not None:
        _search(look, word, json_to)
    elif page is not None:
        _show_page(look, page, json_to)
    else:
        _show(where, look, json_to, others=recording is None)


def _show(home: Path, look: Look, json_to: str | None, *, others: bool) -> None:
    left = [folder for folder in spools(home) if folder != look.folder] if others else []
    more = [{"session": folder.name, "task": task_of(folder), "state": state_of(home, folder)} for folder in left]
    if json_to is not None:
        write_json(json_to, {**as_data(look), "others": more})
    else:
        _say(sentences(look))
        _say(f"Another one: {item['session']} of task {item['task']} ({item['state']})" for item in more)
    if asks_for_a_look(look.about) and look.found is not None and look.state in {"waits", "interrupted", "being sent"}:
        note_looked_at(look.folder, look.found.events)


def _show_page(look: Look, number: int, json_to: str | None) -> None:
    page, texts = page_of(look, number)
    if json_to is None:
        _say(page_sentences(page, texts))
        return
    snapshots = [{"seq": text.seq, "trigger": text.trigger, "text": text.text} for text in texts]
    write_json(json_to, {"number": page.number, "url": page.url, "title": page.title, "snapshots": snapshots})


def _search(look: Look, word: str, json_to: str | None) -> None:
    searched = search_for(look, word)
    if json_to is None:
        _say(hit_sentences(look, word, searched))
    else:
        hits: list[Mapping[str, Any]] = [hit._asdict() for hit in searched.hits]
        write_json(json_to, {"word": word, "session": look.about.session, "hits": hits, "unread": searched.unread})
    if searched.hits:
        raise click.exceptions.Exit(WORD_FOUND)
    if searched.unread:
        raise IncompleteError(f"{len(searched.unread)} parts of the recording could not be looked through")


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
