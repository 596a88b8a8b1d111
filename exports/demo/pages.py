"""An address comes in; the bytes a small web holds under it go out."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).parent / "site"


class PageFolder(NamedTuple):
    """A folder of files and the address it is served under, without the scheme: `docs.python.org/3.11/`."""

    prefix: str
    folder: Path


class Content(NamedTuple):
    """A file as it is sent."""

    data: bytes
    mime: str


def own_web() -> tuple[PageFolder, ...]:
    """Return the folders of the demo's own web: one a host, and style and picture shared by all."""
    hosts = sorted(folder for folder in SITE.iterdir() if folder.is_dir() and folder.name != "shared")
    own = [PageFolder(f"{folder.name}/", folder) for folder in hosts]
    return (*own, *(PageFolder(f"{folder.name}/", SITE / "shared") for folder in hosts))


def read_content(folders: Sequence[PageFolder], host: str, path: str) -> Content | None:
    """Return what stands at a host's path, None if nothing does. A path never leaves its folder."""
    for prefix, folder in folders:
        address = host + unquote(urlsplit(path).path)
        if not address.startswith(prefix):
            continue
        file = (folder / (address[len(prefix) :] or "index.html")).resolve()
        if file.is_dir():
            file = file / "index.html"
        if file.is_file() and file.is_relative_to(folder.resolve()):
            return Content(file.read_bytes(), mime_type(file))
    return None


def page_addresses(folders: Iterable[PageFolder]) -> Iterator[tuple[str, Path]]:
    """Yield the address and the file of every HTML page; a file that is only another's second name is left out."""
    for prefix, folder in folders:
        for file in sorted(folder.rglob("*.html")):
            if not file.is_symlink():
                name = file.relative_to(folder).as_posix()
                yield f"https://{prefix}{'' if name == 'index.html' else name}", file


def mime_type(file: Path) -> str:
    """Return the content type of a file by its name; text is UTF-8."""
    # The types module scripts need come by name here, since some systems' tables call them plain text.
    known = {".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json"}
    kind = known.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    is_text = kind.startswith("text/") or kind == "application/json"
    return f"{kind}; charset=utf-8" if is_text else kind
