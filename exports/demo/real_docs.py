"""Three Debian packages come in; a folder with their documents goes out, and the web they are served as.

The packages are fetched with `apt-get download` and unpacked with `dpkg-deb -x` into a cache: nothing is installed.
`TRAILBENCH_REAL_DOCS` may name a folder that already holds the unpacked documents (`usr/share/doc/...`).
"""

from __future__ import annotations

import gzip
import logging
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from browser_capture.errors import IncompleteError, UserError
from browser_capture.folders import cache_folder
from exports.demo.corpus import read_main_documents
from exports.demo.pages import PageFolder
from exports.demo.search_engine import Document

PACKAGES: Mapping[str, tuple[str, str]] = {
    "debian-history": ("usr/share/doc/debian-history/changelog.gz", "debian-history (2.28"),
    "debian-faq": ("usr/share/doc/debian-faq/changelog.gz", "debian-faq (11."),
    "python3.11-doc": ("usr/share/doc/python3.11-doc/changelog.Debian.gz", "python3.11 (3.11."),
}
"""Each package's change log and how its first line begins in the edition the gold answers were read from."""

WEB: Mapping[str, str] = {
    "docs.python.org/3.11/": "usr/share/doc/python3.11/html",
    "www.debian.org/doc/manuals/project-history/": "usr/share/doc/debian-history/docs",
    "www.debian.org/doc/manuals/debian-faq/": "usr/share/doc/debian/FAQ",
}
"""Where each folder of documents is served: where its publisher serves it."""

VARIABLE = "TRAILBENCH_REAL_DOCS"
_DOWNLOAD_SECONDS = 300
_log = logging.getLogger(__name__)


def default_cache() -> Path:
    """Return the folder that keeps the packages between runs."""
    return cache_folder() / "real-docs"


def real_docs(cache: Path) -> Path:
    """Return a folder that holds the unpacked documents, fetching what is missing.

    Raises UserError when they cannot be had on this machine or are of another edition than the gold answers.
    """
    given = os.environ.get(VARIABLE)
    folder = Path(given) if given else cache / "unpacked"
    if not given and any(not _change_log(folder, package).is_file() for package in PACKAGES):
        _fetch_and_unpack(cache, folder)
    for package in PACKAGES:
        _check_edition(folder, package)
    return folder


def real_docs_web(folder: Path) -> tuple[PageFolder, ...]:
    """Return the folders of the documents' web."""
    return tuple(PageFolder(prefix, folder / place) for prefix, place in WEB.items())


def real_docs_documents(folder: Path, cache: Path) -> tuple[Document, ...]:
    """Return the documents as the search site knows them; about 600, read once and kept in the cache folder."""
    cache.mkdir(parents=True, exist_ok=True)
    return read_main_documents(real_docs_web(folder), cache / "documents.json")


def _fetch_and_unpack(cache: Path, folder: Path) -> None:
    _make_folder(cache)
    if missing := [package for package in PACKAGES if not list(cache.glob(f"{package}_*.deb"))]:
        _log.info("fetching %s", ", ".join(missing))
        _run(["apt-get", "download", *missing], cache)
    # Unpacked beside and moved into place: an interrupted run leaves no half folder.
    half = cache / "unpacked.new"
    shutil.rmtree(half, ignore_errors=True)
    for package in PACKAGES:
        newest = max(cache.glob(f"{package}_*.deb"), key=lambda file: file.stat().st_mtime)
        _run(["dpkg-deb", "-x", str(newest), str(half)], cache)
    shutil.rmtree(folder, ignore_errors=True)
    half.rename(folder)


def _make_folder(cache: Path) -> None:
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder {cache} for the real documents cannot be made: {error.strerror}.") from error


def _run(command: list[str], cache: Path) -> None:
    by_hand = (
        f"Put the .deb files of {', '.join(PACKAGES)} (Debian 12) into {cache}, or let {VARIABLE} name a folder that "
        "holds them unpacked."
    )
    if shutil.which(command[0]) is None:
        raise UserError(f"The real documents are Debian packages, and {command[0]} is not on this machine. {by_hand}")
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            command, cwd=cache, capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise IncompleteError(f"{command[0]} did not end within {_DOWNLOAD_SECONDS} s. Try again. {by_hand}") from error
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("E:")] or done.stderr.splitlines()
        reason = said[-1] if said else f"exit code {done.returncode}"
        raise UserError(
            f"'{' '.join(command[:2])}' failed: {reason} Is the network there, and was 'apt-get update' run? {by_hand}"
        )


def _check_edition(folder: Path, package: str) -> None:
    log, expected = _change_log(folder, package), PACKAGES[package][1]
    try:
        with gzip.open(log, "rt", encoding="utf-8", errors="replace") as lines:
            found = lines.readline().strip()
    except (OSError, EOFError) as error:
        raise UserError(
            f"{folder} does not hold the documents of {package}: {log} cannot be read ({error})."
        ) from error
    if not found.startswith(expected):
        raise UserError(
            f"{folder} holds {found!r}, but the answers of the demo's tasks were read from {expected}...). "
            f"Put that edition (Debian 12) there."
        )


def _change_log(folder: Path, package: str) -> Path:
    return folder / PACKAGES[package][0]
