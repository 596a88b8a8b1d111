"""How often "supported" is right, and how often what is supported is found: the evidence match against its labels.

The labels are those of `tests/verifier/evidence_labels`. A cell counts as called supported when its state is proven,
derived or consulted. Precision: of the cells called supported, those that are; recall: of the cells that are, those
called so. Wilson intervals at 95%. What is held out is measured only when asked for, so that nobody tunes on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from browser_capture.cli.json_output import json_option, write_json
from exports.demo.real_docs import real_docs
from tests.verifier.evidence_labels.labelled_answers import (
    FILES,
    LabelledAnswer,
    LabelledCell,
    labelled_answers,
    read_page,
)
from verifier.answers.answer_version import AnswerVersion
from verifier.evidence.cell_evidence import find_evidence
from verifier.evidence.passages import RecordedPage
from verifier.statistics.intervals import wilson_interval

SUPPORTED = frozenset({"proven", "derived", "consulted"})


class Judged(NamedTuple):
    """A labelled cell and what the match made of it."""

    answer: LabelledAnswer
    cell: LabelledCell
    state: str
    note: str

    @property
    def is_right(self) -> bool:
        """Whether the match says of the cell what the reader said."""
        return (self.state in SUPPORTED) == (self.cell.label == "supported")


def judge(answers: Sequence[LabelledAnswer], documents: Path | None = None) -> Iterator[Judged]:
    """Match each answer against its pages, and yield its labelled cells. Real pages are read from `documents`."""
    for answer in answers:
        pages = [
            RecordedPage(
                snapshot=str(number), text_sha=str(number), url=page.url, title=read.title, at="", text=read.text,
                seq=number, query=0, source="page" if page.medium == "html" else page.medium,
            )
            for number, page in enumerate(answer.pages)
            for read in [read_page(page, documents)]
        ]  # fmt: skip
        gold = AnswerVersion(task_id=answer.id, task_version=1, version=1, valid_from="2026-01-01", rows=answer.rows)
        found = find_evidence(gold, answer.answer_format, pages, answer.question)
        states = {(one.row, one.column): one for one in found}
        for cell in answer.cells:
            evidence = states[cell.row, cell.column]
            yield Judged(answer, cell, evidence.state, evidence.note)


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return precision and recall of "supported" with their intervals, and the errors by trap."""
    called = [one for one in judged if one.state in SUPPORTED]
    are = [one for one in judged if one.cell.label == "supported"]
    hits = sum(one.is_right for one in called)
    wrong = Counter((one.cell.about, one.cell.label) for one in judged if not one.is_right)
    return {
        "cells": len(judged),
        "precision": wilson_interval(hits, len(called))._asdict(),
        "recall": wilson_interval(hits, len(are))._asdict(),
        "errors": [{"about": about, "label": label, "cells": n} for (about, label), n in wrong.most_common()],
    }


@click.command()
@click.option("--held-out", is_flag=True, help="Measure the cells that are held out, not those to tune on.")
@click.option("--list-errors", is_flag=True, help="List each wrong cell; not for what is held out.")
@click.option("--cache", type=click.Path(path_type=Path), default=".cache", show_default=True, help="For documents.")
@json_option
def main(held_out: bool, list_errors: bool, cache: Path, json_to: str | None) -> None:
    """Measure the evidence match, e.g. `python -m benchmarks.evidence_match --list-errors`."""
    split = "held_out" if held_out else "tune"
    if held_out and list_errors:
        raise click.UsageError("the errors of cells that are held out are not listed: that would be tuning on them")
    answers = [answer for file in FILES for answer in labelled_answers(file) if answer.split == split]
    documents = real_docs(cache) if held_out else None
    judged = list(judge(answers, documents))
    result = {"split": split, **figures(judged)}
    if json_to is not None:
        write_json(json_to, result)
        return
    for name in ("precision", "recall"):
        share = result[name]
        click.echo(f"{name:10} {share['mean']:.3f}  [{share['low']:.3f}, {share['high']:.3f}]  of {share['n']} cells")
    for error in result["errors"]:
        click.echo(f"  {error['cells']:3} {error['label']} cells called otherwise: {error['about']}")
    for one in judged if list_errors else ():
        if not one.is_right:
            value = one.answer.value(one.cell)
            click.echo(f"{one.cell.id}: {one.cell.label}, {one.cell.column} {value!r} is {one.state} ({one.note})")


if __name__ == "__main__":
    main()
