"""What the annotation server says of a task a person is about to record, and the project's rules for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from browser_capture.banned import BANNED_PLACES, whole_list
from browser_capture.errors import IncompleteError


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The project's rules. Recorded events wait `forget_minutes` before they leave the machine.

    With `inspect_first` nothing leaves before its person has looked at the stopped recording.
    """

    allowed_engines: tuple[str, ...] = ("google",)
    banned_hosts: tuple[str, ...] = BANNED_PLACES
    start_url: str = "about:blank"
    forget_minutes: float = 10
    inspect_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureTask:
    """A task as the recorder needs it."""

    task_id: str
    version: int | None = None
    question: str = ""
    held_by_me: bool = True
    policy: Policy = field(default_factory=Policy)


def read_task(data: Mapping[str, Any]) -> CaptureTask:
    """Read the server's answer about a task. Raises IncompleteError when it is not one."""
    try:
        policy = data.get("policy") or {}
        banned = policy.get("banned_hosts")
        return CaptureTask(
            task_id=str(data["task_id"]),
            version=data.get("version"),
            question=str(data.get("question", "")),
            held_by_me=bool(data.get("held_by_me", True)),
            policy=Policy(
                allowed_engines=tuple(policy.get("allowed_engines") or ("google",)),
                # An older server sends no list; a project that bans nothing sends an empty one.
                banned_hosts=BANNED_PLACES if banned is None else whole_list(map(str, banned)),
                start_url=str(policy.get("start_url") or "about:blank"),
                forget_minutes=float(policy.get("forget_minutes", 10)),
                inspect_first=policy.get("inspect_first") is True,
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise IncompleteError(f"the server's answer about the task cannot be read: {error}") from error


def engine_warning(policy: Policy, engine: str) -> str | None:
    """Return the sentence for the person when a search engine is not one of the project's, None when it is.

    >>> engine_warning(Policy(), "bing")
    'This is bing. The project allows google: search there.'
    """
    if engine in policy.allowed_engines:
        return None
    return f"This is {engine}. The project allows {' or '.join(policy.allowed_engines)}: search there."
