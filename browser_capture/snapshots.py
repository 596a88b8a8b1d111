"""An MHTML snapshot comes in; its parts, visible text and links go into the page store, and a page record comes out.

Chromium writes MHTML with frames and shadow trees and without scripts. It is kept unpacked: parts are shared between
pages, and a page can be replayed and read again years later with a better reader.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from typing import Any, NamedTuple

from lxml import html

from browser_capture.errors import RecordError
from browser_capture.page_store import Page, PagePart, PageStore
from browser_capture.page_text import PageText, parse_html, read_html
from browser_capture.pdf_text import read_pdf
from browser_capture.privacy import NO_ADDRESS, Privacy, scrub_fields, without_place
from browser_capture.result_pages.parsed import ParsedResultPage
from browser_capture.result_pages.reading import read_result_page
from browser_capture.urls import is_web

PART_LIMIT = 25 * 1024 * 1024
PAGE_LIMIT = 60 * 1024 * 1024
READ_LIMIT = 5 * 1024 * 1024
"""Of a longer document only the beginning is kept and read: a minute of reading would hold up the other pages."""
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_TEXTS = HTML_TYPES | {"text/css"}
_CHANCE_NAMES = re.compile(rb"cid:(?:frame|css)-[0-9A-Fa-f-]+@mhtml\.blink")


class Unpacked(NamedTuple):
    """A snapshot in the store. `results` is what a search engine showed, None on other pages."""

    page_id: str
    page: Page
    results: ParsedResultPage | None


def snapshot_data(unpacked: Unpacked, trigger: str) -> dict[str, Any]:
    """Return what the log says of a snapshot, but for how long it took."""
    page = unpacked.page
    return {
        "id": unpacked.page_id,
        "trigger": trigger,
        "location": page.url,
        "title": page.title,
        "parts": [{"sha": part.sha, "mime": part.mime, "bytes": part.bytes} for part in page.parts],
        "text_sha": page.text_sha,
        "partial": page.partial,
    }


class MhtmlPart(NamedTuple):
    """A part of an MHTML file. `location` is its address, or its `cid:` name where it has none."""

    location: str
    mime: str
    data: bytes
    url: str = ""
    """The address of a frame, which is called by its name."""


def unpack_mhtml(
    mhtml: bytes,
    store: PageStore,
    *,
    captured_at: str,
    status: int | None = None,
    privacy: Privacy | None = None,
) -> Unpacked:
    """Unpack a snapshot into the store. Raises RecordError when it holds no document.

    Also when `privacy` says no to the address it was taken at: a page can be left between the wish and the picture. A
    frame it says no to is left out with all that only it shows; so is what a page wrote behind the `#` of its address,
    and elsewhere in it while the person typed.

    A part over 25 MB, what comes after 60 MB of a page, and what HTML holds beyond 5 MB is left out; the page then says
    `partial`. Frames and text stay. Fields a person typed into are emptied first.
    """
    privacy = privacy or Privacy()
    url, parts = read_mhtml(mhtml)
    url = without_place(privacy.unsent.said(url))
    if not (is_web(url) and privacy.may_show(url)):
        raise RecordError("the page that stood there is not recorded")
    frames: dict[str, bytes] = {}
    kept: list[PagePart] = []
    partial, total, root = False, 0, None
    for part in _shown(parts, privacy.may_show):
        data = privacy.unsent.hide_in(part.data, url) if part.mime in _TEXTS else part.data
        if part.mime in HTML_TYPES:
            partial = partial or len(data) > READ_LIMIT
            frames[part.location] = data = _scrubbed(data[:READ_LIMIT])
        elif len(data) > PART_LIMIT or total + len(data) > PAGE_LIMIT:
            partial = True
            continue
        total += len(data)
        kept.append(PagePart(sha=store.put(data), mime=part.mime, bytes=len(data), location=part.location))
        root = root or kept[-1].sha
    document = frames[parts[0].location]
    text = read_html(document, url, frames)
    page = _page(store, url, captured_at, text, root=root, parts=tuple(kept), status=status, partial=partial)
    return Unpacked(store.put_page(page), page, read_result_page(document, url))


def read_mhtml(mhtml: bytes) -> tuple[str, list[MhtmlPart]]:
    """Return the address a snapshot was taken at and its parts, the main document first. Raises RecordError."""
    message = email.message_from_bytes(mhtml, policy=email.policy.compat32.clone(max_line_length=None))
    location = _header(message, "Snapshot-Content-Location")
    parts = [_part(part) for part in message.walk() if not part.is_multipart()]
    if not location or not parts or parts[0].mime not in HTML_TYPES:
        raise RecordError("a snapshot holds no document")
    return location, _with_steady_names(parts)


def keep_pdf(data: bytes, store: PageStore, *, url: str, captured_at: str, status: int | None = None) -> Unpacked:
    """Keep a PDF and its text. A PDF that cannot be read keeps its bytes, has no text and says `partial`."""
    text = read_pdf(data)
    part = PagePart(sha=store.put(data), mime="application/pdf", bytes=len(data), location=url)
    page = Page(
        url=url,
        captured_at=captured_at,
        title=text.title,
        text_sha=store.put(text.text.encode("utf-8", "replace")),
        root=part.sha,
        parts=(part,),
        source="pdf",
        status=status,
        partial=not text.is_whole,
    )
    return Unpacked(store.put_page(page), page, None)


def _page(
    store: PageStore,
    url: str,
    captured_at: str,
    text: PageText,
    *,
    root: str | None,
    parts: Sequence[PagePart],
    status: int | None,
    partial: bool,
) -> Page:
    return Page(
        url=url,
        captured_at=captured_at,
        title=text.title[:500],
        text_sha=store.put(text.text.encode("utf-8", "replace")),
        root=root,
        parts=tuple(parts),
        links=text.links,
        extensions={"links_left_out": text.links_left_out} if text.links_left_out else {},
        status=status,
        partial=partial,
    )


def _shown(parts: Sequence[MhtmlPart], may_keep: Callable[[str], bool]) -> Sequence[MhtmlPart]:
    """Return the parts without frames that may not be kept, and without what no part that stays refers to."""
    frames = (part for part in parts[1:] if part.url or part.mime in HTML_TYPES)
    left_out = {part.location for part in frames if not may_keep(part.url or NO_ADDRESS)}
    if not left_out:
        return parts
    shown, waiting = {parts[0].location}, [parts[0]]
    while waiting:
        text = waiting.pop().data
        found = [p for p in parts if p.location not in shown | left_out and _refers(text, p)]
        shown |= {part.location for part in found}
        waiting += [part for part in found if part.mime in HTML_TYPES or part.mime == "text/css"]
    return [part for part in parts if part.location in shown]


def _refers(text: bytes, part: MhtmlPart) -> bool:
    # Addresses stand in HTML with their ampersands escaped.
    names = {name for name in (part.location, part.url) if name}
    return any(spelt.encode() in text for name in names for spelt in (name, name.replace("&", "&amp;")))


def _part(part: EmailMessage | email.message.Message) -> MhtmlPart:
    data = part.get_payload(decode=True)
    # A frame is called by its Content-ID even where it has an address too: two frames may share one address.
    name = _header(part, "Content-ID").strip("<>")
    location = _header(part, "Content-Location")
    mime = part.get_content_type()
    called = f"cid:{name}" if name and (mime in HTML_TYPES or not location) else location
    return MhtmlPart(called, mime, data if isinstance(data, bytes) else b"", location)


def _with_steady_names(parts: Sequence[MhtmlPart]) -> list[MhtmlPart]:
    """Number the names that Chromium draws by chance, so that the same page gives the same bytes each time."""
    names = {part.location.encode(): f"cid:{number}".encode() for number, part in enumerate(parts)}

    def steady(match: re.Match[bytes]) -> bytes:
        return names.get(match.group(), match.group())

    return [
        MhtmlPart(
            _CHANCE_NAMES.sub(steady, part.location.encode()).decode(),
            part.mime,
            _CHANCE_NAMES.sub(steady, part.data) if part.mime in _TEXTS else part.data,
            part.url,
        )
        for part in parts
    ]


def _header(message: email.message.Message, name: str) -> str:
    return "".join(str(message.get(name, "")).split())


def _scrubbed(document: bytes) -> bytes:
    tree = parse_html(document)
    if tree is None or not scrub_fields(tree):
        return document
    for meta in tree.iter("meta"):
        if "charset=" in (meta.get("content") or "").lower():
            meta.set("content", "text/html; charset=utf-8")
        elif meta.get("charset") is not None:
            meta.set("charset", "utf-8")
    text = str(html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"))
    return text.encode("utf-8", "replace")
