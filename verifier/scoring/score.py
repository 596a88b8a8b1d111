"""What a score is: a profile, its version, its figures, the faults of the reply and a cell-level diff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

DiffStatus = Literal["matched", "wrong", "missing", "extra", "misplaced"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDiff:
    """One cell of the gold answer, or one cell too many. Rows count from 0; `row` is None beside every gold row.

    `misplaced`: the right value in a row that stands out of order. `rules`: those without which the two texts would not
    be equal. `near`: why a wrong text is nearly right; it is shown to people and never counted.
    """

    status: DiffStatus
    column: str
    row: int | None = None
    found_row: int | None = None
    expected: str | None = None
    found: str | None = None
    rules: tuple[str, ...] = ()
    near: str | None = None

    @property
    def decided_by(self) -> str:
        """Say in a few words what decided this cell.

        >>> CellDiff(status="matched", column="Price", expected="1000", found="$1,000", rules=("grouping",)).decided_by
        'equal by grouping'
        """
        if self.status in ("matched", "misplaced"):
            equal = f"equal by {', '.join(self.rules)}" if self.rules else "equal as written"
            return equal if self.status == "matched" else f"{equal}, out of order"
        if self.status == "wrong":
            return f"not equal, near by {self.near}" if self.near else "not equal"
        return "not in the answer" if self.status == "missing" else "not in the gold answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerScore:
    """The score of one reply. Metrics are 0..1, keyed as the published evaluator's."""

    profile: str
    version: str
    metrics: Mapping[str, float]
    faults: tuple[str, ...] = ()
    cells: tuple[CellDiff, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the answer is right as a whole."""
        return self.metrics["global_em"] == 1.0


class Overlap(NamedTuple):
    """Precision, recall and their harmonic mean; each 0 where undefined."""

    precision: float
    recall: float
    f1: float


def overlap(hits: int, found: int, gold: int) -> Overlap:
    """Return precision, recall and F1 from counts.

    >>> overlap(1, 2, 2)
    Overlap(precision=0.5, recall=0.5, f1=0.5)
    """
    precision = hits / found if found else 0.0
    recall = hits / gold if gold else 0.0
    # 2h/(f+g) is the same figure with a single rounding: full agreement gives exactly 1.
    return Overlap(precision, recall, 2 * hits / (found + gold) if hits else 0.0)


def bag_overlap(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Overlap:
    """Return the overlap of two multisets: each gold element can be hit once."""
    hits = (Counter(found) & Counter(gold)).total()
    return overlap(hits, len(found), len(gold))


def named(prefix: str, figures: Overlap) -> dict[str, float]:
    """Name the three figures of an overlap."""
    return {f"{prefix}_precision": figures.precision, f"{prefix}_recall": figures.recall, f"{prefix}_f1": figures.f1}
