"""Pictures come in, one index.html goes out that shows them in a grid: a line for each page and amount of data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; }
h2 { font-size: 1rem; margin: 2rem 0 0.5rem; }
.line { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
figure { margin: 0; }
figcaption { font-size: 0.8rem; }
figure.bad figcaption { color: light-dark(#b3261e, #ff9b92); font-weight: 600; }
img { height: 320px; max-width: 420px; object-fit: cover; object-position: top; border: 1px solid #8886; }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One page as it looked, and what is wrong with it."""

    page: str
    rows: int
    theme: str
    width: int
    faults: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The name of its file.

        >>> Picture(page="my work", rows=0, theme="dark", width=390).file
        'my-work-0-dark-390.png'
        """
        return f"{self.page.replace(' ', '-')}-{self.rows}-{self.theme}-{self.width}.png"


def write_sheet(folder: Path, pictures: Sequence[Picture]) -> Path:
    """Write the sheet beside its pictures, which stand in the order they were taken in."""
    lines = [
        f"<h2>{escape(page)}, {rows} {'row' if rows == 1 else 'rows'}</h2>"
        f'<div class="line">{"".join(_figure(one) for one in group)}</div>'
        for (page, rows), group in groupby(pictures, key=lambda one: (one.page, one.rows))
    ]
    sheet = folder / "index.html"
    sheet.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Every page</title><style>{_STYLE}</style>'
        f"<h1>Every page</h1><p>{len(pictures)} pictures; each opens in full.</p>{''.join(lines)}</html>\n",
        encoding="utf-8",
    )
    return sheet


def _figure(picture: Picture) -> str:
    caption = escape("; ".join((f"{picture.theme}, {picture.width} px", *picture.faults)))
    shown = f'<a href="{picture.file}"><img loading="lazy" src="{picture.file}" alt="{escape(picture.page)}"></a>'
    return f'<figure class="{"bad" if picture.faults else ""}">{shown}<figcaption>{caption}</figcaption></figure>'
