"""A model's reply read as a document: JSON wherever it stands, mended where it must be, the raw text kept."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)


class JsonReply(NamedTuple):
    """What was read. `value` is None where nothing could be, and `reason` says why. `mended`: it was not valid JSON."""

    value: dict[str, Any] | None
    mended: bool
    reason: str
    raw: str


def read_json_reply(reply: str) -> JsonReply:
    """Read the last JSON object of a reply: in a fence, bare, or nearly JSON. Never raises.

    >>> read_json_reply('Here it is: {"right": true}').value
    {'right': True}
    """
    for text in (*reversed(_FENCED.findall(reply)), reply, _outermost(reply)):
        value = _strict(text)
        if value is not None:
            return JsonReply(value, False, "", reply)
    return _mended(reply)


def _outermost(reply: str) -> str:
    return reply[reply.find("{") : reply.rfind("}") + 1] if "{" in reply else ""


def _strict(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _mended(reply: str) -> JsonReply:
    if "{" not in reply:
        return JsonReply(None, False, "the reply holds no JSON object", reply)
    from json_repair import loads

    try:
        value = loads(reply[reply.find("{") :])
    except ValueError as error:
        return JsonReply(None, False, f"the reply's JSON cannot be read: {error}", reply)
    if isinstance(value, dict) and value:
        return JsonReply(value, True, "", reply)
    return JsonReply(None, False, "the reply's JSON cannot be read", reply)
