"""Cells that try every rule at once, and a column of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from verifier.answers.columns import Column

COLUMNS = (
    Column(name="any"),
    Column(name="text", type="text"),
    Column(name="number", type="number"),
    Column(name="area", type="integer", unit="km²"),
    Column(name="mass", type="number", unit="1000 t"),
    Column(name="price", unit="€ million"),
    Column(name="share", type="percent"),
    Column(name="share (%)", type="percent"),
    Column(name="part (percent)"),
    Column(name="day", type="date"),
    Column(name="long day", type="date", date_format="Month D, YYYY"),
    Column(name="words", type="date", date_format="D of Mon YY"),
    Column(name="tight", type="date", date_format="YYYYMMDD"),
    Column(name="kanji", type="date", date_format="YYYY年M月D日"),
    Column(name="no form", type="date", date_format="x"),
    Column(name="law", type="boolean"),
    Column(name="site", type="url"),
    Column(name="marked", null_marker="not known"),
    Column(name="zero", type="number", null_marker="0"),
    Column(name="city", aliases=(("New York", "NYC", "Big Apple"), ("1000", "k"))),
    Column(name="roman", type="number", unit="m", aliases=(("5", "V"),)),
)

FORMAT_COLUMNS = tuple(column for column in COLUMNS if column.name != "no form")
"""Those an answer format may have."""

_SIGNS = "0123456789.,-+%$ '’½²*&;#/`[]()<>\"€£\u00a0\u202f\u200b−–—ßİŉﬁＡ１％\\^|_:xeE\t\n"
_PIECES = [
    *_SIGNS, "1,234", "km", "km²", "not known", "n/a", "N / A", "May", "january ", "&amp;", "&lt;", "&nbsp;", "**",
    "<b>", "</b>", "<br>", "www.", "http://", "example.org", "%C3%B6", "%2f", "US$", "Rs", "1000 t", "€ million",
    "yes", "true", "NYC", "new", "york", "1", "12", "1996", "06", "0", "1. ", "- ", "```", "~~~", "---", "</answer>",
    "<answer>", "Item", "Name", "Value", '""', "\ud800", "\x00", "\x85", "\u2028",
]  # fmt: skip


def nasty_cells() -> st.SearchStrategy[str]:
    """Cells of pieces that mean something to some rule, and any text."""
    return st.lists(st.sampled_from(_PIECES), max_size=8).map("".join) | st.text(max_size=20)
