"""The names of a release's files, in one place for its writer, its reader and its check."""

from __future__ import annotations

MANIFEST = "manifest.json"
README = "README.md"
TASKS = "tasks.jsonl"
ANSWERS = "answers.jsonl"
TRAJECTORIES = "trajectories.jsonl"
REPORTS = "reports.jsonl"
BLOBS = "pages.jsonl"
"""One line for each blob under `pages/`: its hash, its kind and its uncompressed size."""
PAGES = "pages"


def blob_path(sha: str) -> str:
    """Return where a blob stands in a release, as the page store names it.

    >>> blob_path("ab" + "0" * 62)[:8]
    'pages/ab'
    """
    return f"{PAGES}/{sha[:2]}/{sha}.zst"
