"""A task as agents and scorers see it: the question, how it is asked, and how an answer is judged.

Three kinds share the record. `structured` (GISA): one question, an answer format. `persona` (VibeSearchBench): a
simulated user discloses the need in stages, the answer is a graph. `open` (Search Index): a free-text answer, graded
by a rubric; which search provider serves it is the attempt's business, not the task's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from verifier.answers.answer_format import AnswerFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage of a persona's disclosure: when `trigger` is met, the user says `line`."""

    stage_id: str
    trigger: Literal["opening", "information", "asked_about", "milestone"]
    line: str
    about: str = ""
    title: str = ""
    pushes: tuple[str, ...] = ()
    """What the user says while the trigger is not met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Who asks in a persona task and what they reveal when. `text` is the simulator's Markdown description."""

    initial_query: str
    text: str
    stages: tuple[Stage, ...] = ()
    user_queries: tuple[str, ...] = ()
    sub_queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """How an answer is judged: by `answer_score` (profiles), `graph_score` or `rubric` (a named, versioned text)."""

    method: Literal["answer_score", "graph_score", "rubric"]
    rubric: str = ""
    version: str = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One version of a task."""

    SCHEMA: ClassVar[str] = "task/1"
    task_id: str
    version: int
    kind: Literal["structured", "persona", "open"]
    question: str
    """The complete request; a persona's simulator never shows it."""
    grading: Grading
    language: str = "en"
    topic: str = ""
    temporal: Literal["stable", "live"] = "stable"
    cadence_days: int | None = None
    """How often a live task is due for a new answer."""
    answer_format: AnswerFormat | None = None
    persona: Persona | None = None
    source: Mapping[str, str] = field(default_factory=dict)
    """Where the task came from: benchmark, split, licence, the page that raised it."""
    canary: str = ""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["task/1"] = "task/1"
