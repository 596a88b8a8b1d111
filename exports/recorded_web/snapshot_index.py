"""Page texts come in, an SQLite full-text index goes out: what is indexed are our own terms, the text stays outside.

Rows are numbered in the order the pages come, and a tie is broken by that number: see `row_order`.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from browser_capture.json_records import sha256
from exports.recorded_web import tokens
from exports.recorded_web.tokens import terms

log = logging.getLogger(__name__)

VERSION = f"1.{tokens.VERSION}"
TITLE_WEIGHT, BODY_WEIGHT = 2.0, 1.0
_SCHEMA = """
create table pages (id integer primary key, key text not null, day text not null);
create virtual table found using fts5(
  title, body, content='', tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
create virtual table vocabulary using fts5vocab(found, row);
"""


class IndexedPage(NamedTuple):
    """A page as the index sees it: its key, the day of its capture, and what it says."""

    key: str
    day: str
    title: str
    text: str


def row_order(key: str, day: str) -> str:
    """Return what pages are to be sorted by: a hash, so that a row's number tells nothing about the recording."""
    return sha256(f"{key} {day}")


class SnapshotIndex:
    """A full-text index over recorded pages. Use it as a context manager, or close it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.size: int = connection.execute("select count(*) from pages").fetchone()[0]

    def __enter__(self) -> SnapshotIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def frequency(self, term: str) -> int:
        """Return how many pages hold a term."""
        row = self._connection.execute("select doc from vocabulary where term = ?", (term,)).fetchone()
        return int(row[0]) if row else 0

    def best(self, any_of: Sequence[str], until: str, limit: int) -> list[str]:
        """Return the keys of the pages that match best by BM25, best first, captured no later than `until`."""
        if not any_of:
            return []
        query = " OR ".join(f'"{term}"' for term in any_of)  # terms hold letters and digits only: nothing to escape
        rows = self._connection.execute(
            "select pages.key from found join pages on pages.id = found.rowid where found match ? and pages.day <= ?"
            " order by bm25(found, ?, ?), pages.id limit ?",
            (query, until, TITLE_WEIGHT, BODY_WEIGHT, limit),
        )
        return [key for (key,) in rows]


def open_index(pages: Callable[[], Iterable[IndexedPage]], name: str, cache: Path | None) -> SnapshotIndex:
    """Return the index called `name`, from the cache folder if it is there, else built and kept there.

    Without a cache folder, or when it cannot be written, the index lives in memory.
    """
    if cache is None:
        return _in_memory(pages())
    path = cache / f"{name}-{VERSION}.sqlite"
    kept = _open(path)
    if kept is not None:
        return kept
    try:
        _build_file(pages(), path)
    except OSError as error:
        log.warning("the search index cannot be kept in %s (%s); it is built in memory", cache, error)
        return _in_memory(pages())
    return _open(path) or _in_memory(pages())


def _open(path: Path) -> SnapshotIndex | None:
    if not path.exists():
        return None
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
    try:
        return SnapshotIndex(connection)
    except sqlite3.DatabaseError as error:
        connection.close()
        log.warning("the search index %s cannot be read (%s); it is built again", path, error)
        return None


def _in_memory(pages: Iterable[IndexedPage]) -> SnapshotIndex:
    connection = sqlite3.connect(":memory:")
    _fill(connection, pages)
    return SnapshotIndex(connection)


def _build_file(pages: Iterable[IndexedPage], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".index-")
    os.close(handle)
    try:
        connection = sqlite3.connect(temporary)
        try:
            _fill(connection, pages)
        finally:
            connection.close()
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, pages: Iterable[IndexedPage]) -> None:
    connection.executescript(_SCHEMA)
    with connection:
        for number, page in enumerate(pages, start=1):
            connection.execute("insert into pages values (?, ?, ?)", (number, page.key, page.day))
            connection.execute(
                "insert into found(rowid, title, body) values (?, ?, ?)",
                (number, " ".join(terms(page.title)), " ".join(terms(page.text))),
            )
        connection.execute("insert into found(found) values ('optimize')")
