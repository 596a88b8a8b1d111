"""A person who cannot go on says so in one sentence and leaves a picture of what they saw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Error, Page

from browser_capture.errors import IncompleteError


@contextmanager
def pictures_of_trouble(who: str, logs: Path, windows: Callable[[], Iterable[Page]]) -> Iterator[None]:
    """Turn a browser's error into IncompleteError; a picture of each of the person's windows goes into `logs`."""
    try:
        yield
    except Error as error:
        taken = [_picture(page, logs / f"{who}-{number}.png") for number, page in enumerate(windows(), 1)]
        raise IncompleteError(
            f"The demo's {who} could not go on: {' '.join(error.message.split())[:400]} "
            f"Pictures of what they saw: {', '.join(str(file) for file in taken)}"
        ) from error


def _picture(page: Page, file: Path) -> Path:
    # A window that is gone gives no picture; the error above tells more than this one would.
    with suppress(Error):
        page.screenshot(path=file, timeout=5000)
    return file
