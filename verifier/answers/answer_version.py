"""One version of a task's answer, with the passage each cell came from. Versions are appended, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from verifier.graphs import Graph

EvidenceState = Literal["proven", "derived", "consulted", "near", "conflict", "none"]
"""The six states of a cell, in every page, report and command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceLink:
    """A cell's place in a recorded page. `row` counts from 0 without the header; `column` is the column's name.

    `quote` is the page's own text; `prefix` and `suffix` are the text around it, to find it again.
    `how`: match (found by the verifier), paste, mark (by the annotator), review (by a reviewer).
    """

    row: int
    column: str
    quote: str
    url: str
    snapshot: str
    text_sha: str
    start: int
    end: int
    """Code points in the snapshot's visible text, half open."""
    prefix: str = ""
    suffix: str = ""
    state: EvidenceState = "proven"
    how: Literal["match", "paste", "mark", "review"] = "match"
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVersion:
    """An answer as of a date: `rows` for structured tasks, `graph` for persona tasks, `text` for open ones."""

    SCHEMA: ClassVar[str] = "answer/1"
    task_id: str
    task_version: int
    version: int
    valid_from: str
    """The first day (YYYY-MM-DD, UTC) on which this answer holds."""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    graph: Graph | None = None
    text: str | None = None
    evidence: tuple[EvidenceLink, ...] = ()
    author: str = ""
    """Pseudonym of the person who gave it."""
    trajectory: str | None = None
    note: str = ""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["answer/1"] = "answer/1"
