"""A page's HTML comes in; its title, its visible text and its links go out.

The text is what a person can read, line by line: block elements end a line, a table row is one line with its cells
parted by tabs, whitespace is folded. What a form field holds is never read. A closed `<details>` is read as well, since
find-in-page opens it. Style sheets are not consulted: only what the page itself marks as hidden is left out.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urljoin

from lxml import etree, html

from browser_capture.page_store import PageLink
from browser_capture.urls import is_web

_UNREAD = frozenset(
    re.findall(
        r"\w+",
        "script style template noscript head textarea select datalist option svg object embed applet audio video "
        "canvas iframe frame noframes",
    )
)
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption "
        "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search "
        "section summary table tbody td tfoot th thead tr ul",
    )
)
_CELLS = frozenset({"td", "th"})
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_INVISIBLE = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
_NO_ENCODINGS_OF_PAGES = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
"""Python knows them, no browser does, and some take hours for a large page."""
_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)


MOST_LINKS = 5_000
_ATTRIBUTE = r"""\s++[^\s=>"'/<]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']++))?+"""
_CROWDED = re.compile(rf"(<[a-zA-Z][^\s>/]*+(?:{_ATTRIBUTE}){{200}})(?:{_ATTRIBUTE})++")
"""An element with more attributes than any honest one. Parsing takes their square: 20,000 of them seconds."""


class PageText(NamedTuple):
    """What a person reads on a page. Links are the visible ones, absolute, in document order, each pair once."""

    title: str
    text: str
    links: tuple[PageLink, ...]
    links_left_out: int = 0
    """How many there are beyond the first 5,000."""


def read_html(html: bytes | str, url: str, frames: Mapping[str, bytes | str] | None = None) -> PageText:
    """Read a page; `frames` gives the HTML of frames by their `src`, and they are read where they stand.

    Broken HTML is read as a browser would repair it; an empty document gives empty text.

    >>> read_html("<p>A  b<table><tr><td>1<td>2</table>", "https://example.org/").text
    'A b\\n1\\t2'
    """
    tree = parse_html(html)
    if tree is None:
        return PageText("", "", ())
    _put_frames(tree, frames or {})
    title = next((_fold("".join(element.itertext())) for element in tree.iter("title")), "")
    links = page_links(tree, url)
    return PageText(title, visible_text(tree), links[:MOST_LINKS], max(0, len(links) - MOST_LINKS))


def parse_html(document: bytes | str) -> html.HtmlElement | None:
    """Parse HTML into an lxml tree, None when there is nothing in it. Bytes are decoded as their page declares."""
    text = decode_html(document) if isinstance(document, bytes) else document
    data = _CROWDED.sub(r"\1", text.replace("\x00", "")).encode("utf-8", "replace")
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        return html.document_fromstring(data, parser=parser)
    except etree.ParserError:
        return None


def decode_html(data: bytes) -> str:
    """Decode a page's bytes: byte order mark, then `<meta charset>`, then UTF-8, then Windows-1252.

    A page that is UTF-8 but for a few broken signs, or was cut off inside one, stays UTF-8.
    """
    declared = _META_CHARSET.search(data[:4096])
    stated = declared[1].decode().lower().replace("-", "_") if declared else None
    for name in ("utf-8-sig" if data.startswith(codecs.BOM_UTF8) else None, stated, "utf-8"):
        try:
            if name and name not in _NO_ENCODINGS_OF_PAGES:
                return data.decode(name)
        except (LookupError, UnicodeError):
            continue
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text if beyond_ascii > 2 * broken else data.decode("cp1252", "replace")


def visible_text(element: html.HtmlElement, without: html.HtmlElement | None = None) -> str:
    """Return the visible text of an element of a parsed page, one line a block or table row; `without` a part of it."""
    writer = _Lines()
    layout_tables = {table for table in element.iter("table") if _is_layout(table)}
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if not isinstance(node.tag, str):
            continue
        if event == "start":
            if node is not element and (node is without or is_hidden(node)):
                # Only the subtree is skipped: its "end" still comes, and with it the text after it.
                walk.skip_subtree()
            else:
                writer.open(node, layout_tables)
                writer.write(node.text, raw=node.tag == "pre")
        else:
            writer.close(node)
            if node is not element:
                writer.write(node.tail, raw=False)
    return writer.text()


def page_links(tree: html.HtmlElement, url: str) -> tuple[PageLink, ...]:
    """Return the links a person can see on a parsed page, made absolute by its `<base>` or by `url`."""
    bases = [base.get("href") for base in tree.iter("base") if base.get("href")]
    base = _join(url, bases[0]) if bases else url
    found: dict[PageLink, None] = {}
    walk = etree.iterwalk(tree, events=("start",))
    for _, node in walk:
        if node.tag == "head" or is_hidden(node):
            walk.skip_subtree()
        elif node.tag in {"a", "area"} and node.get("href") is not None:
            target = _join(base, node.get("href").strip())
            if is_web(target):
                found.setdefault(PageLink(url=target, text=_fold(visible_text(node))[:300]))
    return tuple(found)


class _Lines:
    """Collects text into folded lines; inside a table row, a block is a space and a cell a tab."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._pieces: list[str] = []
        self._row: html.HtmlElement | None = None
        self._cells: list[str] = []
        self._pre = 0

    def open(self, node: html.HtmlElement, layout_tables: set[html.HtmlElement]) -> None:
        if node.tag == "tr" and self._row is None and next(node.iterancestors("table"), None) not in layout_tables:
            self._end_line()
            self._row, self._cells = node, []
        elif self._row is not None and node.tag in _CELLS:
            self._take_cell()
        elif node.tag in _BLOCKS:
            self._end_line()
        self._pre += node.tag == "pre"

    def close(self, node: html.HtmlElement) -> None:
        if node is self._row:
            self._end_row()
        elif self._row is not None and node.tag in _CELLS:
            self._take_cell(even_if_empty=True)
        elif node.tag in _BLOCKS:
            self._end_line()
        if node.tag == "pre" and self._pre:
            self._pre -= 1

    def write(self, text: str | None, *, raw: bool) -> None:
        if not text:
            return
        if (raw or self._pre) and self._row is None:
            first, *others = text.split("\n")
            self._pieces.append(first)
            for line in others:
                self._end_line()
                self._pieces.append(line)
        else:
            self._pieces.append(text)

    def text(self) -> str:
        self._end_line()
        return "\n".join(self._lines)

    def _end_line(self) -> None:
        if self._row is not None:
            self._pieces.append(" ")
            return
        line = _fold("".join(self._pieces))
        self._pieces = []
        if line:
            self._lines.append(line)

    def _take_cell(self, *, even_if_empty: bool = False) -> None:
        cell = _fold("".join(self._pieces))
        self._pieces = []
        if cell or even_if_empty:
            self._cells.append(cell)

    def _end_row(self) -> None:
        self._take_cell()
        line = "\t".join(self._cells).rstrip("\t")
        self._row, self._cells = None, []
        if line.strip():
            self._lines.append(line)


def _put_frames(tree: html.HtmlElement, frames: Mapping[str, bytes | str]) -> None:
    for frame in list(tree.iter("iframe", "frame")):
        content = frames.get(frame.get("src") or "")
        inner = parse_html(content) if content is not None else None
        if inner is not None:
            _put_frames(inner, {src: text for src, text in frames.items() if src != frame.get("src")})
            frame.tag, frame.text = "div", None
            frame[:] = list(inner.iter("body", "frameset"))


def is_hidden(node: html.HtmlElement) -> bool:
    """Tell whether the page itself says that this element is not for reading."""
    if node.tag == "template":
        # A snapshot writes a shadow tree as a template; the person saw it.
        return node.get("shadowmode") is None and node.get("shadowrootmode") is None
    if node.tag in _UNREAD or node.get("hidden") is not None:
        return True
    style = node.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


def _is_layout(table: html.HtmlElement) -> bool:
    # A table around a table, or one that says so, only places things: its cells are blocks, not facts in a row.
    return table.get("role") == "presentation" or next(table.iterdescendants("table"), None) is not None


def _fold(text: str) -> str:
    return " ".join(text.translate(_INVISIBLE).split())


def _join(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return href
