"""Errors of the capture floor. The class says who acts next; the message says what was found and what to do.

TrailbenchError             every error of ours that a command turns into one sentence and an exit code
├── UserError               the person's input or set-up; exit 2
│   ├── RecordError         a record does not fit its schema
│   └── BrowserNotFound     no usable Chromium
├── IncompleteError         the network, a server or the disk; try again; exit 3
└── CheckFailed             a check ran and said no; exit 4
"""

from __future__ import annotations


class TrailbenchError(Exception):
    """When something went wrong that a person should read about in one sentence."""

    exit_code = 1


class UserError(TrailbenchError):
    """When what was asked for cannot be done as asked."""

    exit_code = 2


class RecordError(UserError):
    """When a record does not fit its schema; the message names the place in the record."""


class BrowserNotFound(UserError):
    """When no Chromium could be found or fetched."""


class IncompleteError(TrailbenchError):
    """When the infrastructure failed; what was done so far is kept and the call may be repeated."""

    exit_code = 3


class CheckFailed(TrailbenchError):
    """When a check ran to its end and its answer is no."""

    exit_code = 4
