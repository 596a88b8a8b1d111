"""The database's revision: which one it has, which one this software needs, and how to get there."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from flask_migrate import Migrate
from sqlalchemy.exc import DatabaseError, OperationalError

from annotator_server.clock import utc_now
from annotator_server.config import Settings
from annotator_server.database import db, is_sqlite
from annotator_server.errors import DatabaseAway, SetupError, WrongRevision

DIRECTORY = Path(__file__).parent / "migrations"


def init_migrations(app: Flask) -> None:
    """Give the app its `flask db` commands, for developers who write the next revision."""
    Migrate(app, db, directory=str(DIRECTORY))


def upgrade_database(settings: Settings) -> bool:
    """Bring the database to the revision this software needs; tell whether anything was done. Needs an app context.

    An SQLite database that holds something is copied beside itself first. Raises WrongRevision for a newer database.
    """
    found = current_revision(settings)
    if found == newest_revision():
        return False
    _refuse_unknown(settings, found)
    if found is not None and is_sqlite():
        _copy_aside(Path(str(db.engine.url.database)), found)
    db.session.remove()
    command.upgrade(_alembic(settings), "head")
    return True


def refuse_wrong_revision(settings: Settings) -> None:
    """Raise WrongRevision, with the command that mends it, unless the database fits. Needs an app context."""
    found = current_revision(settings)
    if found is None:
        raise SetupError(
            f"the database of {settings.home} is empty; type: trailbench server init --home {settings.home}"
        )
    _refuse_unknown(settings, found)
    if found != newest_revision():
        raise WrongRevision(
            f"the database has revision {found}, this version of trailbench needs {newest_revision()}; "
            f"stop the server and type: trailbench server upgrade --home {settings.home}"
        )


def current_revision(settings: Settings) -> str | None:
    """Return the database's revision, None for an empty one.

    Raises DatabaseAway when its server does not answer, SetupError when the database cannot be read at all.
    """
    try:
        with db.engine.connect() as connection:
            if is_sqlite():
                _refuse_damaged(connection)
            return MigrationContext.configure(connection).get_current_revision()
    except (DatabaseError, sqlite3.DatabaseError) as error:
        reason = str(error.orig if isinstance(error, DatabaseError) else error).strip().splitlines()[0]
        place = db.engine.url.render_as_string(hide_password=True)
        if isinstance(error, OperationalError) and not is_sqlite():
            raise DatabaseAway(
                f"the database server of {place} does not answer ({reason}); start it, or mend its url in "
                f"{settings.home / 'config.toml'}, and give the same command again"
            ) from error
        raise SetupError(
            f"the database {place} cannot be read ({reason}); "
            f"put back a copy of it, or move it away and type: trailbench server init --home {settings.home}"
        ) from error


def newest_revision() -> str:
    """Return the revision this software needs."""
    head = ScriptDirectory(str(DIRECTORY)).get_current_head()
    assert head is not None  # noqa: S101 - the package ships its migrations
    return head


def _refuse_unknown(settings: Settings, found: str | None) -> None:
    known = {script.revision for script in ScriptDirectory(str(DIRECTORY)).walk_revisions()}
    if found is not None and found not in known:
        raise WrongRevision(
            f"the database of {settings.home} has revision {found}, which this version of trailbench does not know "
            f"(it needs {newest_revision()}); use the newer trailbench that made it, or put back an older copy of it"
        )


def _refuse_damaged(connection: sa.Connection) -> None:
    # quick_check reads every page once but no index twice: a torn file is found before it is served.
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        raise sqlite3.DatabaseError(str(found))


def _copy_aside(path: Path, revision: str) -> None:
    aside = path.with_name(f"{path.name}.before-{revision}-{utc_now():%Y%m%dT%H%M%S}")
    source, target = sqlite3.connect(path), sqlite3.connect(aside)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()


def _alembic(settings: Settings) -> Config:
    config = Config()
    config.set_main_option("script_location", str(DIRECTORY))
    config.set_main_option("sqlalchemy.url", settings.database_url.replace("%", "%%"))
    return config
