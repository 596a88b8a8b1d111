"""Where an answer's cells came from, as the panel tells it: read, and fitted to the rows that were handed in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

How = Literal["paste", "mark", "typed", "outside", "forgotten", "file"]
"""paste and mark lead to a recorded page; outside was pasted too, but nothing like it was copied while recording.
forgotten came from a recorded page that the annotator took back."""

LONGEST_LIST = 50_000
_HOWS = frozenset(get_args(How))
_LONGEST = {"column": 200, "value": 20_000, "session": 80, "text": 2000, "line": 2000, "url": 2000, "at": 40}


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOrigin:
    """One thing that is known of one cell. `row` counts from 0; `value` is what the cell held when this was said.

    `session` and `seq` name the event of the copy or mark. `text` is what was pasted into this cell, or the marked
    passage; `line` is its whole row where a table was pasted; `url` and `at` are for people.
    """

    row: int
    column: str
    value: str
    how: How
    session: str = ""
    seq: int = 0
    text: str = ""
    line: str = ""
    url: str = ""
    at: str = ""

    @property
    def is_edited(self) -> bool:
        """Whether the cell says something else now than what was pasted into it.

        >>> CellOrigin(row=0, column="A", value="3.11", how="paste", text="Version 3.11").is_edited
        False
        """
        return self.how == "paste" and bare(self.value) not in bare(self.text)


def read_origins(data: Any) -> list[CellOrigin]:
    """Read what the panel sent; an entry that is none is left out, since the answer itself must not fail for it.

    >>> read_origins([{"row": 0, "column": "A", "value": "x", "how": "typed"}, {"row": "no"}])
    [CellOrigin(row=0, column='A', value='x', how='typed', session='', seq=0, text='', line='', url='', at='')]
    """
    entries = data[:LONGEST_LIST] if isinstance(data, list) else []
    return [found for entry in entries if (found := _read(entry)) is not None]


def origins_json(origins: Iterable[CellOrigin]) -> list[dict[str, Any]]:
    """Return what is kept in a row: the members that say something."""
    return [
        {name: value for name, value in asdict(origin).items() if value or name in ("row", "column", "value", "how")}
        for origin in origins
    ]


def fitted_origins(
    origins: Sequence[CellOrigin], header: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[CellOrigin]:
    """Return the origins that still speak of these rows. Where the row is another now, the value finds it.

    A value that stands in no other row, or in several, leaves its origin without a place, and it is dropped.

    >>> origin = CellOrigin(row=0, column="A", value="x", how="typed")
    >>> [found.row for found in fitted_origins([origin], ["A"], [["new"], ["x"]])]
    [1]
    """
    places = {name: place for place, name in enumerate(header)}
    where: dict[tuple[str, str], list[int]] = {}
    for number, cells in enumerate(rows):
        for name, place in places.items():
            if place < len(cells):
                where.setdefault((name, bare(cells[place])), []).append(number)
    fitted = []
    for origin in origins:
        standing = where.get((origin.column, bare(origin.value)), [])
        if origin.row in standing:
            fitted.append(origin)
        elif len(standing) == 1:
            fitted.append(replace(origin, row=standing[0]))
    return fitted


def bare(text: str) -> str:
    """Return a text without white space and case: what a copied and a pasted text have in common.

    >>> bare(" Two\\u00a0words ")
    'twowords'
    """
    return "".join(text.split()).casefold()


def _read(entry: Any) -> CellOrigin | None:
    if not isinstance(entry, dict) or entry.get("how") not in _HOWS:
        return None
    texts = {name: entry.get(name, "") for name in _LONGEST}
    row, seq = entry.get("row"), entry.get("seq", 0)
    if not all(isinstance(text, str) and _is_storable(text) for text in texts.values()):
        return None
    if type(row) is not int or type(seq) is not int or not (0 <= row < 2**31 and 0 <= seq < 2**31):
        return None
    cut = {name: texts[name][:longest] for name, longest in _LONGEST.items()}
    return CellOrigin(row=row, seq=seq, how=entry["how"], **cut)


def _is_storable(text: str) -> bool:
    return "\x00" not in text and not any("\ud800" <= char <= "\udfff" for char in text)
