"""Errors of the verifier. The base classes and their exit codes stand in `browser_capture.errors`.

UserError
├── AnswerFormatError       a task's answer format contradicts itself
├── AnswerUnreadable        a file that should hold an answer cannot be read as one
└── ModelRefused            the model server says the request is wrong (key, name, size); asking again will not help
IncompleteError
└── ModelUnavailable        the model server is away, slow or overloaded; try again
"""

from __future__ import annotations

from browser_capture.errors import IncompleteError, UserError


class AnswerFormatError(UserError):
    """When a task's answer format contradicts itself, such as a sort key that is no column."""


class AnswerUnreadable(UserError):
    """When a file or a text that should hold an answer cannot be read as one."""


class ModelRefused(UserError):
    """When a model server refuses the request itself, so that asking again will not help."""


class ModelUnavailable(IncompleteError):
    """When a model server cannot be reached, answers too late or is overloaded."""
