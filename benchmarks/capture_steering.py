"""Pages that time themselves and go where they are told: no further client of DevTools has a part in a load time.

A page loaded with `?side=NAME&n=NUMBER` says how long it took to load, then asks where to go. Whoever measures asks the
same server for `/drive?side=NAME&to=ADDRESS`, and has the milliseconds for an answer once the page has loaded.
"""

from __future__ import annotations

import threading
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

LOAD_SECONDS = 60.0
SCRIPT = """<script>(() => {
  const me = new URLSearchParams(location.search);
  if (!me.get("side")) return;
  const ask = async (path, more) => (await fetch(`${path}?${me}${more}`, {cache: "no-store"})).text();
  const look = async () => {
    const next = await ask("/next", "");
    if (next) location.href = next; else setTimeout(look, 100);
  };
  addEventListener("load", () => setTimeout(async () => {
    const [entry] = performance.getEntriesByType("navigation");
    await ask("/took", `&ms=${entry.loadEventEnd - entry.startTime}`);
    look();
  }));
})()</script>"""
"""Stands in every page; without a side it does nothing. A load time ends with the load event, before it says a word."""


class Steering:
    """Where each side is to go, and how long it took to get there. Asked by many threads at once."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._goals: dict[str, str] = {}
        self._took: dict[tuple[str, str], float] = {}
        self._loads = 0

    def answer(self, path: str, query: str) -> str | None:
        """Answer a page or whoever measures; None where the address is none of these."""
        said = dict(parse_qsl(query))
        if path == "/next":
            with self._changed:
                return self._goals.pop(said["side"], "")
        if path == "/took":
            with self._changed:
                self._took[said["side"], said.get("n", "")] = float(said["ms"])
                self._changed.notify_all()
            return ""
        return self._drive(said["side"], said["to"]) if path == "/drive" else None

    def _drive(self, side: str, to: str) -> str:
        with self._changed:
            self._loads += 1
            number = str(self._loads)
            self._goals[side] = steered(to, side, number)
            came = self._changed.wait_for(lambda: (side, number) in self._took, LOAD_SECONDS)
            return str(self._took.pop((side, number))) if came else ""


def steered(url: str, side: str, number: str = "0") -> str:
    """Return the address under which a page tells how long it took.

    >>> steered("http://a.example/search?q=x", "bare", "7")
    'http://a.example/search?q=x&side=bare&n=7'
    """
    parts = urlsplit(url)
    query = [*parse_qsl(parts.query), ("side", side), ("n", number)]
    return parts._replace(query=urlencode(query, quote_via=quote)).geturl()
