"""A model's thoughts, which some write before their answer between tags, are taken out of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.answers.reply_parts import ANSWER_TAG

_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_SOLID = re.compile(r"\S")


def without_reasoning(reply: str, faults: list[str]) -> str:
    """Return a reply without what stands between `<think>` and `</think>`; names the fault `reasoning`.

    A lone closing tag ends thoughts whose opening one stood in the prompt. Where nothing would be left, and where an
    opening tag is never closed, the reply stays as it is.

    >>> without_reasoning("<think>Is it Lyon?</think>Paris", faults := []), faults
    ('Paris', ['reasoning'])
    """
    kept: list[str] = []
    at = 0
    for start, end in _thoughts(reply):
        if start > at:
            kept.append(reply[at:start])
        at = end
    rest = "\n".join([*kept, reply[at:]]).strip("\n")
    if at == 0 or _SOLID.search(rest) is None:
        return reply
    faults.append("reasoning")
    return rest


def _thoughts(reply: str) -> Iterator[tuple[int, int]]:
    opened: int | None = None
    is_first = True
    for tag in _TAG.finditer(reply):
        if not tag[1]:
            opened = tag.start() if opened is None else opened
        elif opened is not None:
            yield opened, tag.end()
            opened, is_first = None, False
        elif is_first:
            # The answer itself may speak of the tag.
            if ANSWER_TAG.search(reply, 0, tag.start()) is None:
                yield 0, tag.end()
            is_first = False
