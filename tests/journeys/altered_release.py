"""A release with one wrong gold cell, for showing that a replayed search then no longer scores in full."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from exports.benchmark.reader import Release, load_release
from exports.benchmark.release_content import ReleaseTaskContent
from exports.benchmark.writer import write_release
from exports.cli.root import run
from exports.evaluation.results import load_results
from exports.evaluation.scores import AgentScores
from verifier.answers.answer_version import AnswerVersion


def altered(release: Release, task_id: str, folder: Path) -> Release:
    """Write the release anew with the last cell of one task's answer changed."""
    contents = tuple(
        ReleaseTaskContent(
            task=task,
            answers=tuple(
                _changed(one) if task.task_id == task_id else one for one in release.answers_of(task.task_id)
            ),
            trajectories=release.trajectories_of(task.task_id),
            reports=tuple(report for report in release.reports if report.task_id == task.task_id),
        )
        for task in release.tasks
    )
    about = release.manifest
    write_release(contents, release.store, folder, name="altered", project=about.project, created_at=about.created_at)
    return load_release(folder)


def scores_on(release: Release, agent: str, out: Path) -> AgentScores:
    """Run an agent on a release and return its figures."""
    assert run(["eval", "run", "--release", str(release.folder), "--agent", agent, "--out", str(out)]) == 0
    return load_results(release, [out]).scores.agents[0]


def _changed(answer: AnswerVersion) -> AnswerVersion:
    *others, last = answer.rows
    return replace(answer, rows=(*others, (*last[:-1], f"{last[-1]}x")))
