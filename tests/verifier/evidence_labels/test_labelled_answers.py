"""The labels keep their promise: they fit the schema, their quotes stand on their pages, and the counts are as told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from exports.demo.real_docs import WEB, default_cache, real_docs
from tests.verifier.evidence_labels.labelled_answers import (
    FILES,
    FOLDER,
    SCHEMA_FILE,
    LabelledAnswer,
    LabelledCell,
    LabelledPage,
    Quote,
    labelled_answers,
    read_lines,
    read_page,
)

OWN, REAL = FILES
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
TRAPS = SCHEMA["$defs"]["cell"]["properties"]["about"]["enum"]
UNSEEN = {("hidden", "none"), ("url_only", "none")}
EACH_FILE = pytest.mark.parametrize("file", FILES)


@pytest.fixture(scope="session")
def documents() -> Path:
    """The folder of the unpacked Debian documents."""
    return real_docs(default_cache())


def test_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@EACH_FILE
def test_every_line_fits_the_schema(file: str) -> None:
    validator = Draft202012Validator(SCHEMA)
    misfits = [(data["id"], error.message[:200]) for data in read_lines(file) for error in validator.iter_errors(data)]
    assert misfits == []


@pytest.mark.parametrize(
    "change",
    [{"label": "unsupported"}, {"kind": "none"}, {"about": "luck"}, {"why": "no stop"}, {"passages": []}],
    ids=lambda change: next(iter(change)),
)
def test_spoiled_cell_is_refused(change: dict[str, object]) -> None:
    data = next(read_lines(OWN))
    data["cells"][0] |= change
    assert list(Draft202012Validator(SCHEMA).iter_errors(data))


def test_ids_are_unique() -> None:
    answers = [answer for answer, _ in _cells()]
    assert len({answer.id for answer in answers}) == sum(len(labelled_answers(file)) for file in FILES)
    assert not _repeated(cell.id for _, cell in _cells())


def test_every_label_names_another_cell_of_its_answer() -> None:
    assert not _repeated((answer.id, cell.row, cell.column) for answer, cell in _cells())
    assert all(isinstance(answer.value(cell), str) for answer, cell in _cells())


@EACH_FILE
def test_rows_are_as_wide_as_their_format(file: str) -> None:
    widths = [(answer.id, len(row), len(answer.answer_format.header)) for answer in labelled_answers(file)
              for row in answer.rows]  # fmt: skip
    assert [width for width in widths if width[1] != width[2]] == []


@EACH_FILE
def test_no_two_rows_have_the_same_key(file: str) -> None:
    def key(answer: LabelledAnswer, row: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(row[answer.answer_format.header.index(name)] for name in answer.answer_format.key_columns)

    assert not _repeated((answer.id, *key(answer, row)) for answer in labelled_answers(file) for row in answer.rows)


def test_at_least_forty_five_of_a_hundred_cells_are_unsupported() -> None:
    labels = Counter(cell.label for _, cell in _cells())
    assert labels.total() >= 440
    assert labels["unsupported"] / labels.total() >= 0.45


def test_at_least_half_the_cells_are_from_real_documents() -> None:
    real = sum(len(answer.cells) for answer in labelled_answers(REAL))
    assert real / sum(1 for _ in _cells()) >= 0.5


def test_real_documents_are_all_held_out() -> None:
    assert {answer.split for answer in labelled_answers(REAL)} == {"held_out"}


def test_about_two_of_three_own_cells_are_for_tuning() -> None:
    splits = Counter(answer.split for answer in labelled_answers(OWN) for _ in answer.cells)
    assert 0.6 <= splits["tune"] / splits.total() <= 0.75


def test_every_trap_has_cells() -> None:
    assert {cell.about for _, cell in _cells()} == set(TRAPS)


def test_readme_tells_the_counts() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    labels = Counter(cell.label for _, cell in _cells())
    assert f"{labels.total()} cells, {labels['unsupported']} of them unsupported" in " ".join(readme.split())
    assert [row for row in _count_rows() if row not in readme] == []


def test_quotes_stand_on_own_pages() -> None:
    assert list(_missing_quotes(OWN, None)) == []


@pytest.mark.real_docs
def test_quotes_stand_on_real_pages(documents: Path) -> None:
    assert list(_missing_quotes(REAL, documents)) == []


def test_real_pages_are_addressed_where_they_are_published() -> None:
    pages = {page for answer in labelled_answers(REAL) for page in answer.pages}
    published = {f"https://{prefix}{page.path.removeprefix(folder + '/')}": page for prefix, folder in WEB.items()
                 for page in pages if page.path.startswith(folder + "/")}  # fmt: skip
    assert [page.path for page in pages if published.get(page.url) != page] == []


def test_values_that_are_hidden_or_in_an_address_are_not_read() -> None:
    unseen = [(answer, cell) for answer, cell in _cells() if (cell.about, cell.kind) in UNSEEN]
    seen = [
        cell.id for answer, cell in unseen for page in answer.pages if answer.value(cell) in _folded_page(page, None)
    ]
    assert (len(unseen) > 15, seen) == (True, [])


def _cells() -> Iterator[tuple[LabelledAnswer, LabelledCell]]:
    for file in FILES:
        for answer in labelled_answers(file):
            for cell in answer.cells:
                yield answer, cell


def _repeated(names: Iterator[object]) -> list[object]:
    return [name for name, count in Counter(names).items() if count > 1]


def _missing_quotes(file: str, documents: Path | None) -> Iterator[tuple[str, Quote]]:
    for answer in labelled_answers(file):
        for cell in answer.cells:
            after: dict[str, int] = {}
            for quote in cell.passages:
                # In order: a heading, then the first such line below it.
                place = _folded(answer, quote.url, documents).find(quote.quote, after.get(quote.url, 0))
                after[quote.url] = place + 1
                if place < 0 and cell.kind != "derived":
                    yield cell.id, quote
            for quote in (*cell.passages, *cell.misleading):
                if quote.quote not in _folded(answer, quote.url, documents):
                    yield cell.id, quote


def _folded(answer: LabelledAnswer, url: str, documents: Path | None) -> str:
    return _folded_page(next(page for page in answer.pages if page.url == url), documents)


@cache
def _folded_page(page: LabelledPage, documents: Path | None) -> str:
    return " ".join(" ".join(read_page(page, documents)).split())


def _count_rows() -> Iterator[str]:
    cells = list(_cells())
    for trap in [*sorted(TRAPS), "all"]:
        of_trap = [(answer, cell) for answer, cell in cells if trap in (cell.about, "all")]
        label = Counter(cell.label for _, cell in of_trap)
        split = Counter((answer.id.partition("-")[0], answer.split) for answer, _ in of_trap)
        counts = (label["supported"], label["unsupported"], split["own", "tune"], split["own", "held_out"],
                  split["real", "held_out"])  # fmt: skip
        yield f"| {trap} | {' | '.join(map(str, counts))} |"
