"""The database's history: the migrations make the tables of the models, and a wrong database is never served."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask
from sqlalchemy import event, func, select

from annotator_server import config, revisions
from annotator_server.app import create_app
from annotator_server.clock import utc_now
from annotator_server.database import db, writing
from annotator_server.errors import Busy, SetupError, WrongRevision
from annotator_server.models.accounts import User
from annotator_server.models.questions import Question
from annotator_server.models.tables import metadata
from annotator_server.models.tasks import Task
from exports.cli.root import run


def check(home: Path) -> None:
    """Refuse a home the way `run` does."""
    app = create_app(home)
    with app.app_context():
        try:
            revisions.refuse_wrong_revision(config.load_settings(home))
        finally:
            db.engine.dispose()


@pytest.mark.usefixtures("any_home")
def test_migrations_make_the_tables_of_the_models(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_down_and_up_again_ends_where_it_began(app: Flask, home: Path) -> None:
    settings = config.load_settings(home)
    with app.app_context():
        command.downgrade(revisions._alembic(settings), "base")
        assert revisions.current_revision(settings) is None
        assert revisions.upgrade_database(settings)
        assert revisions.current_revision(settings) == revisions.newest_revision()


@pytest.mark.parametrize("words", [["init"], ["upgrade"], ["run", "--port", "0"]])
def test_a_newer_database_is_told_in_one_sentence(
    sqlite_home: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with sqlite3.connect(sqlite_home / "trailbench.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert run(["server", *words, "--home", str(sqlite_home)]) == 2
    assert "use the newer trailbench that made it" in capsys.readouterr().err
    assert not list(sqlite_home.glob("*.before-*"))


def test_an_older_database_is_refused_with_the_command_to_type(
    sqlite_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "newest_revision", lambda: "9999")
    with pytest.raises(WrongRevision, match="trailbench server upgrade --home"):
        check(sqlite_home)


def test_an_empty_database_is_refused_with_the_command_to_type(sqlite_home: Path) -> None:
    for file in sqlite_home.glob("trailbench.db*"):
        file.unlink()
    with pytest.raises(SetupError, match="trailbench server init --home"):
        check(sqlite_home)


@pytest.mark.parametrize("damage", ["no database at all", "torn"])
def test_a_damaged_database_is_one_sentence(sqlite_home: Path, damage: str) -> None:
    file = sqlite_home / "trailbench.db"
    data = file.read_bytes()
    file.write_bytes(b"not a database" * 400 if damage != "torn" else data[:8192] + b"\xff" * 40_000 + data[48_192:])
    with pytest.raises(SetupError, match="cannot be read") as caught:
        check(sqlite_home)
    assert "\n" not in str(caught.value)


def test_an_upgrade_copies_the_database_aside_first(app: Flask, home: Path) -> None:
    settings = config.load_settings(home)
    with app.app_context():
        command.downgrade(revisions._alembic(settings), "base")
        command.stamp(revisions._alembic(settings), "0001")
        revisions._copy_aside(home / "trailbench.db", "0001")
    (copy,) = home.glob("trailbench.db.before-0001-*")
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_row_changed_outside_of_a_verb_is_refused(app: Flask) -> None:
    with app.app_context():
        db.session.scalars(select(User)).all()[0].name = "someone"
        with pytest.raises(RuntimeError, match="outside of a workflow verb"):
            db.session.flush()
        db.session.rollback()


def test_reading_begins_plainly_and_writing_at_once(app: Flask) -> None:
    said: list[str] = []
    with app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *args: said.append(args[2]))
        db.session.scalar(select(func.count()).select_from(User))
        db.session.rollback()
        with writing() as session:
            session.scalar(select(func.count()).select_from(User))
    assert [text for text in said if text.startswith("BEGIN")] == ["BEGIN", "BEGIN IMMEDIATE"]


def test_a_database_locked_by_another_program_says_busy(app: Flask, home: Path) -> None:
    other = sqlite3.connect(home / "trailbench.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with app.app_context():
        db.session.connection().exec_driver_sql("PRAGMA busy_timeout=100")
        db.session.rollback()
        with pytest.raises(Busy, match="nothing was changed"), writing():
            raise AssertionError("the transaction must not open")
    other.close()


def test_a_child_without_its_parent_is_refused(app: Flask) -> None:
    with app.app_context(), pytest.raises(Exception, match="FOREIGN KEY"), writing() as session:
        session.add(Task(project_id=1, question_id=999, state="draft", state_since=utc_now()))


def test_a_time_without_offset_is_refused(app: Flask) -> None:
    naive = datetime(2026, 1, 1)
    row = Question(project_id=1, number=1, public_id="x", author_id=1, version=1, created_at=naive)
    with app.app_context(), pytest.raises(Exception, match="without an offset"), writing() as session:
        session.add(row)
