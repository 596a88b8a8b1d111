"""Looks at a recording's folder and changes nothing in it: what it holds, how much that is, where a word stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from browser_capture.errors import TrailbenchError, UserError
from browser_capture.inspection import Inspection, SeenPage, inspect_lines
from browser_capture.kept_recordings import require_lines, state_of
from browser_capture.log_lines import LINES, Line, LogTail
from browser_capture.looked_at import must_be_looked_at
from browser_capture.outbox import read_sent
from browser_capture.page_store import PageStore
from browser_capture.searching import excerpt_around, is_text, stands_in
from browser_capture.spool import About, read_about

_TEXT, _RECORD = "text", "record"
_HASH = re.compile("[0-9a-f]{32}|[0-9a-f]{64}")
_ANY_EVENT = "what is noted of a step"
_EVENTS: Mapping[str, str] = {
    "query": "what you searched for",
    "serp": "the results of a search",
    "copy": "what you copied",
    "evidence": "what you marked",
    "jot": "what you jotted down",
    "click": "what you clicked",
    "visit": "the address or title of a page you visited",
    "snapshot": "the address or title of a page that is kept",
    "download": "the name or address of a download",
    "nav_request": "an address that a page asked for",
    "response": "the address of a server's answer",
    "submit": "the address a form was sent to",
    "policy": "a note for the reviewer",
    "session_start": "what is noted of you and this machine",
}
_GLUE = frozenset(
    {"schema", "session", "type", "src", "task", "tab", "visit", "frame", "prev", "hash", "snapshot"}
    | {"engine", "how", "kind", "trigger", "method", "rule", "state", "parse_status"}
    | {"parser_version", "transition", "disposition", "cause", "chain_id", "from_visit", "previous_tab", "opener_tab"}
    | {"captured_at", "mime", "source"}
)
"""Members of a record that hold the recorder's own names, numbers and choices, never a word of a page or a person.

Left out by name, not chosen by name: what a later recorder adds is looked through.
"""
_PARTS: Mapping[str, str] = {
    _TEXT: "the text",
    _RECORD: "the list of the parts",
    "text/html": "the HTML",
    "application/xhtml+xml": "the HTML",
    "text/css": "a style sheet",
    "application/pdf": "the PDF",
    "part": "a part",
}


class Look(NamedTuple):
    """A recording as it lies on this machine. `found` is None while nothing is recorded in it."""

    about: About
    folder: Path
    state: str
    lines: Sequence[Line]
    found: Inspection | None
    torn: int
    """Bytes of a half-written last line, which does not go."""
    sizes: Mapping[str, int]
    """Bytes of each part that goes, by hash."""
    needs_look: bool

    @property
    def bytes(self) -> int:
        """Bytes of all that goes, before it is packed."""
        return sum(self.sizes.values()) + (self.found.log_bytes if self.found else 0)

    @property
    def missing(self) -> int:
        """How many parts its events name that are not on this machine."""
        return len(self.found.blobs) - len(self.sizes) if self.found is not None else 0

    @property
    def waiting_bytes(self) -> int:
        """Bytes of what has not left yet, before it is packed."""
        if self.found is None:
            return 0
        lines = sum(len(line.text) + 1 for line in self.lines[self.found.sent :])
        return lines + sum(self.sizes.get(sha, 0) for sha in self.found.waiting_blobs)


class Hit(NamedTuple):
    """A place where a word stands: the event that goes with it, what it stands in, and the text around."""

    seq: int
    where: str
    excerpt: str
    sent: bool


class Searched(NamedTuple):
    """Where a word stands, and the parts that could not be looked through."""

    hits: tuple[Hit, ...]
    unread: tuple[str, ...]


class PageText(NamedTuple):
    """The text of one snapshot as it goes, None where it cannot be read."""

    seq: int
    at: int
    trigger: str
    text: str | None
    problem: str = ""


def look_at(home: Path, folder: Path) -> Look:
    """Look at a recording. Raises SpoolDamaged when its log or its `about.json` cannot be read."""
    require_lines(folder)
    about, tail = read_about(folder), LogTail(folder)
    lines = tail.read()
    found = inspect_lines(lines, sent=read_sent(folder)) if lines else None
    return Look(
        about=about,
        folder=folder,
        state=state_of(home, folder),
        lines=lines,
        found=found,
        torn=max(0, (folder / LINES).stat().st_size - tail.size),
        sizes=_sizes(found, lines, PageStore(folder / "pages")) if found is not None else {},
        needs_look=must_be_looked_at(folder, about, lines),
    )


def page_of(look: Look, number: int) -> tuple[SeenPage, Sequence[PageText]]:
    """Return a page by its number and the text of its snapshots. Raises UserError when there is no such page."""
    pages = look.found.pages if look.found is not None else ()
    page = next((page for page in pages if page.number == number), None)
    if page is None:
        there_is = f"its pages are 1 to {len(pages)}" if pages else "it has no page"
        raise UserError(f"the recording {look.about.session} has no page {number}; {there_is}")
    store = PageStore(look.folder / "pages")
    texts = list[PageText]()
    for kept in page.snapshots:
        try:
            text = store.get(kept.text_sha).decode("utf-8", "replace")
            texts.append(PageText(kept.seq, kept.at, kept.trigger, text))
        except TrailbenchError as error:
            texts.append(PageText(kept.seq, kept.at, kept.trigger, None, str(error)))
    return page, texts


def search_for(look: Look, word: str) -> Searched:
    """Return where a word stands in what goes out: each line of the log, each text, each part of each page.

    Raises UserError for a word of nothing but white space.
    """
    if not word.strip():
        raise UserError("a word to search for is missing: --search WORD")
    if look.found is None:
        return Searched((), ())
    store, hits, unread, seen = PageStore(look.folder / "pages"), list[Hit](), list[str](), set[str]()
    for line in look.lines:
        event = line.event
        sent = event.seq <= look.found.sent
        excerpt = _excerpt_of_record(word, line.text)
        if excerpt is not None:
            hits.append(Hit(event.seq, _EVENTS.get(event.type, _ANY_EVENT), excerpt, sent))
        for sha, what in _parts(event.data) if event.type == "snapshot" else ():
            if sha in seen or not store.has(sha):
                continue
            seen.add(sha)
            where = f"{_part_words(what)} of the page {event.data.get('location') or event.url or ''}"
            try:
                excerpt = _excerpt(word, store.get(sha), what)
            except TrailbenchError as error:
                unread.append(f"{where}: {error}")
                continue
            if excerpt is not None:
                hits.append(Hit(event.seq, where, excerpt, sent))
    return Searched(tuple(hits), tuple(unread))


def _sizes(found: Inspection, lines: Sequence[Line], store: PageStore) -> Mapping[str, int]:
    known = {
        str(part["sha"]): int(part.get("bytes") or 0)
        for line in lines
        if line.event.type == "snapshot"
        for part in line.event.data.get("parts") or ()
    }
    return {sha: known.get(sha) or _size(store, sha) for sha in found.blobs if store.has(sha)}


def _size(store: PageStore, sha: str) -> int:
    try:
        return len(store.get(sha))
    except TrailbenchError:
        return 0  # said where it is read: by --page, by --search, by the upload


def _parts(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield str(data.get("text_sha") or ""), _TEXT
    yield str(data["id"]), _RECORD
    for part in data.get("parts") or ():
        yield str(part.get("sha") or ""), str(part.get("mime") or "part")


def _part_words(what: str) -> str:
    """Name a part of a page in plain words.

    >>> _part_words("text/html"), _part_words("image/png"), _part_words("font/woff2")
    ('the HTML', 'a picture', 'a part (font/woff2)')
    """
    return _PARTS.get(what) or ("a picture" if what.startswith("image/") else f"a part ({what})")


def _excerpt(word: str, data: bytes, what: str) -> str | None:
    if what == _RECORD:
        return _excerpt_of_record(word, data.decode("utf-8", "replace"))
    if what == _TEXT or is_text(what):
        return excerpt_around(word, data)
    return "(inside a file that is no text)" if stands_in(word, data) else None


def _excerpt_of_record(word: str, text: str) -> str | None:
    """Return a word with what stands around it in the one member of a JSON record that holds it."""
    found = (excerpt_around(word, part.encode("utf-8", "surrogatepass")) for part in _words_of(text))
    return next((excerpt for excerpt in found if excerpt is not None), None)


def _words_of(text: str) -> Iterator[str]:
    """Yield the texts inside JSON without what only the recorder writes: a word that stands there by chance is none."""
    try:
        record = json.loads(text)
        # Only the reason of a gap may quote this machine; every other one is a choice of a few words.
        is_gap = isinstance(record, dict) and record.get("type") == "recorder_gap"
        strings = _strings(record, _GLUE if is_gap else _GLUE | {"reason"})
        yield from (part for part in strings if not _HASH.fullmatch(part))
    except (ValueError, RecursionError):
        yield text


def _strings(value: Any, glue: Set[str]) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, member in value.items():
            if name not in glue:
                yield from _strings(member, glue)
    elif isinstance(value, (list, tuple)):
        for member in value:
            yield from _strings(member, glue)
