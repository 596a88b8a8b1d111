"""Two folders come in, the truth and the prediction of an id go out, or the reason why there is none.

Which files there are is read once; an id is looked up in that list. So no id leads out of a folder, whatever it spells,
and a prediction is read as text: never opened as the path it may name.
"""

from __future__ import annotations

import json
import os
import stat
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from browser_capture.errors import UserError
from verifier.answers.csv_files import utf16_by_zeros
from verifier.errors import AnswerUnreadable
from verifier.scoring.question_file import id_key

TRUTH_ENDINGS = (".csv",)
PREDICTION_ENDINGS = (".json", ".txt", ".tsv", ".csv")
"""How prediction files end. Where a question has several, the first of this order counts."""

MAX_BYTES = 256 * 1024**2
"""A larger file is not read: its text and the parsed answer would not fit an ordinary machine's memory."""


class Prediction(NamedTuple):
    """What an agent or a person handed in: a reply's text, or the bytes of a file of cells."""

    reply: str = ""
    file: bytes | None = None
    ending: str = ".json"


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder by the id they belong to, each in the order in which it counts."""

    folder: Path
    names: Mapping[str, tuple[str, ...]]
    others: tuple[str, ...] = ()
    """Names of the files with another ending."""

    def path(self, question_id: str) -> Path | None:
        """Return the file that counts for an id."""
        names = self.names.get(id_key(question_id))
        return self.folder / names[0] if names else None

    def only(self, ids: Iterable[str]) -> Listing:
        """Return the listing of a few ids, small enough to be sent to another process."""
        keys = map(id_key, ids)
        return Listing(self.folder, {key: self.names[key] for key in keys if key in self.names})


def list_files(folder: Path, endings: Sequence[str]) -> Listing:
    """List the files of a folder that end so, in any case. Raises UserError when the folder cannot be read."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    others: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                stem, ending = os.path.splitext(entry.name)
                if ending.lower() in endings:
                    found[id_key(stem)].append((endings.index(ending.lower()), entry.name))
                else:
                    others.append(entry.name)
    except OSError as error:
        raise UserError(
            f"cannot read the folder {folder}: {error.strerror or error}; "
            f"a folder with a file for each question is expected, such as 7{endings[0]}"
        ) from error
    names = {stem: tuple(name for _, name in sorted(names)) for stem, names in found.items()}
    return Listing(folder, names, tuple(sorted(others)))


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """The truths and the predictions of a run, read one at a time."""

    truths: Listing
    predictions: Listing

    def truth_path(self, question_id: str) -> Path | None:
        """Return the path of a truth file, or None when there is none."""
        return self.truths.path(question_id)

    def read_truth(self, question_id: str) -> bytes:
        """Return the bytes of a truth file. Raises AnswerUnreadable with the reason, such as `truth file missing`."""
        path = self.truths.path(question_id)
        if path is None:
            raise AnswerUnreadable("truth file missing")
        data = _read(path, "truth file")
        if not data.strip(b"\xef\xbb\xbf\xfe\xff \t\r\n\0"):
            raise AnswerUnreadable("truth file empty")
        return data

    def read_prediction(self, question_id: str) -> Prediction:
        """Return a prediction. Raises AnswerUnreadable with the reason, such as `prediction is null`."""
        path = self.predictions.path(question_id)
        if path is None:
            raise AnswerUnreadable("no prediction")
        if self._is_link_to_truth(path, question_id):
            raise AnswerUnreadable("prediction file is a link to the truth file; a prediction of its own is expected")
        data, ending = _read(path, "prediction file"), path.suffix.lower()
        return _READERS[ending](data) if ending in _READERS else Prediction(file=data, ending=ending)

    def only(self, ids: Collection[str]) -> AnswerFiles:
        """Return the files of a few ids, small enough to be sent to another process."""
        return AnswerFiles(self.truths.only(ids), self.predictions.only(ids))

    def _is_link_to_truth(self, path: Path, question_id: str) -> bool:
        truth = self.truths.path(question_id)
        # Scoring the truth folder against itself, links or not, is a check people make.
        if truth is None or not path.is_symlink() or self.truths.folder.resolve() == self.predictions.folder.resolve():
            return False
        return path.exists() and truth.exists() and path.samefile(truth)


def open_files(answers: Path, predictions: Path) -> AnswerFiles:
    """List both folders of a run. Raises UserError when one cannot be read."""
    return AnswerFiles(list_files(answers, TRUTH_ENDINGS), list_files(predictions, PREDICTION_ENDINGS))


def remarks(files: AnswerFiles, ids: Iterable[str]) -> tuple[str, ...]:
    """Return what a person should know of the files: those of no question or no known ending, and ids with several.

    Files that begin with `_` or `.` are somebody's notes (such as `_final_scores.json`), unless an id is spelled so.
    """
    known = {id_key(question_id) for question_id in ids}
    listed = files.predictions.names
    strangers, truths = _strangers(files.predictions, known), _strangers(files.truths, known)
    unread = [name for name in files.predictions.others if id_key(os.path.splitext(name)[0]) in known]
    several = sorted(f"{names[0]} counts, not {', '.join(names[1:])}" for key, names in listed.items()
                     if key in known and len(names) > 1)  # fmt: skip
    said = []
    if not listed:
        said.append(f"{files.predictions.folder} holds no file that ends in {', '.join(PREDICTION_ENDINGS)}")
    if strangers:
        none_fits = "" if known & listed.keys() else f"; ids are file names without ending, such as {min(known)!r}"
        said.append(f"prediction files of no question, left out: {_some(strangers)}{none_fits}")
    if unread:
        endings = ", ".join(PREDICTION_ENDINGS)
        said.append(f"prediction files of another kind, left out: {_some(unread)}; expected endings are {endings}")
    if truths:
        said.append(f"right answers of no question, left out: {_some(truths)}")
    if several:
        said.append(f"questions with several prediction files: {_some(several, '; ')}")
    return tuple(said)


def _strangers(listing: Listing, known: Collection[str]) -> list[str]:
    return sorted(name for key, names in listing.names.items() for name in names
                  if key not in known and not key.startswith(("_", ".")))  # fmt: skip


def _some(names: Sequence[str], separator: str = ", ", most: int = 5) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{len(names):,} ({separator.join(names[:most])}{more})"


def _read(path: Path, what: str) -> bytes:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            # A pipe or a device would wait for ever.
            raise AnswerUnreadable(f"{what} is {'a folder' if stat.S_ISDIR(found.st_mode) else 'no ordinary file'}")
        if found.st_size > MAX_BYTES:
            raise AnswerUnreadable(
                f"{what} has {found.st_size / 1024**2:,.0f} MB; at most {MAX_BYTES // 1024**2} MB are read"
            )
        return path.read_bytes()
    except OSError as error:
        raise AnswerUnreadable(f"{what} unreadable: {error.strerror or error}") from error


def _from_json(data: bytes) -> Prediction:
    try:
        # Nobody needs a number here, and one of 5,000 digits would be refused as a whole number.
        content = json.loads(data, parse_int=float)
    except RecursionError:
        raise AnswerUnreadable("prediction file unreadable: its JSON is nested too deeply") from None
    except ValueError as error:
        raise AnswerUnreadable(f"prediction file unreadable: no JSON: {error}") from error
    if not isinstance(content, dict) or "prediction" not in content:
        found = f"an object with {', '.join(map(repr, content)) or 'no member'}" if isinstance(content, dict) else (
            _KINDS[type(content)].partition(",")[0] if type(content) in _KINDS else "a text"
        )  # fmt: skip
        raise AnswerUnreadable(f"prediction file holds no object with the member 'prediction'; found {found[:100]}")
    prediction = content["prediction"]
    if not isinstance(prediction, str):
        raise AnswerUnreadable(f"prediction is {_KINDS[type(prediction)]}")
    return Prediction(reply=prediction)


_KINDS: Mapping[type[Any], str] = {
    type(None): "null",
    bool: "true or false, a text is expected",
    float: "a number, a text is expected",
    list: "a list, a text is expected",
    dict: "an object, a text is expected",
}


def _from_text(data: bytes) -> Prediction:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        encoding = "utf-16" if marked else utf16_by_zeros(data) or "utf-8-sig"
        return Prediction(reply=data.decode(encoding), ending=".txt")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AnswerUnreadable(
            f"prediction file unreadable: found byte {data[error.start]:#04x} in line {line}, expected UTF-8; "
            "save it as UTF-8"
        ) from error


_READERS = {".json": _from_json, ".txt": _from_text}
"""Ending -> how its bytes become a prediction; the others are files of cells."""
