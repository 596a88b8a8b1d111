"""The write-ahead log of a recording: before all else, each event is one line of an append-only, hash-chained file.

A folder holds `events.jsonl`, `about.json` (which server and task, by which rules), `sent` (up to where lines may have
left the machine) and `pages/`, the page store of the recording. `log_lines` reads the log back.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from browser_capture.errors import RecordError, SpoolDamaged
from browser_capture.events import Event
from browser_capture.folders import make_private
from browser_capture.json_records import dumps, from_json, sha256, to_json, validate
from browser_capture.log_lines import LINES, Line, LogTail, hash_of, last_type, named_blobs
from browser_capture.page_store import PageStore

ABOUT = "about.json"
LONGEST_LINE = 900_000
"""A server takes lines of a million characters; one that it would refuse for ever must not get a number."""
KEPT_WHEN_FORGETTING = frozenset(
    {"session_start", "session_end", "task_start", "task_stop", "pause", "resume", "forget", "forgotten"}
    | {"recorder_gap", "health"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a spool's folder says of itself, for a recorder that goes on.

    `policy` are the project's rules, should the server be away; `binding` is the name by which pages call the recorder.
    """

    session: str
    task: str
    server: str
    created_at: str
    version: int | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    binding: str = ""


class _Place(NamedTuple):
    at: int
    """Bytes of the log before the line."""
    mono: int


class Spool:
    """The log of one session, open for writing. Only one process may write to it."""

    def __init__(self, folder: Path, about: About, lines: Sequence[Line] = ()) -> None:
        self.folder = folder
        self.about = about
        self.pages = PageStore(folder / "pages")
        self.last_seq = 0
        self.torn_bytes = 0
        """What a crash left at the end of the log and is cut off: bytes of no whole line."""
        self._last_hash: str | None = None
        self._size = 0
        self._places: list[_Place] = []
        self._first_named: dict[str, int] = {}
        for line in lines:
            self._note(line.event, len(line.text) + 1)
        if lines:
            self._last_hash = hash_of(lines[-1])
        self._swapping = threading.Lock()
        self._file = _open_private(folder / LINES)

    @classmethod
    def create(cls, folder: Path, about: About) -> Spool:
        """Make the folder of a new session, private to its owner, and open its log."""
        make_private(folder)
        (folder / ABOUT).write_text(dumps(asdict(about)), encoding="utf-8")
        return cls(folder, about)

    @classmethod
    def reopen(cls, folder: Path) -> tuple[Spool, Sequence[Line]]:
        """Open the log of an earlier session to go on after its last whole line; return its lines too.

        What a crash left half done goes: a torn line, a log half rewritten, pages that no event names. Raises
        SpoolDamaged.
        """
        tail = LogTail(folder)
        about, lines = read_about(folder), tail.read()
        torn = 0
        if (folder / LINES).exists():
            torn = (folder / LINES).stat().st_size - tail.size
            os.truncate(folder / LINES, tail.size)
        (folder / f"{LINES}.new").unlink(missing_ok=True)
        spool = cls(folder, about, lines)
        spool._delete_unnamed()
        spool.torn_bytes = torn
        return spool, lines

    def append(self, event: Event) -> Event:
        """Write an event as the next line and return it with its number and its link to the line before.

        Raises RecordError for an event that does not fit its schema or is too long, before it gets a number, and
        OSError when the disk refuses; a half-written line is then taken back.
        """
        numbered = replace(event, seq=self.last_seq + 1, prev=self._last_hash)
        data = to_json(numbered)
        validate(Event, data)
        text = dumps(data)
        if len(text) > LONGEST_LINE:
            raise RecordError(f"an event of {len(text):,} characters; at most {LONGEST_LINE:,} fit a line")
        self._write(text.encode() + b"\n")
        self._note(numbered, len(text) + 1)
        self._last_hash = sha256(text)
        return numbered

    def sync(self) -> None:
        """Have the disk hold every line written so far. For any thread."""
        with self._swapping:
            # Of a copy: the file itself may be closed and rewritten while a busy disk takes its time.
            handle = os.dup(self._file.fileno())
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def first_seq_since(self, mono: int) -> int | None:
        """Return the number of the first event not older than this moment of the monotonic clock, None when all are."""
        return next((seq for seq, place in enumerate(self._places, 1) if place.mono >= mono), None)

    def forget(self, from_seq: int, to_seq: int | None = None) -> int:
        """Replace what happened from `from_seq` on by tombstones that keep the lines' hashes, and delete their pages.

        Pages that were kept and never named go too, such as those whose text was that of the one before.
        What came after `to_seq` stays, and each page that it names too; so does the frame of the recording (start,
        stop, pause, gaps). Returns the number of forgotten events.
        """
        if not 1 <= from_seq <= self.last_seq:
            return 0
        old = self._lines_from(from_seq)
        new = [tombstone(line) if to_seq is None or line.event.seq <= to_seq else line for line in old]
        forgotten = [before for before, after in zip(old, new, strict=True) if before is not after]
        if not forgotten:
            return 0
        self._rewrite(from_seq, new)
        self._delete_unnamed()
        return len(forgotten)

    def close(self) -> None:
        """Close the log; closing twice is no error."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                self.sync()
            self._file.close()

    def _delete_unnamed(self) -> None:
        for sha in set(self.pages.shas()) - set(self._first_named):
            self.pages.delete(sha)

    def _note(self, event: Event, size: int) -> None:
        self._places.append(_Place(self._size, event.t_mono))
        self._size += size
        self.last_seq = event.seq
        for sha in named_blobs(event):
            self._first_named.setdefault(sha, event.seq)

    def _write(self, data: bytes) -> None:
        handle, left = self._file.fileno(), memoryview(data)
        self._take_back(handle)
        try:
            while left:
                # A disk that fills up takes a part first, without an error.
                left = left[os.write(handle, left) :]
        except OSError:
            with contextlib.suppress(OSError):
                self._take_back(handle)
            raise

    def _take_back(self, handle: int) -> None:
        if os.fstat(handle).st_size != self._size:
            os.truncate(handle, self._size)

    def _lines_from(self, seq: int) -> list[Line]:
        with (self.folder / LINES).open("rb") as file:
            file.seek(self._places[seq - 1].at)
            texts = file.read(self._size - self._places[seq - 1].at).decode("ascii").splitlines()
        return [Line(text, from_json(Event, json.loads(text))) for text in texts]

    def _rewrite(self, from_seq: int, lines: Sequence[Line]) -> None:
        path, temporary = self.folder / LINES, self.folder / f"{LINES}.new"
        head = self._places[from_seq - 1].at
        try:
            with path.open("rb") as before, _open_private(temporary, "wb") as file:
                _copy(before, file, head)
                file.write("".join(line.text + "\n" for line in lines).encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        with self._swapping:
            self._file.close()
            try:
                _replace(temporary, path)
            finally:
                self._file = _open_private(path)
        del self._places[from_seq - 1 :]
        self._size = head
        self._first_named = {sha: seq for sha, seq in self._first_named.items() if seq < from_seq}
        for line in lines:
            self._note(line.event, len(line.text) + 1)


def read_about(folder: Path) -> About:
    """Read what a spool's folder says of itself. Raises SpoolDamaged."""
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        known = {member.name for member in fields(About)}
        return About(**{name: value for name, value in found.items() if name in known})
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise SpoolDamaged(f"the recording in {folder} has no readable {ABOUT}: {error}") from error


def blobs_of(event: Event, pages: PageStore) -> tuple[str, ...]:
    """Return the hashes of what must be in the page store for this event, and is: the page, its text and its parts."""
    return tuple(sha for sha in named_blobs(event) if pages.has(sha))


def spools(home: Path) -> Iterator[Path]:
    """Yield the folders of recordings not yet uploaded, the one written to last at the end."""
    folders = [path for path in (home / "spool").glob("*") if path.is_dir() and not path.name.startswith(".")]
    yield from sorted(folders, key=_written_at)


def is_ended(folder: Path) -> bool:
    """Tell whether a recording has its end: its recorder let go of it in order."""
    return last_type(folder) == "session_end"


def is_stopped(folder: Path) -> bool:
    """Tell whether a recording was stopped, so that nothing more is recorded, even if its recorder died right then."""
    return last_type(folder) in {"task_stop", "session_end"}


def remove_spool(folder: Path) -> None:
    """Delete a recording's folder; only when the server has said that it holds the same."""
    # First out of sight: a deletion that is cut short must not leave something that looks like half a recording.
    leaving = folder.with_name(f".{folder.name}")
    try:
        os.replace(folder, leaving)
    except OSError:
        leaving = folder
    shutil.rmtree(leaving)


def _written_at(folder: Path) -> float:
    try:
        return (folder / LINES).stat().st_mtime
    except OSError:
        return folder.stat().st_mtime


def tombstone(line: Line) -> Line:
    """Return what is left of a forgotten line: its place, its time and its hash; the frame of a recording stays."""
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


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    while size > 0 and (data := source.read(min(size, 1_000_000))):
        target.write(data)
        size -= len(data)


def _replace(source: Path, target: Path) -> None:
    # Some systems refuse while another thread has the file open for a moment, as the upload does.
    for _ in range(100):
        with contextlib.suppress(PermissionError):
            os.replace(source, target)
            return
        time.sleep(0.02)
    os.replace(source, target)


def _open_private(path: Path, mode: str = "ab") -> BinaryIO:
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)

    if mode == "wb":
        return open(path, "wb", opener=opener)
    return open(path, "ab", buffering=0, opener=opener)
