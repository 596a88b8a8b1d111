"""A word and the bytes of a recording come in; where the word stands in them goes out. Pure.

A word may stand in a page as it is read, with other letters' case or spaces, as an HTML entity, in an address with
per cent signs, or escaped in a script: all of these count as found. Somebody asks because it must not be there.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

_AROUND = 40
_ESCAPES = re.compile(r"\\u([0-9a-fA-F]{4})")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_TAGS = re.compile(r"<[^<>]*>")
_TEXTS = re.compile(r"text/|.*(?:html|xml|json|javascript)", re.IGNORECASE)


def excerpt_around(word: str, data: bytes) -> str | None:
    """Return a word with what stands around it in bytes of whatever kind, None when it does not stand there.

    >>> excerpt_around("Zoë B.", b"<p>by ZO&Euml;  B.</p>")
    '<p>by ZOË B.</p>'
    """
    goal = folded(word)
    if not goal:
        return None
    for text in _readings(data):
        plain = folded(text)
        at = plain.find(goal)
        if at >= 0:
            first, last = max(0, at - _AROUND), at + len(goal) + _AROUND
            written = _as_written(text, first, last)
            return written if goal in folded(written) else plain[first:last].strip()
    return None


def stands_in(word: str, data: bytes) -> bool:
    """Tell whether a word stands in bytes that are no text, such as the notes inside a picture.

    >>> stands_in("Zoe", b"\\x89PNG by\\x00ZOE\\x00"), stands_in("Zoe", "zoe".encode("utf-16-le"))
    (True, True)
    """
    low = data.lower()
    goals = (word.lower().encode(encoding, "replace") for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
    return any(goal in low for goal in goals if goal)


def is_text(mime: str) -> bool:
    """Tell whether parts of this media type are text.

    >>> is_text("image/svg+xml"), is_text("image/png")
    (True, False)
    """
    return _TEXTS.match(mime) is not None


def folded(text: str) -> str:
    """Return a text without what people do not mean to tell apart: case, forms of one letter, runs of white space.

    >>> folded("Ｔwo\\n\\twords ")
    'two words'
    """
    if text.isascii():
        return " ".join(text.lower().split())  # a page of megabytes is most often this
    return " ".join(_normal(_normal(text).casefold()).split())


def _as_written(text: str, first: int, last: int) -> str:
    """Return what stands from `first` to `last` of a folded text with its own letters.

    >>> _as_written("By  ZOË\\nB.", 3, 9)
    'ZOË B.'
    """
    found, place = list[str](), 0
    for word in text.split():
        low = folded(word)
        if place >= last:
            break
        if place + len(low) > first:
            # A letter that folds to several has no place of its own: such a word is cut as it is folded.
            shown = word if len(word) == len(low) else low
            found.append(shown[max(0, first - place) : last - place])
        place += len(low) + 1
    return " ".join(found)


def _normal(text: str) -> str:
    # To look whether it is takes a tenth of the time, and most often it is.
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


def _readings(data: bytes) -> Iterator[str]:
    """Yield the ways in which bytes may be read, the plain one first; equal ones are not looked at twice."""
    for text in _decoded(data):
        yield text
        if "&" in text:
            yield html.unescape(text)
        if "+" in text or _PERCENT.search(text):
            yield _unquoted(text)
        if "\\u" in text:
            yield _unescaped(text)
        if "<" in text:
            # A word may be cut by marks of its own, and a search box shows each letter in one.
            yield html.unescape(_TAGS.sub("", text))


def _decoded(data: bytes) -> Iterator[str]:
    try:
        yield data.decode("utf-8")
    except UnicodeDecodeError:
        yield data.decode("cp1252", "replace")
        yield data.decode("utf-8", "replace")
    if b"\x00" in data[:4000]:
        yield data.decode("utf-16-le", "replace")
        yield data.decode("utf-16-be", "replace")


def _unquoted(text: str) -> str:
    return _PERCENT.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "replace"), text).replace(
        "+", " "
    )


def _unescaped(text: str) -> str:
    found = _ESCAPES.sub(lambda match: chr(int(match[1], 16)), text)
    # Two halves of a sign become the sign.
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
