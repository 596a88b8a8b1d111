"""What an agent is: it sees a task without its answer, may use a toolbox, and hands in a reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from browser_capture.trajectory import Trajectory
from exports.tools.tool import Toolbox
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion, EvidenceState
from verifier.attempts.attempt import Usage
from verifier.tasks import Task


class LinkedPassage(NamedTuple):
    """Where a person's cell came from. What the cell says is not here: it must be found on the page again.

    Only a `proven` passage holds the cell's value; any other was read on the way to it.
    """

    row: int
    column: str
    url: str
    quote: str
    prefix: str
    suffix: str
    state: EvidenceState


class HumanPath(NamedTuple):
    """The recorded search behind an answer; only baselines that declare it see one."""

    trajectory: Trajectory
    links: tuple[LinkedPassage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskView:
    """A task as agents see it. `as_of` is the day (YYYY-MM-DD) they live in. There is no gold answer here."""

    task_id: str
    question: str
    as_of: str
    answer_format: AnswerFormat | None = None
    language: str = "en"
    human_path: HumanPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """What an attempt gave: the final text as it came, why it ended, and what it cost.

    Calls and path are recorded by the toolbox; an agent that works elsewhere hands in its own trajectory.
    """

    reply: str | None
    stop_reason: str
    usage: Usage = field(default_factory=Usage)
    usd: str | None = None
    trajectory: Trajectory | None = None


class Agent(Protocol):
    """Anything that answers tasks."""

    @property
    def name(self) -> str: ...

    @property
    def config(self) -> Mapping[str, Any]:
        """All that could change an outcome, but the model's name: two attempts compare only if it is equal."""
        ...

    @property
    def model(self) -> str | None: ...

    @property
    def budget(self) -> int | None:
        """How many tool calls an attempt may make; None for no limit, 0 for no tools."""
        ...

    @property
    def sees_human_path(self) -> bool: ...

    async def attempt(self, task: TaskView, tools: Toolbox) -> AgentResult:
        """Try a task once. Raises AgentFailed when the agent itself broke; any other error is the infrastructure's."""
        ...

    async def aclose(self) -> None:
        """Let go of connections. Called once, when a run is over."""
        ...


def view_of(task: Task, as_of: str, human_path: HumanPath | None = None) -> TaskView:
    """Return what an agent may see of a task."""
    return TaskView(
        task_id=task.task_id,
        question=task.question,
        as_of=as_of,
        answer_format=task.answer_format,
        language=task.language,
        human_path=human_path,
    )


def path_of(answer: AnswerVersion, trajectory: Trajectory) -> HumanPath:
    """Return the path behind an answer: its recording and its links, without the rows."""
    links = (
        LinkedPassage(link.row, link.column, link.url, link.quote, link.prefix, link.suffix, link.state)
        for link in answer.evidence
    )
    return HumanPath(trajectory, tuple(links))
