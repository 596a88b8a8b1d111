"""The name of a demo web comes in; the web, not yet running, goes out."""

from __future__ import annotations

from pathlib import Path

from exports.demo.corpus import read_documents
from exports.demo.pages import own_web
from exports.demo.real_docs import default_cache, real_docs, real_docs_documents, real_docs_web
from exports.demo.result_page import Advertisement
from exports.demo.search_engine import SearchEngine
from exports.demo.web import DemoWeb

ADVERTISEMENTS = (
    Advertisement(
        frozenset({"ferry", "ferries", "hotel", "rooms", "stay"}),
        "Stay on Merrow - rooms by the harbour",
        "https://stay.merrow.example/",
        "Nine rooms above the harbour. Book before the regatta.",
    ),
)


def own() -> DemoWeb:
    """Return the small web written for the demo."""
    folders = own_web()
    return DemoWeb(folders, SearchEngine(read_documents(folders)), ADVERTISEMENTS)


def real_documents(cache: Path | None = None) -> DemoWeb:
    """Return the web of the Debian packages; fetches them on first use. Raises UserError when they cannot be had."""
    cache = cache or default_cache()
    folder = real_docs(cache)
    return DemoWeb(real_docs_web(folder), SearchEngine(real_docs_documents(folder, cache)))
