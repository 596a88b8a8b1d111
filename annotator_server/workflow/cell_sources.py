"""What a reviewer is told about where a cell came from, beside the passages that speak for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from annotator_server.models.answers import AnswerRow
from annotator_server.workflow.cell_origins import CellOrigin, How, read_origins
from annotator_server.workflow.declared_evidence import mark_of
from browser_capture.trajectory import Mark, Trajectory
from verifier.report import CellEvidence

WORDS: Mapping[How, str] = {
    "typed": "Typed by the annotator",
    "outside": "Pasted by the annotator, not from a recorded page",
    "forgotten": "From a page that the annotator took back from the recording",
    "file": "Taken from a file by the annotator",
}

DEEDS: Mapping[How, str] = {"paste": "Pasted", "outside": "Pasted", "forgotten": "Pasted", "mark": "Marked"}


class CellSource(NamedTuple):
    """A sentence about a cell; `mark` is the copy or mark it speaks of, where that is shown by no passage."""

    sentence: str
    mark: Mark | None = None


def cell_sources(
    answer: AnswerRow, cell: tuple[int, str], evidence: CellEvidence | None, trajectory: Trajectory | None
) -> tuple[CellSource, ...]:
    """Return what is known of a cell and shown by none of its passages."""
    origins = [one for one in read_origins(answer.origins) if (one.row, one.column) == cell]
    shown = {passage.how for passage in evidence.passages} if evidence else set()
    return tuple(_sources(origins, shown, trajectory))


def _sources(origins: Sequence[CellOrigin], shown: set[str], trajectory: Trajectory | None) -> Iterator[CellSource]:
    for origin in origins:
        mark = mark_of(origin, trajectory) if trajectory else None
        how = "mark" if origin.how == "mark" else "paste"
        if (origin.how in ("paste", "mark") or mark is not None) and how in shown:
            continue
        if mark is not None:
            yield CellSource(f"{DEEDS[origin.how]} from a recorded page, but not found in the kept page", mark)
        elif origin.how in WORDS:
            yield CellSource(WORDS[origin.how])
        elif trajectory is not None and origin.session != trajectory.id:
            yield CellSource(f"{DEEDS[origin.how]} from a page of an earlier recording")
        else:
            yield CellSource(f"{DEEDS[origin.how]} from a page that was forgotten")
