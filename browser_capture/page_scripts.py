"""The scripts that run in pages, filled in but for the binding's name, which each browser draws for itself."""

from __future__ import annotations

import json
from importlib import resources

from browser_capture.result_pages.google_signs import OVERVIEW_WORDS
from browser_capture.selection import IS_WRITTEN, SELECTION


def recording_script() -> str:
    """Return the script that tells what a person does in a page."""
    words = json.dumps(sorted(OVERVIEW_WORDS))
    return _read("in_page.js").replace("__SUMMARY_WORDS__", words).replace("__IS_WRITTEN__", IS_WRITTEN)


def jot_script() -> str:
    """Return the script that tells only where a person is, and what they selected when they press the one key."""
    return _read("jot_page.js").replace("__SELECTION__", SELECTION)


def _read(name: str) -> str:
    return resources.files("browser_capture").joinpath(name).read_text(encoding="utf-8")
