"""The README of a release: what it is, what is in it, how to use it, when not to."""

from __future__ import annotations

from collections.abc import Mapping

from exports.benchmark import layout
from exports.benchmark.canary import WARNING
from exports.benchmark.pages import Web

WEB_WORDS: Mapping[Web, str] = {
    "full": "whole pages, as they were seen",
    "text": "the visible text of each page",
    "pointers": "addresses and hashes only; the pages are not included",
    "none": "no pages",
}


def card_text(project: str, created_at: str, canary: str, web: Web, counts: Mapping[str, int]) -> str:
    """Return the README as Markdown. The name is left out: equal releases have one id, whatever they are called."""
    return f"""# A benchmark of the project "{project}"

A trailbench release: questions that people answered by searching the web, their answers,
and the pages they read. Newest record: {created_at or "none"}.

{WARNING}
Canary: {canary}

| file | holds | records |
|---|---|---|
| `{layout.TASKS}` | questions with their answer formats | {counts["tasks"]} |
| `{layout.ANSWERS}` | answer versions with the passage of each cell | {counts["answers"]} |
| `{layout.TRAJECTORIES}` | the recorded searches | {counts["trajectories"]} |
| `{layout.REPORTS}` | verification reports | {counts["reports"]} |
| `{layout.PAGES}/` | {WEB_WORDS[web]} | {counts["pages"]} |
| `{layout.MANIFEST}` | a hash of each file, the canary, the counts | |

Every JSONL file starts with a line that holds the canary; records follow, one a line.

    trailbench export verify .
    trailbench eval run --release . --agent silent --out runs/silent

Do not use it to train or to tune a system that will be scored on it, and do not publish the answers where crawlers
read.
"""
