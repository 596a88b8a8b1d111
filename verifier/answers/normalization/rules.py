"""The rules every cell passes through before its column's type is asked: one spelling for one text.

A rule has an id, a sentence and an example, so that a score can name the rules a match needed. What is *not* folded:
diacritics (they are near misses), leading zeros, single asterisks (`A*`), a comma that groups no thousands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from html import unescape
from typing import NamedTuple


class Rule(NamedTuple):
    """A step of normalisation: what it is called, what it does, an example of before and after."""

    id: str
    says: str
    before: str
    after: str
    apply: Callable[[str], str]


DASHES = "‐‑‒–—―−﹘﹣－⁻"
SINGLE_QUOTES = "‘’‚‛′´ʼ`＇"
DOUBLE_QUOTES = "“”„‟″«»＂"
INVISIBLE = (
    "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
SIGNS = {
    **dict.fromkeys(map(ord, DASHES), "-"),
    **dict.fromkeys(map(ord, SINGLE_QUOTES), "'"),
    **dict.fromkeys(map(ord, DOUBLE_QUOTES), '"'),
}
"""Signs folded one to one; the page text is folded with the same table."""

_ENTITY = re.compile(r"&(?:amp;)*(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴-⁹]+")
_FRACTION = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞])")
_BOLD = re.compile(r"(?<![*\w])(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?![*\w])")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\[\]]+)\]\((?:[^()\s]|\([^()\s]*\))+\)")
_SPACES = re.compile(r"\s+")


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda found: unescape(f"&{found[1]};"), text)


def _markdown(text: str) -> str:
    return _LINK.sub(r"\1", _BOLD.sub(r"\2", _CODE.sub(r"\1", text)))


def _invisible(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, INVISIBLE)))


def _superscripts(text: str) -> str:
    # NFKC would turn 10² into 102.
    text = _SUPERSCRIPT.sub(lambda found: "^" + unicodedata.normalize("NFKC", found[0]), text)
    return _FRACTION.sub(" ", text)


def _compatibility(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("\u2044", "/")


def _quoted(text: str) -> str:
    inner = text.strip()
    if len(inner) > 2 and inner[0] == inner[-1] == '"' and '"' not in inner[1:-1]:
        return inner[1:-1]
    return text


def _spaces(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


FOLDING: tuple[Rule, ...] = (
    Rule("entities", "HTML entities are read", "AT&amp;T", "AT&T", _entities),
    Rule("markdown", "Paired markdown is removed", "**1,234**", "1,234", _markdown),
    Rule("invisible", "Zero-width signs are removed", "Tok\u200byo", "Tokyo", _invisible),
    Rule("superscript", "Superscripts and fractions keep their distance", "10²", "10^2", _superscripts),
    Rule("signs", "Dashes and quotes have one form each", "1914–1918", "1914-1918", lambda text: text.translate(SIGNS)),
    Rule("compatibility", "Unicode NFKC", "１２％", "12%", _compatibility),
    Rule("quoted", "Quotes around the whole cell are removed", '"Heroes"', "Heroes", _quoted),
    Rule("spaces", "Every run of white space is one space", " new \u00a0 york ", "new york", _spaces),
)
"""In this order, repeated until nothing changes."""

_PLAIN = re.compile(r"[A-Za-z0-9.,:;!?()/%$+'#=@_-]+(?: [A-Za-z0-9.,:;!?()/%$+'#=@_-]+)*", re.ASCII)


def fold(cell: str) -> str:
    """Return the cell in one spelling, its case kept. Diacritics and leading zeros stay as they are.

    >>> fold("  **Rock &amp; Roll** – live ")
    'Rock & Roll - live'
    """
    if _PLAIN.fullmatch(cell):
        return cell
    while True:
        folded = cell
        for rule in FOLDING:
            folded = rule.apply(folded)
        if folded == cell:
            return folded
        cell = folded


def rules_used(cell: str) -> tuple[str, ...]:
    """Return the ids of the folding rules that change this cell, in their order.

    >>> rules_used("**Tokyo**")
    ('markdown',)
    """
    used = []
    for rule in FOLDING:
        folded = rule.apply(cell)
        if folded != cell:
            used.append(rule.id)
        cell = folded
    return tuple(used)
