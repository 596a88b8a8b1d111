"""What this machine may do at which server: a token of the pairing, readable by its owner alone."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from browser_capture.errors import UserError
from browser_capture.folders import make_private

FILE = "credentials.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """A pairing of this machine with one server."""

    server: str
    token: str
    user: str
    project: str = ""


def save_credentials(home: Path, credentials: Credentials) -> Path:
    """Keep a pairing; the one before it, with whatever server, is replaced. Returns the file."""
    path = make_private(home) / FILE
    temporary = path.with_suffix(".new")
    temporary.unlink(missing_ok=True)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(credentials), file)
    os.replace(temporary, path)
    return path


def load_credentials(home: Path, server: str | None = None) -> Credentials:
    """Return this machine's pairing. Raises UserError with the next step when there is none for this server."""
    path = home / FILE
    try:
        found = _read(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            "this machine is not paired with a server yet; run: trailbench capture login SERVER --code CODE"
        ) from None
    except ValueError as error:
        raise UserError(f"{path} cannot be read ({error}); pair again: trailbench capture login SERVER") from error
    if server is not None and server.rstrip("/") != found.server:
        raise UserError(
            f"this machine is paired with {found.server}, not with {server}; run: trailbench capture login {server}"
        )
    return found


def _read(text: str) -> Credentials:
    found = json.loads(text)
    names = [member.name for member in fields(Credentials)]
    if not isinstance(found, dict):
        raise ValueError(f"expected an object with {', '.join(names)}, found {type(found).__name__}")
    for name in names:
        value = found.get(name, "" if name == "project" else None)
        if not isinstance(value, str):
            raise ValueError(f"expected a text for {name!r}, found {value!r}")
    return Credentials(**{name: found[name] for name in names if name in found})
