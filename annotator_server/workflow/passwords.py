"""Passwords in, argon2 hashes out. At most two hashes are computed at once: each takes 64 MB."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from annotator_server.errors import BadInput

SHORTEST, LONGEST = 8, 200

_hasher = PasswordHasher()
_few_at_once = threading.BoundedSemaphore(2)

_NOBODYS_HASH = "$argon2id$v=19$m=65536,t=3,p=4$MIIRqgvgQbgj220jfp0MPA$YfwJSVjtjSU0zzV/P3S9nnQ/USre2wvJMjfCIjrTQbg"
"""Checked for an unknown account, so that its answer takes as long as a known one's."""


def hash_password(password: str) -> str:
    """Return the hash to keep."""
    with _few_at_once:
        return _hasher.hash(password)


def is_right(password: str, kept: str | None) -> bool:
    """Tell whether a password fits the kept hash; with None, spend the same time and say no."""
    with _few_at_once:
        try:
            return _hasher.verify(kept or _NOBODYS_HASH, password) and kept is not None
        except (VerificationError, InvalidHashError):
            return False


def refuse_weak(password: str) -> None:
    """Raise BadInput for a password that is too short or too long to hash in peace."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInput(f"a password has {SHORTEST} to {LONGEST} characters, found {len(password)}")
