"""The steps every cell passes through before its column's type is asked: one spelling for one text.

What is *not* folded: diacritics (they are near misses), leading zeros, single asterisks (`A*`), underscores, a comma
that groups no thousands. `skip` leaves rules out by their id, to find out which rules a match needed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from html import unescape

Skip = frozenset[str]
"""Ids of rules that are left out."""
NOTHING: Skip = frozenset()

DASHES = "‐‑‒–—―−﹘﹣－⁻"
SINGLE_QUOTES = "‘’‚‛′´ʼʻ`＇"
DOUBLE_QUOTES = "“”„‟″«»＂"
INVISIBLE = (
    "".join(map(chr, [*range(0x09), *range(0x0E, 0x1C), 0x7F]))
    + "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u200e\u200f"
    + "\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u3164\ufeff\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
)
"""Zero-width signs, controls that are no white space, and the selectors that choose a sign's picture."""
SIGNS = {
    **dict.fromkeys(map(ord, DASHES), "-"),
    **dict.fromkeys(map(ord, SINGLE_QUOTES), "'"),
    **dict.fromkeys(map(ord, DOUBLE_QUOTES), '"'),
}
"""Signs folded one to one; the page text is folded with the same table."""

_DASHES = {sign: text for sign, text in SIGNS.items() if text == "-"}
_QUOTES = {sign: text for sign, text in SIGNS.items() if text != "-"}
_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))

_ENTITY = re.compile(r"&(?:amp;)*(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BREAK = re.compile(r"\s*<br\s?/?>\s*", re.IGNORECASE)
_SUPERSCRIPT = re.compile(r"(?<=[0-9)\]])[⁺⁻]?[⁰¹²³⁴-⁹]+")
_LETTER_POWER = re.compile(r"(?<=[^\W\d_])\^(?=-?[0-9])")
_FRACTION = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞])")
_ESCAPE = re.compile(r"\\([*_|$#~`\[\]])")
_BOLD = re.compile(r"(?<![*\w])(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?![*\w])")
_UNDERLINED = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])([^_]*[^\s_])\1(?!\w)")
_CODE = re.compile(r"(?<!`)(`+)(?!`)([^`]+)(?<!`)\1(?!`)")
_LINK = re.compile(r"\[([^\[\]]+)\]\((?:[^()\s]|\([^()\s]{0,200}\)){1,2000}\)")
_TAGS = re.compile(r"<(b|i|em|strong|u|code|span|small)>([^<>]*)</\1>", re.IGNORECASE)
_SPACES = re.compile(r"\s+")


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda found: unescape(f"&{found[1]};"), text) if "&" in text else text


def _line_breaks(text: str) -> str:
    return _BREAK.sub(" ", text) if "<" in text else text


def _markdown(text: str) -> str:
    if "`" in text:
        text = _CODE.sub(r"\2", text)
    if "*" in text:
        text = _BOLD.sub(r"\2", text)
    if "_" in text:
        text = _UNDERLINED.sub(r"\2", text)
    if "[" in text:
        text = _LINK.sub(r"\1", text)
    if "<" in text:
        text = _TAGS.sub(r"\2", text)
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


def _invisible(text: str) -> str:
    return text.translate(_INVISIBLE)


def _superscripts(text: str) -> str:
    # NFKC would turn 10² into 102; after a letter nothing can be confused, and km² is also written km2 and km^2.
    text = _SUPERSCRIPT.sub(lambda found: "^" + unicodedata.normalize("NFKC", found[0]), text)
    return _LETTER_POWER.sub("", _FRACTION.sub(" ", text))


def _compatibility(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("\u2044", "/")


def _quoted(text: str) -> str:
    inner = text.strip()
    if len(inner) > 2 and inner[0] == inner[-1] == '"' and '"' not in inner[1:-1]:
        return inner[1:-1]
    return text


def _spaces(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


FOLDING: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("entities", _entities),
    ("line_break", _line_breaks),
    ("markdown", _markdown),
    ("invisible", _invisible),
    ("superscript", _superscripts),
    ("dashes", lambda text: text.translate(_DASHES)),
    ("quotes", lambda text: text.translate(_QUOTES)),
    ("compatibility", _compatibility),
    ("quoted", _quoted),
    ("spaces", _spaces),
)
"""The folding steps by the id of their rule: in this order, repeated until nothing changes."""

LONG = 2000
"""Longer cells are passages: their spaces, dashes, quotes and case are folded, markup and numbers are not read."""

MOST_ROUNDS = 1000
"""More rounds than a cell can have layers of markup: no text is folded for ever."""

_LONG_FOLDING = tuple(
    step for step in FOLDING if step[0] in ("invisible", "dashes", "quotes", "compatibility", "spaces")
)
_PLAIN = re.compile(r"[A-Za-z0-9.,:;!?()/%$+'#=@-]+(?: [A-Za-z0-9.,:;!?()/%$+'#=@-]+)*", re.ASCII)
_SPECIAL = re.compile(
    rf"[&<>*_`\[\\^\"{re.escape(''.join(sorted(set(INVISIBLE + DASHES + SINGLE_QUOTES + DOUBLE_QUOTES))))}"
    r"⁰¹²³⁴-⁹⁺¼-¾⅐-⅞⁄]|[^\S ]|  |\A | \Z"
)


def fold(cell: str, skip: Skip = NOTHING) -> str:
    """Return the cell in one spelling, its case kept. Diacritics and leading zeros stay as they are.

    >>> fold("  **Rock &amp; Roll** – live ")
    'Rock & Roll - live'
    """
    if is_plain(cell):
        return cell
    for _ in range(MOST_ROUNDS):
        folded = cell
        for rule, step in FOLDING if len(cell) <= LONG else _LONG_FOLDING:
            if rule not in skip:
                folded = step(folded)
        if folded == cell:
            break
        cell = folded
    return cell


def is_plain(cell: str) -> bool:
    """Tell, quickly, whether no folding step can change a cell.

    >>> is_plain("Köln 2"), is_plain("Köln–Bonn")
    (True, False)
    """
    if cell.isascii():
        return _PLAIN.fullmatch(cell) is not None
    return _SPECIAL.search(cell) is None and unicodedata.is_normalized("NFKC", cell)
