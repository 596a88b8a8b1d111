"""A kept page comes in; HTML that shows it as it was seen goes out: no scripts, and nothing is fetched from the web.

To be served from an origin of its own with a Content-Security-Policy that allows only images, styles and fonts of
that origin. Chromium refuses to show MHTML over HTTP; hence this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import urljoin

from lxml import html

from browser_capture.errors import RecordError
from browser_capture.page_store import Page, PageStore
from browser_capture.page_text import decode_html, parse_html
from browser_capture.snapshots import HTML_TYPES

_DROPPED = frozenset({"script", "noscript", "base", "object", "embed", "applet", "portal"})
_ADDRESSES = ("src", "poster", "background", "data", "xlink:href")
_CSS_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)""")
_NOTHING = "data:,"

BlobUrl = Callable[[str], str]


def replay_html(page: Page, store: PageStore, blob_url: BlobUrl) -> str:
    """Return a kept page as HTML; `blob_url` gives the address under which a blob is served.

    Raises RecordError for a page without a document, as PDFs are, and IncompleteError when a part is missing.
    """
    if page.root is None or page.source != "html":
        raise RecordError(f"the snapshot of {page.url} has no HTML to show")
    tree = parse_html(store.get(page.root))
    if tree is None:
        return ""
    return _Replay(page, store, blob_url).show(tree)


class _Replay:
    def __init__(self, page: Page, store: PageStore, blob_url: BlobUrl) -> None:
        self._store = store
        self._url = page.url
        self._frames = {part.location: part.sha for part in page.parts if part.mime in HTML_TYPES}
        self._sheets = {part.location: part.sha for part in page.parts if part.mime == "text/css"}
        others = (part for part in page.parts if part.mime not in HTML_TYPES)
        self._urls: Mapping[str, str] = {part.location: blob_url(part.sha) for part in others}
        self._shown: list[str] = []

    def show(self, tree: html.HtmlElement) -> str:
        for element in list(tree.iter()):
            if not isinstance(element.tag, str):
                continue
            if element.tag in _DROPPED or (element.tag == "meta" and element.get("http-equiv", "").lower() != ""):
                element.drop_tree()
                continue
            self._clean(element)
        return str(html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"))

    def _clean(self, element: html.HtmlElement) -> None:
        for name in list(element.attrib):
            if name.startswith("on") or name in {"action", "formaction", "srcdoc", "ping", "nonce", "integrity"}:
                del element.attrib[name]
        if (element.get("href") or "").strip().lower().startswith(("javascript:", "data:", "vbscript:")):
            del element.attrib["href"]
        if element.tag in {"iframe", "frame"}:
            self._fill_frame(element)
        elif element.tag == "link":
            self._inline_sheet(element)
        elif element.tag == "style":
            element.text = self._css(element.text or "", self._url)
        elif element.tag == "template" and element.get("shadowmode"):
            element.set("shadowrootmode", element.attrib.pop("shadowmode"))
        self._point(element)

    def _point(self, element: html.HtmlElement) -> None:
        if element.tag not in {"iframe", "frame"}:
            for name in _ADDRESSES:
                if element.get(name) is not None:
                    element.set(name, self._local(element.get(name)))
        if element.get("srcset") is not None:
            # One picture of the set was loaded and kept; `src` or the set names it.
            kept = [self._urls[url] for url in _srcset(element.get("srcset")) if url in self._urls]
            element.set("srcset", kept[0] if kept else "")
        if element.get("style"):
            element.set("style", self._css(element.get("style"), self._url))

    def _fill_frame(self, element: html.HtmlElement) -> None:
        name = element.attrib.pop("src", "")
        inner = None
        if name in self._frames and name not in self._shown:
            inner = parse_html(self._store.get(self._frames[name]))
        if inner is not None:
            self._shown.append(name)
            element.set("srcdoc", self.show(inner))
            self._shown.pop()
        element.set("sandbox", "")

    def _inline_sheet(self, element: html.HtmlElement) -> None:
        name = element.get("href") or ""
        if name in self._sheets and "stylesheet" in (element.get("rel") or "").lower():
            sheet = decode_html(self._store.get(self._sheets[name]))
            media = element.get("media")
            element.attrib.clear()
            element.tag, element.text = "style", self._css(sheet, self._url if name.startswith("cid:") else name)
            if media:
                element.set("media", media)
        else:
            element.attrib.clear()

    def _css(self, text: str, base: str) -> str:
        def local(match: re.Match[str]) -> str:
            found = next((group for group in match.groups() if group), "")
            return f'url("{self._local(urljoin(base, found.strip()))}")'

        # A sheet could end the element that holds it.
        return _CSS_URL.sub(local, text).replace("</", "<\\/")

    def _local(self, address: str) -> str:
        return address if address.startswith("data:image/") else self._urls.get(address, _NOTHING)


def _srcset(text: str) -> list[str]:
    return [piece.split()[0] for piece in text.split(",") if piece.split()]
