"""Errors of the capture floor. The class says who acts next; the message says what was found and what to do.

TrailbenchError             every error of ours that a command turns into one sentence and an exit code
├── UserError               the person's input or set-up; exit 2
│   ├── RecordError         a record does not fit its schema
│   ├── SpoolDamaged        a recording on this machine cannot be read
│   │   └── BrokenChain     a whole line of it is not the one that belongs there
│   ├── ServerRefused       the annotation server understood and said no
│   └── BrowserNotFound     no usable Chromium
│       └── BrowserLate     a Chromium that started and did not answer in time
├── IncompleteError         the network, a server or the disk; try again; exit 3
│   └── ServerAway          the annotation server cannot be reached or is busy
└── CheckFailed             a check ran and said no; exit 4

WireError                   the browser did not answer; it reaches no command, the recorder goes on without that answer
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TrailbenchError(Exception):
    """When something went wrong that a person should read about in one sentence."""

    exit_code = 1


class UserError(TrailbenchError):
    """When what was asked for cannot be done as asked."""

    exit_code = 2


class RecordError(UserError):
    """When a record does not fit its schema; the message names the place in the record."""


class SpoolDamaged(UserError):
    """When a recording on this machine cannot be read; the message names the folder and the place."""


class BrokenChain(SpoolDamaged):
    """When a line is whole but not the one that belongs there: no crash leaves that."""


class ServerRefused(UserError):
    """When the annotation server understood and said no. `status` and `code` are its words."""

    def __init__(self, message: str, status: int, code: str = "", body: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.body = body or {}


class BrowserNotFound(UserError):
    """When no Chromium could be found or fetched."""


class BrowserLate(BrowserNotFound):
    """When a browser was started and did not open its DevTools port in time: a busy machine can be to blame."""


class IncompleteError(TrailbenchError):
    """When the infrastructure failed; what was done so far is kept and the call may be repeated."""

    exit_code = 3


class ServerAway(IncompleteError):
    """When the server cannot be reached or is busy. `retry_after` is its own wish in seconds, where it has one."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class CheckFailed(TrailbenchError):
    """When a check ran to its end and its answer is no."""

    exit_code = 4


class WireError(Exception):
    """When the browser did not answer, in time or at all; the recording goes on without that answer."""
