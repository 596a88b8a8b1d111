"""Addresses that pages gave themselves while a person typed, and the ones they had before. Kept in memory only."""

from __future__ import annotations

from urllib.parse import urldefrag

_REMEMBERED = 200


class UnsentAddresses:
    """What a page writes into its own address while a person types is text not sent: the address before is said.

    >>> unsent = UnsentAddresses()
    >>> unsent.note("https://a.example/notes?draft=dear+john", before="https://a.example/notes")
    >>> unsent.said("https://a.example/notes?draft=dear+john#top")
    'https://a.example/notes#top'
    """

    def __init__(self) -> None:
        self._before: dict[str, str] = {}

    def note(self, url: str, *, before: str) -> None:
        """Note an address that a page wrote, and the one it had before the person began to type."""
        written, said = urldefrag(url).url, urldefrag(self.said(before)).url
        if written == said:
            return
        # Noted anew, so that the oldest is the one dropped.
        self._before.pop(written, None)
        self._before[written] = said
        for old in list(self._before)[:-_REMEMBERED]:
            del self._before[old]

    def release(self, url: str) -> None:
        """Note that the person sent what an address holds, or that the browser loaded it: it is said from now on."""
        self._before.pop(urldefrag(url).url, None)

    def said(self, url: str) -> str:
        """Return the address to be recorded for this one; the fragment stays."""
        plain, mark, fragment = url.partition("#")
        return self._before.get(plain, plain) + mark + fragment

    def hide_in(self, text: bytes, url: str) -> bytes:
        """Replace, in the HTML or CSS of the page recorded as `url`, the addresses it wrote; its links repeat them."""
        place = urldefrag(url).url
        # A thread reads while the event loop notes the next one. The longest first: one may begin with another.
        for written in sorted((one for one, before in tuple(self._before.items()) if before == place), key=len)[::-1]:
            for spelt, instead in ((written, place), (_escaped(written), _escaped(place))):
                text = text.replace(spelt.encode(), instead.encode())
        return text


def _escaped(url: str) -> str:
    return url.replace("&", "&amp;")
