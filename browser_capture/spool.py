"""The write-ahead log of a recording: before all else, each event is one line of an append-only, hash-chained file.

A folder holds `events.jsonl`, `about.json` (which server and task) and `pages/`, the page store of the recording. The
log is read back with one torn last line tolerated: a crash or a full disk can leave that. What else does not fit is
damage, and is said.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import psutil

from browser_capture.errors import BrokenChain, RecordError, SpoolDamaged
from browser_capture.events import Event
from browser_capture.folders import make_private
from browser_capture.json_records import dumps, from_json, sha256, to_json, validate
from browser_capture.page_store import PageStore

LINES = "events.jsonl"
ABOUT = "about.json"
KEPT_WHEN_FORGETTING = frozenset(
    {"session_start", "session_end", "task_start", "task_stop", "pause", "resume", "forget", "forgotten"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a spool's folder says of itself. `process` and `started` name the recorder that writes to it."""

    session: str
    task: str
    server: str
    created_at: str
    process: int = 0
    started: float = 0.0


class Line(NamedTuple):
    """A line of the log, as text and as event."""

    text: str
    event: Event


class Spool:
    """The log of one session, open for writing. Only one process may write to it."""

    def __init__(self, folder: Path, about: About, lines: Sequence[Line] = ()) -> None:
        self.folder = folder
        self.about = about
        self.pages = PageStore(folder / "pages")
        self.last_seq = lines[-1].event.seq if lines else 0
        self._last_hash = _hash_of(lines[-1]) if lines else None
        self._file = _open_private(folder / LINES)

    @classmethod
    def create(cls, folder: Path, about: About) -> Spool:
        """Make the folder of a new session, private to its owner, and open its log."""
        make_private(folder)
        process = psutil.Process()
        about = replace(about, process=process.pid, started=process.create_time())
        (folder / ABOUT).write_text(dumps(asdict(about)), encoding="utf-8")
        return cls(folder, about)

    @classmethod
    def reopen(cls, folder: Path) -> Spool:
        """Open the log of an earlier session to go on after its last whole line. Raises SpoolDamaged."""
        about, lines = read_about(folder), read_lines(folder)
        whole = sum(len(line.text) + 1 for line in lines)
        os.truncate(folder / LINES, whole)
        return cls(folder, about, lines)

    def append(self, event: Event) -> Event:
        """Write an event as the next line and return it with its number and its link to the line before.

        Raises RecordError for an event that does not fit its schema, before it gets a number, and OSError when the
        disk refuses; a half-written line is then taken back.
        """
        numbered = replace(event, seq=self.last_seq + 1, prev=self._last_hash)
        data = to_json(numbered)
        validate(Event, data)
        text = dumps(data)
        size = os.fstat(self._file.fileno()).st_size
        try:
            self._file.write(text.encode() + b"\n")
        except OSError:
            os.truncate(self._file.fileno(), size)
            raise
        self.last_seq, self._last_hash = numbered.seq, sha256(text)
        return numbered

    def sync(self) -> None:
        """Have the disk hold every line written so far."""
        os.fsync(self._file.fileno())

    def first_seq_since(self, t_wall: int) -> int | None:
        """Return the number of the first event that is not older than this moment, None when all are."""
        return next((line.event.seq for line in read_lines(self.folder) if line.event.t_wall >= t_wall), None)

    def forget(self, from_seq: int) -> int:
        """Replace what happened from `from_seq` on by tombstones that keep the lines' hashes, and delete their pages.

        The frame of the recording (start, stop, pause) stays. Returns the number of forgotten events.
        """
        lines = read_lines(self.folder)
        kept = [line if line.event.seq < from_seq else _tombstone(line) for line in lines]
        forgotten = [old for old, new in zip(lines, kept, strict=True) if old is not new]
        if not forgotten:
            return 0
        self._rewrite(kept)
        needed = {sha for line in kept for sha in blobs_of(line.event, self.pages)}
        for sha in {sha for line in forgotten for sha in blobs_of(line.event, self.pages)} - needed:
            self.pages.delete(sha)
        return len(forgotten)

    def close(self) -> None:
        """Close the log; closing twice is no error."""
        if not self._file.closed:
            self.sync()
            self._file.close()

    def _rewrite(self, lines: Sequence[Line]) -> None:
        temporary = self.folder / f"{LINES}.new"
        with _open_private(temporary) as file:
            file.write("".join(line.text + "\n" for line in lines).encode())
            os.fsync(file.fileno())
        self._file.close()
        os.replace(temporary, self.folder / LINES)
        self._file = _open_private(self.folder / LINES)


def read_about(folder: Path) -> About:
    """Read what a spool's folder says of itself. Raises SpoolDamaged."""
    try:
        return About(**json.loads((folder / ABOUT).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise SpoolDamaged(f"the recording in {folder} has no readable {ABOUT}: {error}") from error


def read_lines(folder: Path) -> list[Line]:
    """Read a log back and check numbers and hash chain. A torn last line is left out. Raises SpoolDamaged."""
    path = folder / LINES
    if not path.exists():
        return []
    texts = path.read_bytes().split(b"\n")
    # What stands after the last line end is torn or empty; a crash can also leave a last line of zeros.
    whole = texts[:-1]
    lines: list[Line] = []
    for number, raw in enumerate(whole, 1):
        try:
            lines.append(_checked_line(raw, lines, number))
        except (RecordError, ValueError, BrokenChain) as error:
            if number == len(whole) and not texts[-1] and not isinstance(error, BrokenChain):
                break
            raise SpoolDamaged(f"the recording in {folder} is damaged at line {number}: {error}") from error
    return lines


def digest_of(lines: Sequence[Line]) -> str:
    """Return the hash of a whole log: every line followed by a line end, in order."""
    return sha256("".join(line.text + "\n" for line in lines))


def blobs_of(event: Event, pages: PageStore) -> tuple[str, ...]:
    """Return the hashes of what must be in the page store for this event: the page, its text and its parts."""
    if event.type != "snapshot":
        return ()
    data: Mapping[str, Any] = event.data
    found = [data.get("id"), data.get("text_sha"), *(part["sha"] for part in data.get("parts", []))]
    return tuple(dict.fromkeys(sha for sha in found if isinstance(sha, str) and pages.has(sha)))


def spools(home: Path) -> Iterator[Path]:
    """Yield the folders of recordings not yet uploaded, oldest first."""
    folders = [path for path in (home / "spool").glob("*") if path.is_dir()]
    yield from sorted(folders, key=lambda path: path.stat().st_mtime)


def is_being_written(about: About) -> bool:
    """Tell whether the recorder that made a spool still runs."""
    try:
        return about.process > 0 and psutil.Process(about.process).create_time() == about.started
    except psutil.NoSuchProcess:
        return False


def remove_spool(folder: Path) -> None:
    """Delete a recording's folder; only when the server has said that it holds the same."""
    shutil.rmtree(folder)


def _checked_line(raw: bytes, before: Sequence[Line], number: int) -> Line:
    text = raw.decode("ascii")
    event = from_json(Event, json.loads(text))
    if event.seq != number:
        raise BrokenChain(f"expected event {number}, found {event.seq}")
    if before and event.prev != _hash_of(before[-1]):
        raise BrokenChain("it does not follow the line before it")
    return Line(text, event)


def _hash_of(line: Line) -> str:
    # The line after a tombstone still names the hash of what stood there.
    return str(line.event.data["hash"]) if line.event.type == "forgotten" else sha256(line.text)


def _tombstone(line: Line) -> Line:
    event = line.event
    if event.type in KEPT_WHEN_FORGETTING:
        return line
    left = Event(
        session=event.session,
        seq=event.seq,
        type="forgotten",
        src="rec",
        t_wall=event.t_wall,
        t_mono=event.t_mono,
        task=event.task,
        prev=event.prev,
        data={"hash": sha256(line.text)},
    )
    return Line(dumps(to_json(left)), left)


def _open_private(path: Path) -> BinaryIO:
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)

    return open(path, "ab", buffering=0, opener=opener)
