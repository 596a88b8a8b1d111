"""Pages as they were seen: bytes under their SHA-256, compressed, and one small `Page` record a snapshot.

A page's id is the hash of its own record, so a page, its text and its images are each kept once, and a damaged one is
noticed when it is read. The folder may be copied, shared and unpacked over another one without harm.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

import zstandard

from browser_capture.errors import IncompleteError, RecordError
from browser_capture.json_records import dumps, from_json, sha256, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """A resource of a page. `location` is the address it had in the page, or its `cid:` name."""

    sha: str
    mime: str
    bytes: int
    location: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A link of the page, its address made absolute."""

    url: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A snapshot's record: where its parts, its visible text and its links are."""

    SCHEMA: ClassVar[str] = "page/1"
    url: str
    captured_at: str
    """ISO 8601 UTC."""
    title: str
    text_sha: str
    """Hash of the visible text, UTF-8; tables keep rows as lines and cells parted by tabs."""
    root: str | None = None
    """Hash of the main document; None where only the text was kept."""
    parts: tuple[PagePart, ...] = ()
    links: tuple[PageLink, ...] = ()
    """The links a person could see, the first 5,000; `extensions` say as `links_left_out` how many more there were."""
    source: Literal["html", "pdf", "text"] = "html"
    status: int | None = None
    partial: bool = False
    """Something was too large or could not be kept."""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["page/1"] = "page/1"


class PageStore:
    """A folder of compressed blobs named by their hash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Keep bytes and return their SHA-256. Keeping the same bytes twice is free; a crash leaves no half blob."""
        sha = sha256(data)
        path = self._path(sha)
        if path.exists():
            return sha
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(zstandard.compress(data))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError:
            # A disk that is full needs its room back.
            os.unlink(temporary)
            raise
        return sha

    def get(self, sha: str) -> bytes:
        """Return the bytes of a blob. Raises IncompleteError when it is missing and RecordError when it is damaged."""
        try:
            packed = self._path(sha).read_bytes()
        except FileNotFoundError:
            raise IncompleteError(f"page store {self.folder} has no blob {sha}") from None
        try:
            data = zstandard.decompress(packed)
        except zstandard.ZstdError as error:
            raise RecordError(f"blob {sha} in {self.folder} is damaged: {error}") from error
        if sha256(data) != sha:
            raise RecordError(f"blob {sha} in {self.folder} holds other bytes than its name says")
        return data

    def has(self, sha: str) -> bool:
        """Tell whether a blob is there, without reading it."""
        return self._path(sha).exists()

    def delete(self, sha: str) -> None:
        """Remove a blob; a missing one is no error."""
        self._path(sha).unlink(missing_ok=True)

    def shas(self) -> Iterator[str]:
        """Yield the hashes of all blobs, in order."""
        for path in sorted(self.folder.glob("??/*.zst")):
            yield path.name.removesuffix(".zst")

    def put_page(self, page: Page) -> str:
        """Keep a page's record and return the page's id."""
        return self.put(dumps(to_json(page)).encode())

    def page(self, page_id: str) -> Page:
        """Return a page's record. Raises as `get`, and RecordError when the blob is no page."""
        try:
            return from_json(Page, json.loads(self.get(page_id)))
        except (ValueError, UnicodeDecodeError) as error:
            raise RecordError(f"blob {page_id} in {self.folder} is no page record: {error}") from error

    def text(self, page: Page) -> str:
        """Return the visible text of a page."""
        return self.get(page.text_sha).decode("utf-8")

    def _path(self, sha: str) -> Path:
        if len(sha) != 64 or not set(sha) <= set("0123456789abcdef"):
            raise RecordError(f"{sha!r} is not a SHA-256 in hexadecimal")
        return self.folder / sha[:2] / f"{sha}.zst"
