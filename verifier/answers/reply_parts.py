"""Where the answer stands in a reply: the last `<answer>` part, in it the last fitting block.

A reply may hold drafts, corrections, other code, mentions of the tags and fences in sentences; it may be cut off. One
pass over the text finds the tags, one the fences; nothing is kept but places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

ANSWER_TAG = re.compile(r"<[ \n]{0,3}(/?)[ \n]{0,3}answer(?: [^<>\n\t]{0,100})?[ \n]{0,3}>", re.IGNORECASE)
"""An opening or a closing tag, with spaces and attributes perhaps; never across cells."""
_MENTION = re.compile(r"[\W_]*(?:and|or|to|here|your answer|the answer|tags?)?[\W_]*", re.IGNORECASE)
_FENCE_LINE = re.compile(r"(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_LABEL = re.compile(r"[ \t]*\{?[ \t]*\.?(?:language-)?([\w+#-]*)")
_SOLID = re.compile(r"\S")

_RANK = {
    **dict.fromkeys(("tsv", "tab"), 5),
    **dict.fromkeys(("csv", "psv", "ssv"), 4),
    **dict.fromkeys(
        ("", "text", "txt", "plaintext", "plain", "markdown", "md", "table", "answer", "output", "data"), 3
    ),
    "json": 2,
}
"""Which label a block of the answer has rather than another; any other label comes last."""
MAX_FENCES = 20_000
"""Fences of one sign that are looked at, from the end; what stands before them is left out and named `oversized`."""
_DEPTH = 3
"""How deep a block is looked for inside a longer fence."""


class Part(NamedTuple):
    """The text of the answer. `label` is the block's label in small letters, None where it stands in no fence."""

    text: str
    label: str | None


class _Block(NamedTuple):
    start: int
    end: int
    label: str
    indent: str
    closed: bool

    @property
    def rank(self) -> int:
        return _RANK.get(self.label, 0)


def answer_text(reply: str, faults: list[str]) -> str:
    """Return the inside of the last complete `<answer>` that holds something; without one, what comes nearest.

    >>> answer_text("<answer>Lyon</answer> no: <ANSWER>Paris</ANSWER>", [])
    'Paris'
    """
    pair, mention = None, None
    openings: list[re.Match[str]] = []
    opened = stray = None
    answers = 0
    for tag in ANSWER_TAG.finditer(reply):
        if _in_code_marks(reply, tag):
            continue
        if not tag[1]:
            opened, openings = tag, [*openings[-1:], tag]
        elif opened is None:
            stray = tag
        else:
            if _is_mention(reply, opened.end(), tag.start()):
                mention = opened.end(), tag.start()
            else:
                pair, answers = (opened.end(), tag.start()), answers + 1
            opened = None
    if answers > 1:
        faults.append("multiple_answers")
    if pair is None and opened is not None and (cut := _cut_off(reply, openings)):
        faults.append("truncated")
        return reply[cut[0] : cut[1]]
    if found := pair or (mention if mention and _SOLID.search(reply, *mention) else None):
        return reply[found[0] : found[1]]
    if not openings:
        faults.append("no_answer_tag")
        return reply[: stray.start()] if stray else reply
    if opened is not None:
        faults.append("truncated")
    return ""


def _in_code_marks(reply: str, tag: re.Match[str]) -> bool:
    return reply[tag.start() - 1 : tag.start()] == "`" == reply[tag.end() : tag.end() + 1]


def _is_mention(reply: str, start: int, end: int) -> bool:
    # "between <answer> and </answer>" is about the tags.
    return end - start <= 40 and _MENTION.fullmatch(reply, start, end) is not None


def _cut_off(reply: str, openings: list[re.Match[str]]) -> tuple[int, int] | None:
    last = openings[-1]
    if _SOLID.search(reply, last.end()):
        return last.end(), len(reply)
    # Closed by an opening tag: what stands between the last two is meant.
    return (openings[0].end(), last.start()) if len(openings) > 1 else None


def answer_part(text: str, faults: list[str], depth: int = _DEPTH) -> Part:
    """Return the last block with the best label, or the text itself where there is no block.

    >>> answer_part("```python\\n1\\n```\\n~~~TSV\\nValue\\nParis\\n~~~", [])
    Part(text='Value\\nParis\\n', label='tsv')
    """
    text = _last_fences(text, faults)
    best, count = None, 0
    for block in _blocks(text):
        if _SOLID.search(text, block.start, block.end):
            count += 1
            best = block if best is None or block.rank >= best.rank else best
    if best is None:
        # Only empty blocks, or none: an empty one is an answer without rows.
        empty = next(_blocks(text), None)
        if empty is None:
            faults.append("no_fence")
            return Part(text, None)
        best = empty
    if count > 1:
        faults.append("multiple_blocks")
    inside = _without_indent(text[best.start : best.end], best.indent)
    if depth and best.label != "tsv" and any(_blocks(inside)):
        return answer_part(inside, faults, depth - 1)
    if not best.closed:
        faults.append("truncated")
    if best.rank != _RANK["tsv"]:
        faults.append("fence_label")
    return Part(inside, best.label)


def _last_fences(text: str, faults: list[str]) -> str:
    for sign in ("```", "~~~"):
        if text.count(sign) > MAX_FENCES:
            faults.append("oversized")
            at = len(text)
            for _ in range(MAX_FENCES):
                at = text.rfind(sign, 0, at)
            text = text[text.rfind("\n", 0, at) + 1 :]
    return text


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the fenced blocks. A fence counts only where it fills its line: one named in a sentence opens nothing."""
    fence, label, indent, inside = "", "", "", 0
    for start, end in _lines_with_fences(text):
        line = text[start:end]
        found = _FENCE_LINE.fullmatch(line)
        info = found["info"].strip() if found else ""
        if found and "`" not in info and _opens_or_closes(found["fence"], fence):
            if fence:
                yield _Block(inside, start, label, indent, closed=not info)
            opens = not fence or bool(info)
            fence = found["fence"] if opens else ""
            label, indent, inside = _label(info), found["indent"], min(end + 1, len(text))
        elif fence and line.rstrip().endswith(fence):
            # The closing fence stands at the end of the last row.
            yield _Block(inside, start + len(line.rstrip()) - len(fence), label, indent, closed=True)
            fence = ""
    if fence:
        yield _Block(inside, len(text), label, indent, closed=False)


def _opens_or_closes(found: str, fence: str) -> bool:
    return not fence or (found[0] == fence[0] and len(found) >= len(fence))


def _label(info: str) -> str:
    found = _LABEL.match(info)
    return found[1].lower() if found else ""


def _lines_with_fences(text: str) -> Iterator[tuple[int, int]]:
    # Plain finding is many times faster than a pattern; each sign is looked for only behind the last place found.
    at, length = 0, len(text)
    ticks = tildes = -1
    while True:
        ticks = _find(text, "```", at) if ticks < at else ticks
        tildes = _find(text, "~~~", at) if tildes < at else tildes
        found = min(ticks, tildes)
        if found == length:
            return
        start = text.rfind("\n", at, found) + 1 or at
        end = _find(text, "\n", found)
        yield start, end
        at = end + 1


def _find(text: str, sign: str, at: int) -> int:
    found = text.find(sign, at)
    return len(text) if found < 0 else found


def _without_indent(text: str, indent: str) -> str:
    if not indent:
        return text
    if ">" in indent:
        return re.sub(rf"^[ \t]*(?:>[ \t]?){{1,{min(indent.count('>'), 9)}}}", "", text, flags=re.MULTILINE)
    return re.sub(rf"^{re.escape(indent)}", "", text, flags=re.MULTILINE)
