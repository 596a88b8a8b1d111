"""Which blobs of the page store a release holds, by the form of its web: full pages, text only, pointers, none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from browser_capture.page_store import Page, PageStore

Web = Literal["full", "text", "pointers", "none"]


class Blob(NamedTuple):
    """A blob of the release: `kind` is page (a record), text, or part (a document, an image, a style)."""

    sha: str
    kind: Literal["page", "text", "part"]
    bytes: int


def _nothing(page: Page) -> tuple[str, ...]:
    return ()


def _only_text(page: Page) -> tuple[str, ...]:
    return (page.text_sha,)


def _everything(page: Page) -> tuple[str, ...]:
    root = (page.root,) if page.root else ()
    return (page.text_sha, *root, *(part.sha for part in page.parts))


KEPT: Mapping[Web, Callable[[Page], tuple[str, ...]]] = {
    "full": _everything,
    "text": _only_text,
    "pointers": _nothing,
}
"""What is kept of a page beside its record. A release without a web keeps not even that."""


def copy_pages(page_ids: Iterable[str], source: PageStore, target: PageStore, web: Web) -> tuple[Blob, ...]:
    """Copy the named pages into another store and return what it now holds, by hash.

    Raises IncompleteError, naming the blob, when the source lacks one.
    """
    if web == "none":
        return ()
    blobs: dict[str, Blob] = {}
    for page_id in sorted(set(page_ids)):
        page = source.page(page_id)
        _copy(page_id, "page", source, target, blobs)
        for sha in KEPT[web](page):
            _copy(sha, "text" if sha == page.text_sha else "part", source, target, blobs)
    return tuple(blobs[sha] for sha in sorted(blobs))


def _copy(
    sha: str, kind: Literal["page", "text", "part"], source: PageStore, target: PageStore, blobs: dict[str, Blob]
) -> None:
    if sha not in blobs:
        data = source.get(sha)
        target.put(data)
        blobs[sha] = Blob(sha, kind, len(data))
