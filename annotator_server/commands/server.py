"""`trailbench server`: set a home folder up, add people, run the server, bring its database up to date."""

from __future__ import annotations

import json
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
from annotator_server.workflow import people

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


def _json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Write one JSON object a line instead of sentences.")(
        command
    )


@click.group(epilog="Example: trailbench server init --project history")
def server() -> None:
    """Run the annotation server."""


@server.command(epilog="Example: trailbench server init --project history")
@_home_option
@click.option("--project", default="search", show_default=True, help="Name of the first project.")
@_json_option
def init(home: Path, project: str, as_json: bool) -> None:
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
        as_json,
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
@_json_option
def add_user(
    email: str, role: str, name: str, project: str | None, password_stdin: bool, home: Path, as_json: bool
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
    _say(as_json, added._asdict(), sentence)


@server.command(epilog="Example: trailbench server run --port 8085")
@_home_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8085, show_default=True, help="0 takes a free one.")
@_json_option
def run(home: Path, host: str, port: int, as_json: bool) -> None:
    """Serve until Ctrl-C. Jobs run in the same process."""
    settings = config.load_settings(home)
    app = create_app(home)
    with app.app_context():
        revisions.refuse_wrong_revision(settings)
        db.engine.dispose()
    listener = serving.listen(host, port)
    url = serving.address_of(listener)
    _say(as_json, {"state": "serving", "url": url, "home": str(home)}, f"Serving {home} at {url} (Ctrl-C stops)")
    serving.serve(home, listener)
    _say(as_json, {"state": "stopped"}, "Stopped. Everything is saved.")


@server.command(epilog="Example: trailbench server upgrade")
@_home_option
@_json_option
def upgrade(home: Path, as_json: bool) -> None:
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
        as_json,
        {"revision": revision, "changed": changed},
        f"The database {'now has' if changed else 'already had'} revision {revision}.",
    )


def _say(as_json: bool, data: dict[str, Any], sentence: str) -> None:
    click.echo(json.dumps(data) if as_json else sentence)
    sys.stdout.flush()
