"""A page of the docs comes in as Markdown; what a reader would type and do goes out, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Command(NamedTuple):
    """A command of a console block and the output shown below it."""

    line: str
    output: tuple[str, ...]


class Deed(NamedTuple):
    """One thing to do in a page. `name` and `text` are what the step says in bold, in code or as an address."""

    verb: str
    name: str = ""
    text: str = ""


_DEEDS = {
    "move": r"In (?:your|the) (?P<name>recorded browser|browser|panel),",
    "search": r"[Tt]ype `(?P<text>[^`]+)` into the search box and press Enter",
    "visit": r"[Oo]pen <(?P<text>[^>]+)>",
    "follow": r"[Oo]pen \*\*(?P<name>[^*]+)\*\*",
    "sign in": r"sign in as `(?P<text>[^`]+)`",
    "push": r"[Pp]ress \*\*(?P<name>[^*]+)\*\*",
    "key": r"[Pp]ress `(?P<text>[^`]+)`",
    "type": r"[Tt]ype `(?P<text>[^`]+)` into \*\*(?P<name>[^*]+)\*\*",
    "copy": r"[Cc]opy `(?P<text>[^`]+)` from `(?P<name>[^`]+)`",
    "paste": r"[Pp]aste into \*\*(?P<name>[^*]+)\*\*",
    "choose": r"[Cc]hoose \*\*(?P<name>[^*]+)\*\*",
    "select": r"[Ss]elect `(?P<text>[^`]+)` in \*\*(?P<name>[^*]+)\*\*",
    "see": r"[Yy]ou see \*\*(?P<text>[^*]+)\*\*",
}
"""How the docs say a deed. The first form that fits at a place is taken."""

_ANY_DEED = re.compile("|".join(f"(?:{form})" for form in (re.sub(r"\?P<\w+>", "", form) for form in _DEEDS.values())))


_STEP = re.compile(r"^```console\n(?P<console>.*?)^```|^\d+\. (?P<step>[^\n]*)$", re.MULTILINE | re.DOTALL)


class UnreadableStep(ValueError):
    """When a step says something in bold, in code or as an address that no form explains."""


def read_steps(page: Path, *, after: str = "", before: str = "") -> Iterator[Command | Deed]:
    """Yield the commands and deeds of a page, optionally only between two headings."""
    text = page.read_text(encoding="utf-8")
    start = text.index(f"\n## {after}\n") if after else 0
    end = text.index(f"\n## {before}\n") if before else len(text)
    for found in _STEP.finditer(text, start, end):
        yield from _commands(found["console"]) if found["console"] else deeds(found["step"])


def deeds(step: str) -> list[Deed]:
    """Read the deeds of one step.

    >>> deeds("In the panel, press **Start**. You see **Recording**.")[1:]
    [Deed(verb='push', name='Start', text=''), Deed(verb='see', name='', text='Recording')]
    """
    if unread := re.search(r"\*\*|`|<", _ANY_DEED.sub("", step)):
        raise UnreadableStep(f"nobody would know what to do at {unread[0]!r} in: {step}")
    return [_deed(found[0]) for found in _ANY_DEED.finditer(step)]


def _deed(words: str) -> Deed:
    for verb, form in _DEEDS.items():
        if found := re.fullmatch(form, words):
            return Deed(verb, **found.groupdict())
    raise AssertionError(words)


def _commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, *output = part.rstrip("\n").split("\n")
        yield Command(line, tuple(output))


def fits(expected: tuple[str, ...], printed: str) -> bool:
    """Tell whether printed text is what the docs show: `...` alone stands for any lines, inside a line for any text.

    >>> fits(("Set up: ..., project a.", "..."), "Set up: b, project a.")
    True
    """
    pattern = "".join(
        "(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n" for line in expected
    )
    lines = "".join(f"{line.rstrip()}\n" for line in printed.strip().splitlines())
    return re.fullmatch(pattern, lines) is not None
