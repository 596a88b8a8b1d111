"""The database: one session a request, one writing transaction a workflow verb.

Reading opens a plain BEGIN, so that a page never waits for a writer. Writing goes through `writing()` alone: it takes
the process-wide lock first (SQLite's own waiting is unfair and starves writers), then BEGIN IMMEDIATE, and commits
once, at its end. A flush outside of `writing()` is a fault of ours and is refused.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.exc import ArgumentError, IntegrityError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Session

from annotator_server.errors import Busy, Conflict, SetupError
from browser_capture.json_records import dumps

BUSY_SECONDS = 5

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """The root of all rows. Constraints have names, so that migrations can speak of them."""

    metadata = sa.MetaData(naming_convention=NAMES)


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})

_writer = threading.Lock()
_is_writing: ContextVar[bool] = ContextVar("is_writing", default=False)


class UtcDateTime(sa.TypeDecorator[datetime]):
    """An aware UTC moment; a naive one is refused, because nobody knows what it means."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without an offset was about to be stored: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)  # SQLite gives back what was stored, without its offset


class JsonText(sa.TypeDecorator[Any]):
    """JSON as ASCII text: the same bytes on both databases, and a stray NUL or surrogate cannot break either."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:
        return None if value is None else dumps(value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        return None if value is None else json.loads(value)


@contextmanager
def writing() -> Iterator[Session]:
    """Open the one writing transaction of a verb; commit at its end, roll back on any error.

    What was read before is read anew inside, so that guards see the truth. Raises Busy after the time limit.
    """
    session = db.session()
    session.rollback()  # ends the read transaction this request may have open
    locked = _writer.acquire(timeout=BUSY_SECONDS) if is_sqlite() else None
    if locked is False:
        raise Busy("the server is busy writing; nothing was changed, please send it again")
    token = _is_writing.set(True)
    try:
        session.connection()  # opens the transaction here and now, so that every guard below reads inside it
        yield session
        session.commit()
    except (IntegrityError, OperationalError) as error:
        session.rollback()
        reason = str(error.orig).lower()
        if "locked" in reason or "deadlock" in reason:
            raise Busy("another program locks the database; nothing was changed, please send it again") from error
        if "unique" in reason:
            # Two did the same at the same moment; the database let one through.
            raise Conflict("someone did the same a moment ago; nothing was changed, reload the page") from error
        raise
    except BaseException:
        session.rollback()
        raise
    finally:
        _is_writing.reset(token)
        if locked:
            _writer.release()


def is_sqlite() -> bool:
    """Tell whether the present app's database is an SQLite file."""
    return db.engine.dialect.name == "sqlite"


def init_database(app: Flask) -> None:
    """Connect an app to its database and install SQLite's settings on every new connection.

    Raises SetupError when the database's address in config.toml cannot be used at all.
    """
    try:
        db.init_app(app)
    except ModuleNotFoundError as error:
        raise SetupError(
            f"this database needs the module {error.name}; install it with: pip install 'trailbench[postgres]'"
        ) from error
    except ArgumentError as error:
        raise SetupError(f"config.toml: the database's url cannot be read: {error}") from error
    with app.app_context():
        if is_sqlite():
            prepare_sqlite(db.engine)


def prepare_sqlite(engine: sa.Engine, *, foreign_keys: bool = True) -> None:
    """Give an SQLite engine WAL, foreign keys, a busy timeout, and BEGIN in our own hands.

    Migrations switch foreign keys off: rebuilding a table with them on would empty its child tables.
    """

    def on_connect(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "synchronous=NORMAL",
            f"foreign_keys={'ON' if foreign_keys else 'OFF'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    def on_begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if _is_writing.get() else "BEGIN")

    sa.event.listen(engine, "connect", on_connect)
    sa.event.listen(engine, "begin", on_begin)


@sa.event.listens_for(db.session, "before_flush")
def _refuse_stray_writes(session: Session, *_: Any) -> None:
    if not _is_writing.get():
        raise RuntimeError(f"rows were changed outside of a workflow verb: {list(session.dirty | session.new)[:3]}")
