"""The manifest of a release: what is in the folder, with a hash for each file, and what one must know to use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFile:
    """A file of the release; `path` with forward slashes, relative to the folder."""

    path: str
    sha256: str
    bytes: int
    records: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTask:
    """A task of the release and the answer versions it holds, oldest first."""

    task_id: str
    version: int
    answers: tuple[int, ...]
    type: str
    temporal: Literal["stable", "live"]
    topic: str = ""
    trajectories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseManifest:
    """A frozen release. `release_id` is the hash of everything below it, so two equal releases have one id."""

    SCHEMA: ClassVar[str] = "release_manifest/1"
    name: str
    release_id: str
    created_at: str
    trailbench: str
    """Version of the software that wrote it."""
    project: str
    files: tuple[ReleaseFile, ...]
    tasks: tuple[ReleaseTask, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    licences: Mapping[str, str] = field(default_factory=dict)
    canary: str = ""
    web: Literal["full", "text", "pointers", "none"] = "full"
    notes: tuple[str, ...] = ()
    """For instance why a memorized task was kept, or how many sessions were purged."""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    schema: Literal["release_manifest/1"] = "release_manifest/1"
