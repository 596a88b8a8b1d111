"""An address comes in; a key to compare it by goes out. Three keys, from careful to generous.

`fetch_key` strips nothing: what a search returned is what may be fetched. `strict_key` says "the same document" and is
what the recorded web asks for first. `loose_key` says "most likely the same page"; use it only where it is unique.
All three are idempotent.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKERS = frozenset(
    {"gclid", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "srsltid", "_ga", "_gl", "igshid"}
)
_TRACKER_PREFIXES = ("utm_", "mc_")
_SESSION_NAMES = frozenset({"jsessionid", "phpsessid", "sessionid", "aspsessionid", "sid"})
_CACHE_BUSTERS = frozenset({"_", "cb", "cachebuster", "nocache", "timestamp"})
_REDIRECT_TARGETS = {"/url": ("q", "url"), "/goto": ("url",), "/l/": ("uddg",)}
_SEAL = re.compile(r"[A-Za-z0-9_-]{16,}={0,2}")
_GOOGLE_HOST = re.compile(r"(?:www\.)?google(?:\.[a-z]{2,3}){1,2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def is_web(url: str) -> bool:
    """Tell whether an address is http or https with a host.

    >>> is_web("https://example.org/"), is_web("about:blank")
    (True, False)
    """
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in _DEFAULT_PORTS and bool(parts.hostname)
    except ValueError:
        return False


def host(url: str) -> str:
    """Return the host in lower case and ASCII, without the port; empty for what is no web address.

    >>> host("https://Bücher.example:8443/x")
    'xn--bcher-kva.example'
    """
    return _ascii_host(urlsplit(url).hostname or "") if is_web(url) else ""


def origin(url: str) -> str:
    """Return scheme, host and port as a browser compares them; empty for what is no web address.

    >>> origin("HTTP://Example.org:80/a?b")
    'http://example.org'
    """
    if not is_web(url):
        return ""
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{_netloc(url, parts.scheme.lower())}"


def fetch_key(url: str) -> str:
    """Return the address with only its spelling evened: case of scheme and host, default port, empty path.

    Query, order, trackers, escapes and fragment stay.

    >>> fetch_key("HTTP://Example.org:80?utm_source=x")
    'http://example.org/?utm_source=x'
    """
    url = url.strip()
    if not is_web(url):
        return url
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    return urlunsplit((scheme, _netloc(url, scheme), parts.path or "/", parts.query, parts.fragment))


def strict_key(url: str) -> str:
    """Return what two addresses of the same document share.

    Unwrapped from a search engine's redirect; http equals https; escapes and dot segments evened; query sorted by name;
    known trackers, user names and the fragment dropped. A `#!` fragment names a document and stays. Addresses inside a
    web archive are not unwrapped: the old copy says other things than the page of today.

    >>> strict_key("http://Example.org/a/../b?z=1&utm_source=x&a=2#part")
    'https://example.org/b?a=2&z=1'
    """
    url = unwrap_redirect(url.strip())
    if not is_web(url):
        return url
    parts = urlsplit(url)
    query = _query(parts.query, dropped=_TRACKERS)
    fragment = parts.fragment if parts.fragment.startswith("!") else ""
    return urlunsplit(("https", _netloc(url, parts.scheme.lower()), _path(parts.path), query, fragment))


def loose_key(url: str) -> str:
    """Return `strict_key` without `www.`, mobile and AMP hosts, trailing slash, index page, session and cache parts.

    >>> loose_key("https://www.example.org/docs/index.html?PHPSESSID=1")
    'https://example.org/docs'
    """
    key = strict_key(url)
    if not is_web(key):
        return key
    parts = urlsplit(key)
    name = re.sub(r"^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)", "", parts.netloc)
    path = re.sub(r";jsessionid=[^/?]*", "", parts.path, flags=re.IGNORECASE)
    path = re.sub(r"/(?:index|default)\.[a-z]{3,5}$", "/", path, flags=re.IGNORECASE)
    query = _query(parts.query, dropped=_TRACKERS | _SESSION_NAMES | _CACHE_BUSTERS)
    return urlunsplit(("https", name, path.rstrip("/"), query, parts.fragment))


def unwrap_redirect(url: str) -> str:
    """Return the target of a search engine's redirect link, else the address unchanged.

    >>> unwrap_redirect("https://www.google.com/url?q=https://example.org/a%3Fb&sa=U")
    'https://example.org/a?b'
    """
    found = url
    for _ in range(10):
        target = _redirect_target(found)
        if target is None:
            return found
        found = target
    # A redirect may lead to a redirect; one that was wrapped more often than this is somebody's joke.
    return url


def seal_of(url: str) -> str | None:
    """Return what stands for the target in a redirect link that only the search engine can read, None for other links.

    >>> seal_of("https://www.google.com/goto?url=CAESegHrOzAVXrOxTz8M&ved=1")
    'CAESegHrOzAVXrOxTz8M'
    """
    return next(filter(_SEAL.fullmatch, _redirect_values(url)), None)


def _redirect_target(url: str) -> str | None:
    return next(filter(is_web, _redirect_values(url)), None)


def _redirect_values(url: str) -> list[str]:
    if not is_web(url):
        return []
    parts = urlsplit(url)
    name = (parts.hostname or "").lower()
    if not (_GOOGLE_HOST.fullmatch(name) or name in {"duckduckgo.com", "www.duckduckgo.com"}):
        return []
    values = dict(reversed(parse_qsl(parts.query)))
    return [values[key] for key in _REDIRECT_TARGETS.get(parts.path, ()) if key in values]


def _netloc(url: str, scheme: str) -> str:
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = None
    name = _ascii_host(parts.hostname or "")
    if ":" in name:
        name = f"[{name}]"
    return name if port in (None, _DEFAULT_PORTS[scheme]) else f"{name}:{port}"


def _ascii_host(name: str) -> str:
    name = name.lower().rstrip(".")
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


def _path(path: str) -> str:
    kept: list[str] = []
    segments = (path or "/").split("/")[1:]
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(_escapes(segment, safe="!$&'()*+,;=:@") for segment in kept)


def _query(query: str, *, dropped: frozenset[str]) -> str:
    pieces = [_escapes(piece.replace("+", "%20"), safe="!$'()*,;=:@/?") for piece in query.split("&") if piece]
    named = [(unquote(piece.partition("=")[0]).lower(), piece) for piece in pieces]
    kept = [pair for pair in named if pair[0] not in dropped and not pair[0].startswith(_TRACKER_PREFIXES)]
    return "&".join(piece for _, piece in sorted(kept, key=lambda pair: pair[0])).replace("%20", "+")


def _escapes(text: str, *, safe: str) -> str:
    # An escape is read only to even its spelling: %41 becomes A, %2f becomes %2F and never a slash.
    def even(match: re.Match[str]) -> str:
        found = match.group()
        if len(found) == 3 and found[0] == "%":
            char = chr(int(found[1:], 16))
            return char if char in _UNRESERVED else found.upper()
        return found if found in safe else "".join(f"%{byte:02X}" for byte in found.encode("utf-8", "replace"))

    return re.sub(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~]", even, text)
