"""`trailbench capture inspect`: what a recording on this machine holds, before and while it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from browser_capture.cli.inspection_text import as_data, hit_sentences, page_sentences, sentences
from browser_capture.cli.json_output import json_option, write_json
from browser_capture.cli.plain import counted, plain
from browser_capture.errors import CheckFailed, IncompleteError
from browser_capture.folders import capture_home
from browser_capture.jots import Jots, Waiting
from browser_capture.kept_recordings import find_recording, state_of, task_of
from browser_capture.looked_at import asks_for_a_look, note_looked_at
from browser_capture.looking import Look, look_at, page_of, search_for
from browser_capture.searching import excerpt_around
from browser_capture.spool import spools

WORD_FOUND = CheckFailed.exit_code
"""Exit code when a word that was searched for stands in what goes out."""


@click.command(
    "inspect",
    short_help="See what a recording sends, before it does.",
    epilog="Example: trailbench capture inspect --search 'a name'",
)
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
    a recording. Without it, the recording written to last is shown and what else waits is named; --search then looks
    through all of it. Nothing of it is changed; where the project asks you to look first, that you did is noted.

    Leaves with 0; with --search 0 when the word stands nowhere, 4 when it was found, 3 when some parts could not be
    looked through; with 2 when there is no such recording or it cannot be read.
    """
    if page is not None and word is not None:
        raise click.UsageError("--page and --search are two questions; ask one at a time")
    where = capture_home(home)
    jots = Jots(where).waiting() if recording is None else []
    if word is not None:
        folders = list(spools(where)) if recording is None else [find_recording(where, recording)]
        _search([look_at(where, folder) for folder in folders], jots, word, json_to)
        return
    look = look_at(where, find_recording(where, recording))
    if page is not None:
        _show_page(look, page, json_to)
    else:
        _show(where, look, json_to, jots, others=recording is None)


def _show(home: Path, look: Look, json_to: str | None, jots: Sequence[Waiting], *, others: bool) -> None:
    left = [folder for folder in spools(home) if folder != look.folder] if others else []
    more = [{"session": folder.name, "task": task_of(folder), "state": state_of(home, folder)} for folder in left]
    if json_to is not None:
        write_json(json_to, {**as_data(look), "others": more, "jots": [jot.event.data for jot in jots]})
    else:
        _say(sentences(look))
        _say(f"Another one: {item['session']} of task {item['task']} ({item['state']})" for item in more)
        _say(f"A jotted question: {plain(_words_of_jot(jot))}" for jot in jots)
    if asks_for_a_look(look.about) and look.found is not None and look.state in {"waits", "interrupted", "being sent"}:
        note_looked_at(look.folder, look.found.events)


def _show_page(look: Look, number: int, json_to: str | None) -> None:
    page, texts = page_of(look, number)
    if json_to is None:
        _say(page_sentences(page, texts))
        return
    snapshots = [{"seq": text.seq, "trigger": text.trigger, "text": text.text} for text in texts]
    write_json(json_to, {"number": page.number, "url": page.url, "title": page.title, "snapshots": snapshots})


def _search(looks: Sequence[Look], jots: Sequence[Waiting], word: str, json_to: str | None) -> None:
    found = [(look, search_for(look, word)) for look in looks]
    jotted = [jot for jot in jots if excerpt_around(word, _words_of_jot(jot).encode("utf-8", "replace")) is not None]
    unread = [what for _, searched in found for what in searched.unread]
    if json_to is None:
        for look, searched in found:
            _say(hit_sentences(look, word, searched))
        _say(f"It stands in a jotted question: {plain(_words_of_jot(jot))}" for jot in jotted)
        _say([] if looks or jots else ["Nothing waits on this machine."])
    else:
        hits = [{"session": look.about.session, **hit._asdict()} for look, searched in found for hit in searched.hits]
        data = {"word": word, "hits": hits, "jots": [jot.event.data for jot in jotted], "unread": unread}
        write_json(json_to, data)
    if jotted or any(searched.hits for _, searched in found):
        raise click.exceptions.Exit(WORD_FOUND)
    if unread:
        raise IncompleteError(f"{counted(len(unread), 'part')} of what waits could not be looked through")


def _words_of_jot(jot: Waiting) -> str:
    data = jot.event.data
    parts = (data.get("question"), data.get("quote"), data.get("topic"), jot.event.url)
    return " / ".join(str(part) for part in parts if part)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
