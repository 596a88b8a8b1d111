"""Where to go after a sign-in: only to a page of ours, rebuilt from its route and never from the given text."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import current_app, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect


def safe_target(wanted: str | None) -> str:
    """Return the address of the page `wanted` names, or of the landing page when it names none of ours."""
    home = url_for("work.home")
    if not wanted or not wanted.startswith("/") or wanted[1:2] in ("/", "\\") or not wanted.isprintable():
        return home
    parts = urlsplit(wanted)
    if parts.scheme or parts.netloc:
        return home
    try:
        endpoint, values = current_app.url_map.bind("localhost").match(parts.path, method="GET")
    except (HTTPException, RequestRedirect):
        return home
    query = parse_qsl(parts.query)
    address = url_for(endpoint, **values)
    return f"{address}?{urlencode(query)}" if query else address
