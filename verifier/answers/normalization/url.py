"""Addresses as answers: scheme, `www.`, the host's case and a last slash do not count; path and query do."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes, urlsplit

from verifier.answers.normalization.rules import INVISIBLE, NOTHING, Skip

_LINK = re.compile(r"\[[^\[\]]*\]\((\S+)\)")
_SIMPLE = re.compile(r"(?:https?://)?(?:www\.)*([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:/[A-Za-z0-9._~-]*)*)", re.ASCII)
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_HOST = re.compile(r"[^\s.]+(?:\.[^\s.]+)+\.?")
_WWW = re.compile(r"\A(?:www\.)+")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_AND = re.compile(r"&(?:amp;)+")
_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))
_PORT = re.compile(r"(?::\d*)?\Z")
_PORTS = {"http": (None, 80), "https": (None, 443)}


def canonical_url(cell: str, skip: Skip = NOTHING) -> str | None:
    """Return the canonical text of a web address, or None when the cell is none. Path and query keep their case.

    >>> canonical_url("<HTTPS://www.Example.org/A/>"), canonical_url("Paris")
    ('example.org/A', None)
    """
    if not skip and (simple := _SIMPLE.fullmatch(cell)):
        return simple[1] + simple[2].rstrip("/")
    text = _address(cell, skip)
    scheme = _SCHEME.match(text)
    try:
        parts = urlsplit(text if scheme else f"http://{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if not _HOST.fullmatch(host) or re.search(r"\s", text):
        return None
    as_written = _PORT.sub("", parts.netloc)
    host = as_written if "url_host" in skip else _WWW.sub("", host)
    if "url_scheme" in skip:
        host = (scheme[0] if scheme else "") + host + parts.netloc[len(as_written) :]
    elif port not in _PORTS[parts.scheme]:
        host += f":{port}"
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    rest = parts.path.rstrip("/") + query + fragment
    if "url_slash" in skip:
        rest = text.partition(parts.netloc)[2]
    return host + (rest if "url_escape" in skip else _ESCAPED.sub(_readable, rest))


def _address(cell: str, skip: Skip) -> str:
    # An address is not folded as other cells are: that would take its quotes and links apart.
    text = cell if "invisible" in skip else cell.translate(_INVISIBLE)
    if "entities" not in skip:
        text = _AND.sub("&", text)
    if "spaces" not in skip:
        text = text.strip()
    if "markdown" not in skip:
        text = text.strip("<>").strip()
        link = _LINK.fullmatch(text)
        text = link[1] if link else text
    return text


def _readable(escapes: re.Match[str]) -> str:
    """Read percent escapes of letters, and write those of other signs in capitals."""
    try:
        text = unquote_to_bytes(escapes[0]).decode()
    except UnicodeDecodeError:
        return escapes[0].upper()
    return "".join(sign if sign.isalnum() or sign in "-._~" else quote(sign, safe="") for sign in text)
