"""Errors of the verifier. The base classes and their exit codes stand in `browser_capture.errors`.

UserError
├── AnswerFormatError       a task's answer format contradicts itself
├── AnswerUnreadable        a file that should hold an answer cannot be read as one
├── QuestionsUnreadable     a file that should hold questions cannot be read as one
├── TooFewRuns              an estimate asks for more runs of a question than there are
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


class QuestionsUnreadable(UserError):
    """When a file that should hold questions cannot be read as one; the message names the lines."""


class TooFewRuns(UserError):
    """When an estimate over k runs of a question is asked for and there are fewer."""


class ModelRefused(UserError):
    """When a model server refuses the request itself, so that asking again will not help."""


class ModelUnavailable(IncompleteError):
    """When a model server cannot be reached, answers too late or is overloaded."""
