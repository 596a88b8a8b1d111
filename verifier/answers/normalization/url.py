"""Addresses as answers: scheme, `www.`, the host's case and a last slash do not count; path and query do."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_LINK = re.compile(r"\[[^\[\]]*\]\((\S+)\)")


def canonical_url(cell: str) -> str | None:
    """Return the canonical text of a web address, or None when the cell is none. Path and query keep their case.

    >>> canonical_url("<HTTPS://www.Example.org/A/>"), canonical_url("Paris")
    ('example.org/A', None)
    """
    text = cell.strip().strip("<>").strip()
    link = _LINK.fullmatch(text)
    text = link[1] if link else text
    if not re.match(r"https?://", text, re.IGNORECASE):
        text = f"http://{text}"
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return None
    if "." not in host or re.search(r"\s", text):
        return None
    where = host if port in (None, 80, 443) else f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{where}{parts.path.rstrip('/')}{query}{fragment}"
