"""Text comes in, the terms it is found by go out: folded words, digits kept, East Asian scripts as character pairs."""

from __future__ import annotations

import re
import unicodedata

VERSION = "1"
"""Part of the name of a cached index: other terms need another index."""

_WORD = re.compile(r"[^\W_]+")
# Scripts written without spaces: a word is found only when it is cut the same way in the page and in the query.
_UNSPACED = re.compile(r"[぀-ヿ㄰-㆏㐀-䶿一-鿿가-힣豈-﫿\U00020000-\U0003134f]+")


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeats kept.

    >>> terms("Straße 42, 年表です")
    ['strasse', '42', '年表', '表で', 'です']
    """
    if text.isascii():
        return _WORD.findall(text.lower())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words: list[str] = _WORD.findall(folded)
    if not _UNSPACED.search(folded):
        return words
    return [term for word in words for term in ([word] if word.isascii() else _cut(word))]


def _cut(word: str) -> list[str]:
    found: list[str] = []
    place = 0
    for run in _UNSPACED.finditer(word):
        found += [word[place : run.start()]] if run.start() > place else []
        found += _pairs(run.group())
        place = run.end()
    return found + ([word[place:]] if place < len(word) else [])


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[start : start + 2] for start in range(len(run) - 1)]
