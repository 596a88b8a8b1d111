"""`trailbench server`: set a home folder up, add people, run the server, bring its database up to date."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from annotator_server import config, revisions
from annotator_server.app import create_app
from annotator_server.commands import serving
from annotator_server.database import db
from annotator_server.policy import ROLES
from annotator_server.workflow import people, taking_back
from browser_capture.cli.json_output import JsonLines, json_lines_option

Command = Callable[..., Any]


def _home_option(command: Command) -> Command:
    return click.option(
        "--home",
        type=click.Path(path_type=Path, file_okay=False),
        default=config.DEFAULT_HOME,
        envvar="TRAILBENCH_HOME",
        show_default=True,
        help="The server's folder.",
    )(command)


@click.group(epilog="Example: trailbench server init --project history")
def server() -> None:
    """Run the annotation server."""


@server.command(epilog="Example: trailbench server init --project history")
@_home_option
@click.option("--project", default="search", show_default=True, help="Name of the first project.")
@json_lines_option
def init(home: Path, project: str, json_lines: JsonLines | None) -> None:
    """Make the home folder, the database and the first project. Doing it again changes nothing."""
    config.create_home(home)
    settings = config.load_settings(home)
    app = create_app(home)
    with app.app_context():
        try:
            is_new_database = revisions.upgrade_database(settings)
            is_new_project = people.ensure_project(project)
        finally:
            db.engine.dispose()
    done = {"home": str(home), "project": people.slug_of(project), "made": is_new_database or is_new_project}
    _say(
        json_lines,
        done,
        f"{'Set up' if done['made'] else 'Already set up:'} {home}, project {done['project']}.\n"
        f"Next: trailbench server user add you@example.org --role admin --home {home}",
    )


@server.group()
def user() -> None:
    """Add people."""


@user.command("add", epilog="Example: trailbench server user add ana@example.org --role annotator")
@click.argument("email")
@click.option("--role", type=click.Choice(ROLES), required=True, help="What the person does in the project.")
@click.option("--name", default="", help="How pages call the person. Default: the part before the @.")
@click.option("--project", default=None, help="Only needed where there are several projects.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of making one up.")
@_home_option
@json_lines_option
def add_user(
    email: str,
    role: str,
    name: str,
    project: str | None,
    password_stdin: bool,
    home: Path,
    json_lines: JsonLines | None,
) -> None:
    """Add a person, or a role of a person who is there."""
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    settings = config.load_settings(home)
    app = create_app(home)
    with app.app_context():
        try:
            revisions.refuse_wrong_revision(settings)
            added = people.add_person(email, role, name=name, password=password, project=project)
        finally:
            db.engine.dispose()
    sentence = f"{added.email} is {added.role} in {added.project}."
    if added.password is not None:
        sentence += f"\nPassword, shown this once: {added.password}"
    _say(json_lines, added._asdict(), sentence)


@server.command(epilog="Example: trailbench server run --port 8085")
@_home_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8085, show_default=True, help="0 takes a free one.")
@json_lines_option
def run(home: Path, host: str, port: int, json_lines: JsonLines | None) -> None:
    """Serve until Ctrl-C. Jobs run in the same process."""
    settings = config.load_settings(home)
    app = create_app(home)
    with app.app_context():
        revisions.refuse_wrong_revision(settings)
        db.engine.dispose()
    listener = serving.listen(host, port)
    url = serving.address_of(listener)
    _say(json_lines, {"state": "serving", "url": url, "home": str(home)}, f"Serving {home} at {url} (Ctrl-C stops)")
    serving.serve(home, listener)
    _say(json_lines, {"state": "stopped"}, "Stopped. Everything is saved.")


@server.command(epilog="Example: trailbench server upgrade")
@_home_option
@json_lines_option
def upgrade(home: Path, json_lines: JsonLines | None) -> None:
    """Bring the database to what this version of trailbench needs. A copy of it is kept beside it."""
    settings = config.load_settings(home)
    app = create_app(home)
    with app.app_context():
        try:
            changed = revisions.upgrade_database(settings)
        finally:
            db.engine.dispose()
    revision = revisions.newest_revision()
    _say(
        json_lines,
        {"revision": revision, "changed": changed},
        f"The database {'now has' if changed else 'already had'} revision {revision}.",
    )


@server.command(epilog="Example: trailbench server forget 5f0c2a 812 840 --why 'asked by its searcher'")
@click.argument("session")
@click.argument("first", type=click.IntRange(min=1))
@click.argument("last", type=click.IntRange(min=1))
@click.option("--why", required=True, help="Why; it stands in the audit chain.")
@_home_option
@json_lines_option
def forget(session: str, first: int, last: int, why: str, home: Path, json_lines: JsonLines | None) -> None:
    """Take back the events FIRST to LAST of the recording SESSION, for ever, with the pages only they name.

    For what a searcher wants back after it was sent. Tombstones stay; Start, Stop, pauses and gaps do too.
    """
    settings = config.load_settings(home)
    app = create_app(home)
    with app.app_context():
        try:
            revisions.refuse_wrong_revision(settings)
            done = taking_back.take_back(session, first, last, why, config.page_store(home))
        finally:
            db.engine.dispose()
    sentence = f"{done.events} events taken back, {done.blobs} files of pages deleted."
    if done.questions:
        sentence += f" Have the answer checked again (Check again on its review page): {', '.join(done.questions)}"
    _say(json_lines, done._asdict(), sentence)


def _say(json_lines: JsonLines | None, data: dict[str, Any], sentence: str) -> None:
    if json_lines is None:
        click.echo(sentence)
    else:
        json_lines.write(data)
    sys.stdout.flush()
