"""What the jot panel asks for comes in; a page can call it too, so nothing of it is believed."""

from __future__ import annotations

import json
from typing import NamedTuple

_COMMANDS = frozenset({"hello", "take", "draft", "keep", "drop", "back", "open", "topic", "closed"})


class Wish(NamedTuple):
    """What the panel asks for."""

    do: str
    text: str = ""


def read_wish(text: str) -> Wish | None:
    """Read what the panel asks for; None for what is nothing.

    >>> read_wish('{"do": "keep", "text": "Who?"}')
    Wish(do='keep', text='Who?')
    """
    try:
        found = json.loads(text) if len(text) <= 100_000 else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("do") not in _COMMANDS:
        return None
    said = found.get("text")
    return Wish(found["do"], said[:20_000] if isinstance(said, str) else "")
