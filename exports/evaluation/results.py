"""Run folders and their release come in; plans, grades and figures go out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from browser_capture.json_records import to_json
from exports.benchmark.reader import Release
from exports.errors import RunFolderTaken
from exports.evaluation.plan import RunPlan
from exports.evaluation.run_folder import ATTEMPTS, SCORES, read_plan, write_whole
from exports.evaluation.scores import RunScores, run_scores
from exports.evaluation.scoring import GradedAttempt, agent_label, grade_attempts
from verifier.attempts.attempt import Attempt
from verifier.attempts.store import AttemptStore


class Results(NamedTuple):
    """What runs on one release came to."""

    plans: tuple[RunPlan, ...]
    scores: RunScores
    graded: tuple[GradedAttempt, ...]


def load_results(release: Release, folders: Sequence[Path]) -> Results:
    """Grade what the run folders hold. An attempt that stands in several is counted once.

    Raises RunFolderTaken when a folder holds no run, a run of another release, or an agent with other settings.
    """
    plans = {plan.run_id: plan for folder in folders if (plan := _plan_of(release, folder))}
    _refuse_unlike(tuple(plans.values()))
    graded = tuple(grade_attempts(_counting(folders), release))
    ordered = tuple(plans[name] for name in sorted(plans))
    return Results(ordered, run_scores(release.manifest, ordered, graded), graded)


def scores_text(scores: RunScores) -> str:
    """Return figures as JSON: members sorted, attempts by id, no clocks."""
    return json.dumps(to_json(scores), indent=2, sort_keys=True) + "\n"


def write_scores(folder: Path, scores: RunScores) -> Path:
    """Write the figures into a run's folder and return where."""
    write_whole(folder / SCORES, scores_text(scores))
    return folder / SCORES


def _plan_of(release: Release, folder: Path) -> RunPlan:
    plan = read_plan(folder)
    if plan.release_id != release.manifest.release_id:
        raise RunFolderTaken(
            f"the run in {folder} was made on release {plan.release} {plan.release_id[:12]}, not on "
            f"{release.manifest.name} {release.manifest.release_id[:12]}; name that release"
        )
    return plan


def _counting(folders: Sequence[Path]) -> Iterable[Attempt]:
    # The same run may be named twice, or lie in two copies of which one was resumed.
    found: dict[str, Attempt] = {}
    for folder in folders:
        for attempt in AttemptStore(folder / ATTEMPTS).attempts():
            known = found.get(attempt.attempt_id)
            if known is None or known.outcome == "infrastructure_failure":
                found[attempt.attempt_id] = attempt
    return found.values()


def _refuse_unlike(plans: Sequence[RunPlan]) -> None:
    seen: dict[str, tuple[str, object]] = {}
    for plan in plans:
        for agent in plan.agents:
            label = agent_label(agent.name, agent.model)
            run_id, known = seen.setdefault(label, (plan.run_id, agent))
            if known != agent:
                raise RunFolderTaken(
                    f"runs {run_id} and {plan.run_id} used {label} with different settings; report them apart"
                )
