"""What Alembic runs for every command: our tables, our connection, SQLite tables rebuilt in batches.

On SQLite the connection has foreign keys off, because rebuilding a parent table with them on deletes its children;
`foreign_key_check` afterwards proves that nothing was lost.
"""

from __future__ import annotations

from typing import Any, Literal

import sqlalchemy as sa
from alembic import context
from sqlalchemy.pool import NullPool

from annotator_server.database import JsonText, UtcDateTime, prepare_sqlite
from annotator_server.models.tables import metadata


def run() -> None:
    """Run the revisions asked for inside one transaction."""
    engine = sa.create_engine(context.config.get_main_option("sqlalchemy.url", ""), poolclass=NullPool)
    is_sqlite = engine.dialect.name == "sqlite"
    if is_sqlite:
        prepare_sqlite(engine, foreign_keys=False)
    with engine.connect() as connection:
        context.configure(
            connection=connection, target_metadata=metadata, render_as_batch=is_sqlite, render_item=plain_type
        )
        with context.begin_transaction():
            context.run_migrations()
            if is_sqlite and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()):
                raise RuntimeError(f"the migration would leave {len(broken)} rows without their parent: {broken[:3]}")
    engine.dispose()


def plain_type(kind: str, item: Any, _: Any) -> str | Literal[False]:
    """Write our own column types as what they are in the database: a revision must not change when they do."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return "sa.Text()" if kind == "type" and isinstance(item, JsonText) else False


run()
