"""Attempts on disk: append-only segments of JSON lines, one segment a writer, safe against a kill at any moment."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from browser_capture.errors import RecordError
from browser_capture.json_records import dumps, from_json, to_json
from verifier.attempts.attempt import Attempt

_log = logging.getLogger(__name__)


class AttemptStore:
    """A folder of segments. Each store object appends to a segment of its own, so that writers never mix lines."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path: Path | None = None

    def append(self, attempt: Attempt) -> None:
        """Write an attempt and return when it is on disk. A later attempt with the same id takes its place."""
        line = dumps(to_json(attempt)).encode() + b"\n"
        with self._open() as segment:
            segment.write(line)
            segment.flush()
            os.fsync(segment.fileno())

    def attempts(self) -> tuple[Attempt, ...]:
        """Return the newest attempt of each id, in the order the ids first came. A torn last line is left out.

        Raises RecordError for a damaged line anywhere else; the message names the segment and the line.
        """
        newest: dict[str, Attempt] = {}
        for where, data in self._lines():
            try:
                attempt = from_json(Attempt, data)
            except RecordError as error:
                raise RecordError(f"{where}: {error}") from error
            newest[attempt.attempt_id] = attempt
        return tuple(newest.values())

    def done_ids(self) -> frozenset[str]:
        """Return the ids that need no further try: their newest attempt did not fail by the infrastructure.

        The records are not checked against their schema here: a resumed run of 100,000 attempts asks only for ids.
        """
        done: dict[str, bool] = {}
        for where, data in self._lines():
            try:
                done[str(data["attempt_id"])] = data["outcome"] != "infrastructure_failure"
            except KeyError as error:
                raise RecordError(f"{where}: an attempt without {error}") from error
        return frozenset(attempt_id for attempt_id, is_done in done.items() if is_done)

    def _open(self) -> IO[bytes]:
        if self._path is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._path = self._new_segment()
        return self._path.open("ab")

    def _new_segment(self) -> Path:
        number = len(list(self.folder.glob("segment-*.jsonl"))) + 1
        while True:
            path = self.folder / f"segment-{number:06d}.jsonl"
            try:
                path.open("xb").close()
            except FileExistsError:
                # Another writer was quicker.
                number += 1
            else:
                return path

    def _lines(self) -> Iterator[tuple[str, dict[str, object]]]:
        for path in sorted(self.folder.glob("segment-*.jsonl")):
            with path.open("rb") as segment:
                for number, line in enumerate(segment, start=1):
                    where = f"{path}, line {number}"
                    data = _parse(line, where)
                    if data is not None:
                        yield where, data


def _parse(line: bytes, where: str) -> dict[str, object] | None:
    # Only the last line of a segment can lack its line end: its writer was killed while writing.
    if not line.endswith(b"\n"):
        _log.warning("%s is torn and left out", where)
        return None
    try:
        data = json.loads(line)
    except ValueError as error:
        raise RecordError(f"{where} is damaged: {error}") from error
    if not isinstance(data, dict):
        raise RecordError(f"{where} is no record: {line[:80]!r}")
    return data
