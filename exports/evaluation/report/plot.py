"""Bars with intervals as SVG: zero-based, labelled where they stand, sharp at any width because only x is relative."""

from __future__ import annotations

from collections.abc import Sequence

from exports.evaluation.report.markup import Html, el
from exports.evaluation.report.view import interval_text, percent
from exports.evaluation.scores import Figure

ROW = 46
TOP = 6
AXIS = 28


def bars(title: str, rows: Sequence[tuple[str, Figure]]) -> Html:
    """Return one plot: a bar for each row's mean, from 0 to 100, and a whisker for its interval, cut at the edges."""
    height = TOP + ROW * len(rows) + AXIS
    shapes = [_tick(share, TOP + ROW * len(rows)) for share in (0, 25, 50, 75, 100)]
    shapes += [part for number, (label, figure) in enumerate(rows) for part in _bar(label, figure, TOP + ROW * number)]
    spoken = "; ".join(f"{label} {percent(figure.mean)}" for label, figure in rows)
    return el(
        "figure",
        el("figcaption", title, el("span", " percent, 95% interval", class_="unit")),
        el("svg", shapes, width="100%", height=height, role="img", aria_label=f"{title}: {spoken}"),
        class_="plot",
    )


def _tick(share: int, bottom: int) -> Html:
    anchor = "start" if share == 0 else "end" if share == 100 else "middle"
    return el(
        "g",
        el("line", x1=f"{share}%", x2=f"{share}%", y1=TOP, y2=bottom, class_="grid"),
        el("text", str(share), x=f"{share}%", y=bottom + 18, text_anchor=anchor, class_="axis"),
    )


def _bar(label: str, figure: Figure, top: int) -> list[Html]:
    middle = top + 30
    parts = [
        el("text", label, x=0, y=top + 16, class_="label"),
        el("text", _value(figure), x="100%", y=top + 16, text_anchor="end", class_="value"),
        el("rect", x=0, y=middle - 7, width="100%", height=14, rx=3, class_="track"),
    ]
    if figure.mean is not None:
        parts.append(el("rect", x=0, y=middle - 7, width=f"{100 * figure.mean:.2f}%", height=14, rx=3, class_="bar"))
    if figure.low is not None and figure.high is not None and figure.high > figure.low:
        low, high = (f"{100 * min(1.0, max(0.0, edge)):.2f}%" for edge in (figure.low, figure.high))
        parts.append(el("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"))
        parts += [el("line", x1=edge, x2=edge, y1=middle - 5, y2=middle + 5, class_="whisker") for edge in (low, high)]
    return parts


def _value(figure: Figure) -> str:
    interval = interval_text(figure)
    return f"{percent(figure.mean)} (n = {figure.n})" if interval is None else f"{percent(figure.mean)} {interval}"
