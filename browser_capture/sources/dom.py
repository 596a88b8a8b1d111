"""A message of the in-page script comes in; what the person did, as an event without its envelope, goes out. Pure.

A page can see the binding and may call it with anything: what does not read as a message of the script is dropped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from browser_capture.sources.wire import DomCall
from browser_capture.urls import unwrap_redirect

REWROTE = "rewrote"
"""The kind of message that tells of an address the page wrote while the person typed."""
_LONGEST = 20_000
_LARGEST = 2**53 - 1
"""What a script can count to; a page may put any number in the place of its window's own."""


class DomMessage(NamedTuple):
    """A message, read. `kind` is an event type, or what only steers the recorder: document, loaded, shown, changed,
    written, rewrote, sent.
    """

    kind: str
    url: str
    is_main: bool
    n: int
    at: float
    changes: int
    data: Mapping[str, Any]
    scroll: Mapping[str, float]


def read_message(call: DomCall) -> DomMessage | None:
    """Read a message of the script; None when it is not one. Members nobody knows are dropped.

    A page that calls the recorder itself may claim a click at most, which is then no person's and says nothing of the
    page: a made-up count of changes would keep it from being kept.
    """
    if len(call.text) > _LONGEST:
        return None
    try:
        found = json.loads(call.text)
    except (ValueError, RecursionError):
        return None
    kind = found.get("kind") if isinstance(found, dict) else None
    if not isinstance(kind, str) or kind not in _MEMBERS or not (call.is_own or kind == "click"):
        return None
    said = found.get("data")
    data: dict[str, Any] = said if isinstance(said, dict) else {}
    members = _MEMBERS[kind]
    if not call.is_own:
        data = {**data, "trusted": False}
    return DomMessage(
        kind=kind,
        url=call.frame_url,
        is_main=call.is_main,
        n=int(_number(found.get("n"))),
        at=_number(found.get("at")),
        changes=int(_number(found.get("changes"))) if call.is_own else 0,
        data={name: read(data[name]) for name, read in members.items() if name in data},
        scroll=_scroll(found.get("scroll") if call.is_own else None),
    )


def event_data(message: DomMessage) -> dict[str, Any]:
    """Return the data of the event a message stands for; a click's link is unwrapped from an engine's redirect."""
    data = dict(message.data)
    if message.kind == "click" and data.get("link_url"):
        data["link_target_url"] = unwrap_redirect(data["link_url"])
    return data


def _number(value: Any) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return max(-_LARGEST, min(_LARGEST, value)) if good else 0


def _share(value: Any) -> float:
    return max(0, min(1, _number(value)))


def _text(value: Any) -> str:
    return value[:2000] if isinstance(value, str) else ""


def _line(value: Any) -> str:
    return " ".join(_text(value).split())


def _text_or_none(value: Any) -> str | None:
    return value[:8000] if isinstance(value, str) else None


def _whole(value: Any) -> int:
    return int(_number(value))


def _whole_or_none(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _flag(value: Any) -> bool:
    return value is True


def _scroll(value: Any) -> dict[str, float]:
    found = value if isinstance(value, dict) else {}
    return {name: read(found.get(name)) for name, read in _MEMBERS["scroll"].items()}


def _screen(value: Any) -> dict[str, float]:
    found = value if isinstance(value, dict) else {}
    return {name: _number(found.get(name)) for name in ("width", "height", "scale")}


_Reader = Callable[[Any], Any]
_MEMBERS: Mapping[str, Mapping[str, _Reader]] = {
    "click": {
        "button": _whole,
        "ctrl": _flag,
        "shift": _flag,
        "meta": _flag,
        "alt": _flag,
        "x": _number,
        "y": _number,
        "trusted": _flag,
        "region": _text,
        "link_url": _text_or_none,
        "link_text": _line,
        "opens_tab": _flag,
        "opens_summary": _flag,
    },
    "enter": {"field_kind": _text, "value_length": _whole_or_none},
    "submit": {"action": _text_or_none, "method": _text},
    "scroll": {"y": _number, "max_px": _number, "doc_h": _number, "depth": _share},
    "copy": {"text": _text, "prefix": _text, "suffix": _text, "in_summary": _flag},
    "visibility": {"state": _text, "focused": _flag},
    "document": {"state": _text, "focused": _flag, "screen": _screen},
    "loaded": {},
    "written": {},
    REWROTE: {"address": _text_or_none, "before": _text_or_none},
    "sent": {"address": _text_or_none},
    "shown": {},
    "changed": {},
}
