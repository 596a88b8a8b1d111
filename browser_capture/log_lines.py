"""A recording's log is read back: lines come in, checked events go out, and what does not fit is said.

Numbers and hash chain are checked. One torn last line is tolerated: a crash or a full disk can leave that. What else
does not fit is damage.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from browser_capture.errors import BrokenChain, RecordError, SpoolDamaged
from browser_capture.events import Event
from browser_capture.json_records import from_json, sha256

LINES = "events.jsonl"
_LONGEST_LINE = 2_000_000


class Line(NamedTuple):
    """A line of the log, as text and as event."""

    text: str
    event: Event


class LogTail:
    """Reads a log that may still grow: each `read` takes up where the last one ended.

    Checking a line takes a quarter of a millisecond, so a log of hours is not read anew for each upload. Only a log
    that was rewritten, by forgetting, is.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LINES
        self._lines: list[Line] = []
        self._file_id: tuple[int, int] | None = None
        self.size = 0
        """Bytes of the whole lines read so far."""

    def read(self) -> Sequence[Line]:
        """Return every whole line. Raises SpoolDamaged."""
        try:
            with self._path.open("rb") as file:
                if not self._is_same(file):
                    self._lines, self.size = [], 0
                file.seek(self.size)
                self._take(file.read())
                self._file_id = _file_id(file)
        except FileNotFoundError:
            return []
        return tuple(self._lines)

    def is_current(self) -> bool:
        """Tell whether the lines read so far still stand in the log as they were; cheap."""
        try:
            with self._path.open("rb") as file:
                return self._is_same(file)
        except FileNotFoundError:
            return not self._lines

    def _is_same(self, file: BinaryIO) -> bool:
        if self._file_id is None or not self._lines:
            return not self._lines
        last = self._lines[-1].text.encode() + b"\n"
        if _file_id(file) != self._file_id or os.fstat(file.fileno()).st_size < self.size:
            return False
        # A number of a file may be given again; what stood last in it does not come back by chance.
        file.seek(self.size - len(last))
        return file.read(len(last)) == last

    def _take(self, data: bytes) -> None:
        if b"\n" not in data:
            return  # nothing new, or the beginning of a line
        whole, _, torn = data.rpartition(b"\n")
        raws = whole.split(b"\n")
        for count, raw in enumerate(raws, 1):
            try:
                line = _checked_line(raw, self._lines[-1] if self._lines else None, len(self._lines) + 1)
            except (RecordError, ValueError, BrokenChain) as error:
                # A crash can also leave a last line of zeros, or half a line and the end of another.
                if count == len(raws) and not torn and not isinstance(error, BrokenChain):
                    return
                place = f"{self._folder} is damaged at line {len(self._lines) + 1}"
                raise SpoolDamaged(f"the recording in {place}: {error}") from error
            self._lines.append(line)
            self.size += len(raw) + 1


def read_lines(folder: Path) -> Sequence[Line]:
    """Read a log back and check numbers and hash chain. A torn last line is left out. Raises SpoolDamaged."""
    return LogTail(folder).read()


def last_type(folder: Path) -> str | None:
    """Return the type of a log's last whole line without reading the rest, None when nothing can be read."""
    try:
        with (folder / LINES).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 2 * _LONGEST_LINE))
            raws = file.read().split(b"\n")
    except OSError:
        return None
    for raw in reversed(raws[-3:]):
        try:
            found = json.loads(raw)
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("type"), str):
            return str(found["type"])
    return None


def digest_of(lines: Sequence[Line]) -> str:
    """Return the hash of a whole log: every line followed by a line end, in order."""
    return sha256("".join(line.text + "\n" for line in lines))


def hash_of(line: Line) -> str:
    """Return the hash that the next line names. A tombstone's is that of what stood there."""
    return str(line.event.data["hash"]) if line.event.type == "forgotten" else sha256(line.text)


def named_blobs(event: Event) -> tuple[str, ...]:
    """Return the hashes an event names: the page, its text and its parts."""
    if event.type != "snapshot":
        return ()
    data: Mapping[str, Any] = event.data
    found: Iterable[Any] = [data.get("id"), data.get("text_sha"), *(part["sha"] for part in data.get("parts", []))]
    return tuple(dict.fromkeys(sha for sha in found if isinstance(sha, str)))


def _checked_line(raw: bytes, before: Line | None, number: int) -> Line:
    text = raw.decode("ascii")
    event = from_json(Event, json.loads(text))
    if event.seq != number:
        raise BrokenChain(f"expected event {number}, found {event.seq}")
    if before is not None and event.prev != hash_of(before):
        raise BrokenChain("it does not follow the line before it")
    return Line(text, event)


def _file_id(file: BinaryIO) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino
