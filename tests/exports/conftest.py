"""The small release, as a folder, as records and as a web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_capture.page_store import PageStore
from exports.benchmark.reader import Release, load_release
from exports.recorded_web.resolve import RecordedWeb
from tests.exports import small_release


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    return PageStore(tmp_path / "store")


@pytest.fixture
def release_folder(tmp_path: Path, store: PageStore) -> Path:
    small_release.write(tmp_path / "release", store)
    return tmp_path / "release"


@pytest.fixture
def release(release_folder: Path) -> Release:
    return load_release(release_folder)


@pytest.fixture
def web(release: Release) -> Iterator[RecordedWeb]:
    with RecordedWeb.from_release(release) as opened:
        yield opened
