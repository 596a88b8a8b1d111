"""Errors of the annotation server. The base classes and their exit codes stand in `browser_capture.errors`.

UserError
├── SetupError              the home folder, its settings or its database cannot be used as they are
│   └── WrongRevision       the database was made by another version; the message holds the command that mends it
└── RequestError            what a person or a client asked for cannot be done; carries an HTTP status and a code
    ├── BadInput            422, a field cannot be accepted; `fields` says which one and why
    ├── UnknownToken        401, an API request carries no valid token
    ├── NotFound            404, there is no such thing, or not in this project
    ├── NotAllowed          403, the policy table says no
    └── Conflict            409, someone or something was quicker
        ├── StaleVersion    written against a version that is no longer the newest
        └── NotHeld         the task is not, or no longer, claimed by this person
IncompleteError
├── DatabaseAway            the database server cannot be reached; start it and try again
└── Busy                    503, the database stayed locked; nothing was changed, ask again
"""

from __future__ import annotations

from collections.abc import Mapping

from browser_capture.errors import IncompleteError, UserError


class SetupError(UserError):
    """When the server's home folder, settings or database cannot be used as they are."""


class WrongRevision(SetupError):
    """When the database's tables belong to another version of the software."""


class DatabaseAway(IncompleteError):
    """When the database server does not answer; nothing was done."""


class RequestError(UserError):
    """When a request cannot be granted. The message is read by people; `code` is for programs."""

    status = 400
    code = "bad_request"


class BadInput(RequestError):
    """When something typed or sent cannot be accepted. `fields` maps a field's name to a sentence about it."""

    status = 422
    code = "bad_input"

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


class UnknownToken(RequestError):
    """When an API request carries no valid token; its machine has to be paired again."""

    status = 401
    code = "unknown_token"


class NotFound(RequestError):
    """When there is no such thing in this project. The same words whether it never was or belongs to others."""

    status = 404
    code = "not_found"


class NotAllowed(RequestError):
    """When the policy table does not let this person do this now."""

    status = 403
    code = "not_allowed"


class Conflict(RequestError):
    """When the thing is in another state than the request supposes."""

    status = 409
    code = "conflict"


class StaleVersion(Conflict):
    """When a write names a version that is no longer the newest. `current` is the newest one's number."""

    code = "stale_version"

    def __init__(self, message: str, current: int) -> None:
        super().__init__(message)
        self.current = current


class NotHeld(Conflict):
    """When a task is not claimed by this person, or the claim ran out and someone else has it."""

    code = "not_held"


class Busy(IncompleteError):
    """When the database could not be written within the time limit; nothing was changed."""

    status = 503
    code = "busy"
