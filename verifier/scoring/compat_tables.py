"""A reply or a file comes in, the table that the published evaluator sees in it goes out, its faults kept on purpose.

The published evaluator reads with pandas 2.3 as it comes (spec/gisa.md 3.3 and 5): the first fence wins, the first line
of a reply is its header, a first row longer than the header pushes the columns to the right, any longer row after it
loses everything, a quote at the start of a cell is CSV quoting even between tabs. This is the same without pandas.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from verifier.errors import AnswerUnreadable
from verifier.scoring.compat_cells import published_cells
from verifier.scoring.compat_tokens import Cells, Take, cells_of

_FENCE = "```"
_BLANK_LINES = re.compile(r"\n\s*\n")
_BYTE_ORDER_MARK = "\ufeff"

MOST_CELLS = 2**26
"""A table of more cells is not read. Short rows are filled up, so that a few megabytes could ask for any memory."""


@dataclass(frozen=True)
class CompatTable:
    """Column names, and the cells under each, normalised the published way. Names may repeat."""

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    """One tuple of cells a column, all of the same length."""

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells row by row."""
        return tuple(zip(*self.cells, strict=True))

    @cached_property
    def counts(self) -> dict[str, Counter[str]]:
        """How often each cell stands under each name. Made once: a gold answer is compared with many replies."""
        counts = {name: Counter(cells) for name, cells in zip(self.columns, self.cells, strict=True)}
        if len(counts) < len(self.columns):
            for name, times in Counter(self.columns).items():
                if times > 1:
                    # Where a name repeats, it is counted instead of its cells, once for each pair of its columns (D10).
                    counts[name] = Counter({name: times * times})
        return counts

    @cached_property
    def distinct_rows(self) -> frozenset[tuple[str, ...]]:
        """The rows without those that repeat."""
        return frozenset(zip(*self.cells, strict=True))


def prediction_table(text: str) -> CompatTable | None:
    """Read a reply. None where the published evaluator can extract nothing (it then scores 0).

    >>> prediction_table("```tsv\\nName\\tYear\\nA\\t2,000\\n```\\nor rather\\n```tsv\\nName\\nB\\n```")
    CompatTable(columns=('name', 'year'), cells=(('a',), ('2000',)))
    >>> prediction_table("Name\\nA\\nB\\tone cell too many")
    """
    try:
        return _table(_without_blank_lines(_fenced(text)), "\t", headed=True)
    except AnswerUnreadable:
        return None


def truth_table(data: bytes, answer_type: str) -> CompatTable:
    """Read a truth file: commas, UTF-8 or else GBK, a header for tables only.

    Raises AnswerUnreadable where the published evaluator gives up its whole run: undecodable, empty, ragged.

    >>> truth_table(b"Lee, Ann\\n", "item")
    CompatTable(columns=('0', '1'), cells=(('lee',), ('ann',)))
    """
    try:
        return _table(_decoded(data), ",", headed=answer_type.lower() == "table")
    except UnicodeDecodeError as error:
        place = f"byte {data[error.start]:#04x} at position {error.start}"
        raise AnswerUnreadable(f"undecodable: it is neither UTF-8 nor GBK, see {place}") from error


def prediction_file_table(data: bytes, answer_type: str) -> CompatTable:
    """Read a prediction that is a CSV file: as a truth file, as published. Raises AnswerUnreadable as that does."""
    try:
        return truth_table(data, answer_type)
    except AnswerUnreadable as error:
        raise AnswerUnreadable(f"prediction file {error}") from error


def _fenced(text: str) -> str:
    opening = text.find(_FENCE)
    closing = text.find(_FENCE, opening + len(_FENCE))
    if opening < 0 or closing < 0:
        return text
    return text[opening + len(_FENCE) : closing].removeprefix("tsv").lstrip()


def _without_blank_lines(text: str) -> str:
    return _BLANK_LINES.sub("\n", f"\n{text}\n")[1:-1]


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("gbk")


def _table(text: str, separator: str, *, headed: bool) -> CompatTable:
    if not text.isascii():
        text = _without_mark(text)
    take = cells_of(text, separator, first_read=1 + headed)
    names = _header(take(1).words) if headed else None
    first = take(1)
    width = max(len(names or ()), *first.widths, 0)
    if not width:
        raise AnswerUnreadable("empty: there is no cell in it")
    # A first row longer than the header: its first cells become the index, which no figure looks at.
    pushed = width - len(names) if names is not None else 0
    columns: list[list[str]] = [[] for _ in range(width - pushed)]
    for words in _even_batches(first, take, width, headed):
        for place, column in enumerate(columns, start=pushed):
            column += published_cells(words[place::width])
    columns_named = [name.strip().lower().replace(" ", "") for name in names or map(str, range(width))]
    return CompatTable(tuple(columns_named), tuple(map(tuple, columns)))


def _without_mark(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise AnswerUnreadable(f"it holds a lone surrogate at position {error.start}") from None
    return text.removeprefix(_BYTE_ORDER_MARK)


def _even_batches(first: Cells, take: Take, width: int, headed: bool) -> Iterator[list[str]]:
    """Yield the cells of rows, all of one width, in the batches in which pandas reads them.

    Short rows get empty cells. Only the first row of a batch may be longer than the one before: then its last cells are
    lost, and so are those of the rows after it. Any other longer row raises AnswerUnreadable. Without a header the
    first row of a batch decides alone.
    """
    size, expected, before = batch_size(width), width, 0
    more = take(size - 1)
    batch = Cells(first.widths + more.widths, first.words + more.words)
    while batch.widths:
        expected = max(expected if headed else 0, batch.widths[0])
        if max(batch.widths) > expected:
            number, found = next((at, found) for at, found in enumerate(batch.widths, before + 1) if found > expected)
            raise AnswerUnreadable(f"ragged: row {number} has {found} cells where {expected} are expected")
        before += len(batch.widths)
        if before * width > MOST_CELLS:
            raise AnswerUnreadable(f"too large: more than {MOST_CELLS:,} cells")
        yield batch.words if set(batch.widths) == {width} else _evened(batch, width)
        batch = take(size)


def _evened(batch: Cells, width: int) -> list[str]:
    words: list[str] = []
    for end, found in zip(accumulate(batch.widths), batch.widths, strict=True):
        words += batch.words[end - found : end][:width]
        words += [""] * (width - found)
    return words


def batch_size(width: int) -> int:
    """Return how many rows of a table this wide pandas reads, and types, in one go.

    >>> batch_size(1), batch_size(8)
    (524288, 65536)
    """
    limit, size = 2**20 // width, 1
    while size * 2 < limit:
        size *= 2
    return size


def _header(names: Sequence[str]) -> list[str]:
    """Tell equal names apart as pandas does: `A`, `A.1`; a missing one gets its number. Named columns come first.

    >>> _header(["A", "A", "", "A.1"])
    ['A', 'A.2', 'Unnamed: 2', 'A.1']
    """
    if all(names) and len(set(names)) == len(names):
        return list(names)
    result = [name or f"Unnamed: {place}" for place, name in enumerate(names)]
    there, used = Counter(result), Counter[str]()
    for place in sorted(range(len(names)), key=lambda place: not names[place]):
        name = first = result[place]
        number = used[first]
        while number:
            used[first] = number + 1
            name = f"{first}.{number}"
            number = number + 1 if there[name] else used[name]
        there[first] -= 1
        there[name] += 1
        result[place] = name
        used[name] += 1
    return result
