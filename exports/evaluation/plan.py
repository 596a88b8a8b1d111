"""What a run is to do: which agents, which tasks, how often. Attempts follow from it, each with its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple

from browser_capture.json_records import dumps, sha256, to_json
from browser_capture.version import VERSION
from exports.agents.agent import Agent, TaskView, path_of, view_of
from exports.benchmark.reader import Release
from exports.evaluation.as_of import as_of_date
from verifier.attempts.attempt import AttemptKey
from verifier.scoring.versions import answer_as_of
from verifier.tasks import Task

PROVIDER = "recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAgent:
    """An agent of the run with all that could change its outcomes."""

    name: str
    model: str | None = None
    budget: int | None = None
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """A run before it starts. `run_id` is a hash of the rest, so the same command names the same run."""

    SCHEMA: ClassVar[str] = "run/1"
    run_id: str
    release: str
    """Name of the release, for people."""
    release_id: str
    agents: tuple[PlannedAgent, ...]
    tasks: tuple[str, ...]
    epochs: int
    deadline_s: float
    """Seconds an attempt may take."""
    trailbench: str = VERSION
    schema: Literal["run/1"] = "run/1"


class PlannedAttempt(NamedTuple):
    """One attempt to make."""

    key: AttemptKey
    agent: Agent
    view: TaskView

    @property
    def attempt_id(self) -> str:
        """The id the attempt will have."""
        return self.key.digest()


def plan_run(
    release: Release, agents: Sequence[Agent], *, tasks: Sequence[str], epochs: int, deadline_s: float
) -> RunPlan:
    """Return the plan of a run over the named tasks of a release. Raises UnknownTask for one it does not hold."""
    draft = RunPlan(
        run_id="",
        release=release.manifest.name,
        release_id=release.manifest.release_id,
        agents=tuple(
            PlannedAgent(name=agent.name, model=agent.model, budget=agent.budget, config=agent.config)
            for agent in agents
        ),
        tasks=tuple(release.task(task_id).task_id for task_id in tasks),
        epochs=epochs,
        deadline_s=deadline_s,
    )
    return replace(draft, run_id=sha256(dumps(identity(draft)))[:16])


def identity(plan: RunPlan) -> dict[str, Any]:
    """Return what makes two plans the same run: all but the id and the version of the software."""
    return {name: value for name, value in to_json(plan).items() if name not in ("run_id", "trailbench")}


def planned_attempts(plan: RunPlan, release: Release, agents: Sequence[Agent]) -> Iterator[PlannedAttempt]:
    """Yield every attempt of a plan: task by task, so that an early stop leaves comparable rows."""
    for epoch in range(plan.epochs):
        for task_id in plan.tasks:
            task = release.task(task_id)
            for agent in agents:
                yield PlannedAttempt(key_of(plan, task, agent, epoch), agent, _view(release, task, agent))


def agents_of(planned: Sequence[PlannedAttempt]) -> list[Agent]:
    """Return the agents of planned attempts, each once."""
    return list({id(attempt.agent): attempt.agent for attempt in planned}.values())


def key_of(plan: RunPlan, task: Task, agent: Agent, epoch: int) -> AttemptKey:
    """Return the key of one attempt of a plan."""
    return AttemptKey(
        task_id=task.task_id,
        task_version=task.version,
        agent=agent.name,
        agent_config={**agent.config, "budget": agent.budget},
        model=agent.model,
        provider=PROVIDER if agent.budget != 0 else None,
        web=plan.release_id,
        epoch=epoch,
    )


def _view(release: Release, task: Task, agent: Agent) -> TaskView:
    view = view_of(task, as_of_date(release, task.task_id))
    if not agent.sees_human_path:
        return view
    answer = answer_as_of(release.answers_of(task.task_id), view.as_of)
    recordings = release.trajectories_of(task.task_id)
    trajectory = release.trajectory(answer.trajectory) or (recordings[-1] if recordings else None)
    return view if trajectory is None else view_of(task, view.as_of, path_of(answer, trajectory))
