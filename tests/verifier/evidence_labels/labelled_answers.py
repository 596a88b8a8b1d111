"""Two files of labels come in; answers go out, each with its pages and what a reader says of its cells.

The labels judge what the pages say. Nothing here knows the matcher that is measured by them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from browser_capture.page_text import read_html
from browser_capture.pdf_text import read_pdf
from verifier.answers.answer_format import AnswerFormat, Column

FOLDER = Path(__file__).parent
FILES = ("own_pages.jsonl", "real_docs.jsonl")
SCHEMA_FILE = FOLDER / "labelled_answer.schema.json"


class Quote(NamedTuple):
    """Words of a page, its whitespace folded. Of several on one page, each is the first after the one before."""

    url: str
    quote: str


class ReadPage(NamedTuple):
    """What a person reads on a page: its title and, line by line, its text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page that was visited. An own page has `content`, a real one a `path` in the unpacked `package`."""

    url: str
    medium: Literal["html", "pdf", "snippet"]
    title: str = ""
    content: str = ""
    package: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledCell:
    """What a reader says of one cell. `about` is the trap; `why` says in one sentence what decides.

    `passages` speak for a supported cell: its words, a derived cell's inputs, or where the row's entity was consulted.
    `misleading` is what stands on the pages and does not support an unsupported cell, or denies it.
    """

    id: str
    row: int
    column: str
    label: Literal["supported", "unsupported"]
    kind: Literal["passage", "derived", "consulted", "none"]
    about: str
    why: str
    passages: tuple[Quote, ...] = ()
    misleading: tuple[Quote, ...] = ()
    operation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledAnswer:
    """A whole small answer. Cells that carry no label are there for their row's sake."""

    id: str
    split: Literal["tune", "held_out"]
    question: str
    answer_format: AnswerFormat
    rows: tuple[tuple[str, ...], ...]
    pages: tuple[LabelledPage, ...]
    cells: tuple[LabelledCell, ...]

    def value(self, cell: LabelledCell) -> str:
        """Return what stands in a cell."""
        return self.rows[cell.row][self.answer_format.header.index(cell.column)]


def read_lines(file: str) -> Iterator[dict[str, Any]]:
    """Read one of `FILES` as plain data, a line an answer."""
    for line in (FOLDER / file).read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)


@cache
def labelled_answers(file: str) -> tuple[LabelledAnswer, ...]:
    """Read one of `FILES`. Raises AnswerFormatError where an answer's format contradicts itself."""
    return tuple(_answer(data) for data in read_lines(file))


def read_page(page: LabelledPage, documents: Path | None = None) -> ReadPage:
    """Read a page as the recorder would; a real page from the folder of the unpacked `documents`.

    Raises OSError when a real page is not there.
    """
    if page.path:
        assert documents is not None
        return _read_file(documents / page.path, page.url)
    if page.medium == "html":
        return ReadPage(*read_html(page.content, page.url)[:2])
    return ReadPage(page.title, page.content)


@cache
def _read_file(file: Path, url: str) -> ReadPage:
    data = file.read_bytes()
    return ReadPage(*(read_pdf(data)[:2] if file.suffix == ".pdf" else read_html(data, url)[:2]))


def _answer(data: Mapping[str, Any]) -> LabelledAnswer:
    return LabelledAnswer(
        id=data["id"],
        split=data["split"],
        question=data["question"],
        answer_format=_format(data["format"]),
        rows=tuple(map(tuple, data["rows"])),
        pages=tuple(LabelledPage(**page) for page in data["pages"]),
        cells=tuple(_cell(cell) for cell in data["cells"]),
    )


def _format(data: Mapping[str, Any]) -> AnswerFormat:
    columns = tuple(
        Column(**{**column, "aliases": tuple(map(tuple, column.get("aliases", ())))}) for column in data["columns"]
    )
    return AnswerFormat(type=data["type"], columns=columns, keys=tuple(data.get("keys", ())))


def _cell(data: Mapping[str, Any]) -> LabelledCell:
    quotes = {
        name: tuple(Quote(**quote) for quote in data[name]) for name in ("passages", "misleading") if name in data
    }
    return LabelledCell(**{**data, **quotes})
