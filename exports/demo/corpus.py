"""Folders of pages come in; the documents of a search engine go out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from browser_capture.page_text import parse_html, read_html
from exports.demo.pages import PageFolder, page_addresses
from exports.demo.search_engine import Document

CACHE_VERSION = 1
"""Raised when documents are read another way, so that an old cache is not taken for a new one."""

# What a page of documentation is about stands in one of these; the rest is navigation, the same on every page.
_MAIN = '//*[@role="main"] | //div[@class="chapter" or @class="appendix" or @class="book"]'


def read_documents(folders: Iterable[PageFolder]) -> tuple[Document, ...]:
    """Read every page with all its visible text, for a small web."""
    pages = ((url, read_html(file.read_bytes(), url)) for url, file in page_addresses(folders))
    return tuple(Document(url, page.title, page.text) for url, page in pages)


def read_main_documents(folders: Sequence[PageFolder], cache: Path) -> tuple[Document, ...]:
    """Read the main part of every page, quickly; what was read is kept in `cache` until a file changes."""
    pages = list(page_addresses(folders))
    stamp = [CACHE_VERSION, [[url, file.stat().st_size, file.stat().st_mtime_ns] for url, file in pages]]
    if (kept := _kept(cache, stamp)) is not None:
        return kept
    documents = tuple(_main_document(url, file) for url, file in pages if not _is_index(file))
    # Written beside and moved into place: an interrupted run leaves no half cache.
    fresh = cache.with_suffix(".new")
    fresh.write_text(json.dumps({"stamp": stamp, "documents": documents}), encoding="utf-8")
    fresh.replace(cache)
    return documents


def _kept(cache: Path, stamp: list[object]) -> tuple[Document, ...] | None:
    try:
        kept = json.loads(cache.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return tuple(Document(*document) for document in kept["documents"]) if kept["stamp"] == stamp else None


def _main_document(url: str, file: Path) -> Document:
    tree = parse_html(file.read_bytes())
    if tree is None:
        return Document(url, file.stem, "")
    parts = tree.xpath(_MAIN)
    text = "".join((parts[0] if parts else tree).itertext())
    title = " ".join((tree.findtext(".//title") or file.stem).split())
    return Document(url, title, text)


def _is_index(file: Path) -> bool:
    # Alphabetical registers hold every word there is; as results they would help nobody.
    return file.name.startswith("genindex") or file.name == "search.html"
