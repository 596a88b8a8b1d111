"""Every answer carries the headers that keep a browser from doing what a page did not ask for."""

from __future__ import annotations

import secrets

from flask import Flask, g
from werkzeug.wrappers import Response

POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)

REPLAY_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
"""For a recorded page: no script, no request to anywhere, shown only inside our own frame."""


def init_headers(app: Flask) -> None:
    """Give each request a nonce for its scripts and each response its headers."""
    app.before_request(_make_nonce)
    app.after_request(_add)
    app.context_processor(lambda: {"csp_nonce": nonce()})


def nonce() -> str:
    """Return this request's nonce."""
    return str(g.get("csp_nonce", ""))


def _make_nonce() -> None:
    g.csp_nonce = secrets.token_urlsafe(16)


def _add(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", POLICY.format(nonce=nonce()))
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
    if response.mimetype in ("text/html", "application/json"):
        headers.setdefault("Cache-Control", "no-store")
    return response
