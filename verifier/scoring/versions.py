"""A reply and every version of a live question's answer come in; whether it is fresh, stale or wrong goes out.

A live question's answer changes, and old pages stay. A reply that was right last month is another failure than one that
was never right: the agent read the web, and missed the date (spec/evaluation.md 1, spec/gisa.md 7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.parsing import parse_reply
from verifier.scoring.answer_score import Scorer
from verifier.scoring.score import AnswerScore, CellDiff
from verifier.statistics.intervals import Interval, mean_interval

VersionStatus = Literal["fresh", "stale", "early", "wrong"]
"""Right as of the day; right in an older version; right in a newer one, which should not be known yet; never right."""
CellStatus = Literal["fresh", "stale", "early", "wrong", "missing"]
"""The same of one cell; `missing`: nothing was found for it."""

DAY = len("2026-01-31")
_RIGHT = frozenset({"matched", "misplaced"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CellVerdict:
    """One cell of the gold answer, or one cell too many, as in `CellDiff`; `version` is the one that has its value."""

    status: CellStatus
    column: str
    row: int | None
    found_row: int | None
    expected: str | None
    found: str | None
    version: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionVerdict:
    """What a reply is, held against all versions of an answer in profile `strict`."""

    status: VersionStatus
    as_of: str
    version: int
    """The version that holds on the day."""
    matched: int | None
    """The version that the reply is: the one of the day, else the newest older one, else the next newer one."""
    valid_from: str
    """The first day of the matched version; blank where there is none."""
    valid_until: str
    """The first day of the version after it; blank where it holds still."""
    older: int
    """How many versions are older than the day's: with none, no reply can be stale."""
    score: AnswerScore
    """The score against the day's version."""
    cells: tuple[CellVerdict, ...]

    @property
    def counts(self) -> Mapping[CellStatus, int]:
        """Cells by status."""
        return _counts(self.cells)


class StaleRate(NamedTuple):
    """How often a run answers live questions with what once was right."""

    n: int
    """Live questions scored: the denominator of `rate`."""
    outcomes: Mapping[VersionStatus, int]
    rate: Interval
    """Stale answers a live question, with its t-interval."""
    could_be_stale: int
    """Live questions that have an older version: the denominator of `rate_where_possible`."""
    rate_where_possible: float | None
    cells: Mapping[CellStatus, int]
    cells_given: int
    """Cells that the agent gave, without the missing ones: the denominator of `cell_rate`."""
    cell_rate: float | None
    """Stale cells a cell given."""


class VersionScorer:
    """Scores many replies against the versions of one answer, each of which is made ready once."""

    def __init__(self, versions: Sequence[AnswerVersion], answer_format: AnswerFormat) -> None:
        """Order the versions by the day they began to hold. Raises ValueError when there are none."""
        if not versions:
            raise ValueError("expected at least one answer version, found none")
        self.answer_format = answer_format
        self._versions = sorted(versions, key=_age)
        self._scorers = [Scorer(answer, answer_format) for answer in self._versions]

    def judge(self, reply: str | None, *, as_of: str) -> VersionVerdict:
        """Judge a reply of a day (YYYY-MM-DD). Anything may come in; what is no answer is wrong."""
        parsed = parse_reply(reply, self.answer_format)
        at = self._versions.index(answer_as_of(self._versions, as_of))
        score = self._scorers[at].score_parsed(parsed)
        others: list[_Against] = []
        if not score.exact:
            others += self._others("stale", range(at - 1, -1, -1), parsed)
            others += self._others("early", range(at + 1, len(self._versions)), parsed)
        exact = [other for other in others if other.score.exact]
        right = _Against("fresh", at, score) if score.exact else exact[0] if exact else None
        matched = right.place if right else None
        return VersionVerdict(
            status=right.status if right else "wrong",
            as_of=as_of,
            version=self._versions[at].version,
            matched=None if matched is None else self._versions[matched].version,
            valid_from=self._first_day(matched),
            valid_until=self._first_day(None if matched is None else matched + 1),
            older=at,
            score=score,
            # The version that the reply is as a whole explains its cells first, then the newest older one.
            cells=self._cells(score.cells, [*exact[:1], *others]),
        )

    def _others(self, status: VersionStatus, places: Iterable[int], parsed: ParsedAnswer) -> list[_Against]:
        return [_Against(status, place, self._scorers[place].score_parsed(parsed)) for place in places]

    def _first_day(self, place: int | None) -> str:
        return "" if place is None or place == len(self._versions) else self._versions[place].valid_from[:DAY]

    def _cells(self, cells: Iterable[CellDiff], others: Sequence[_Against]) -> tuple[CellVerdict, ...]:
        known: dict[tuple[int | None, str], tuple[CellStatus, int]] = {}
        for other in others:
            for cell in other.score.cells:
                if cell.status in _RIGHT:
                    status: CellStatus = "stale" if other.status == "stale" else "early"
                    known.setdefault((cell.found_row, cell.column), (status, self._versions[other.place].version))
        return tuple(_verdict(cell, known) for cell in cells)


def judge_versions(
    versions: Sequence[AnswerVersion], reply: str | None, answer_format: AnswerFormat, *, as_of: str
) -> VersionVerdict:
    """Judge one reply of a day (YYYY-MM-DD) against all versions of an answer, in profile `strict`.

    Fresh: exact against the version that holds on the day; stale: exact against an older one, the newest of them;
    early: exact against a newer one; else wrong. Each wrong cell, or cell too many, is stale where its value is that of
    the aligned cell of an older version. Where a value is both older and newer, it counts as older.

    >>> from verifier.answers.columns import Column
    >>> one = AnswerFormat(type="item", columns=(Column(name="Mayor"),))
    >>> old, new = (AnswerVersion(task_id="t", task_version=1, version=number, valid_from=day, rows=((name,),))
    ...             for number, day, name in ((1, "2025-01-01", "Ann"), (2, "2026-01-01", "Bo")))
    >>> seen = judge_versions([old, new], "<answer>Ann</answer>", one, as_of="2026-03-01")
    >>> seen.status, seen.matched, seen.valid_from, seen.valid_until
    ('stale', 1, '2025-01-01', '2026-01-01')
    """
    return VersionScorer(versions, answer_format).judge(reply, as_of=as_of)


def answer_as_of(answers: Sequence[AnswerVersion], day: str) -> AnswerVersion:
    """Return the newest answer that held on a day; the oldest one where none held yet.

    >>> old, new = (AnswerVersion(task_id="1", task_version=1, version=v, valid_from=f"2026-0{v}-01") for v in (1, 2))
    >>> answer_as_of([old, new], "2026-01-31").version
    1
    """
    held = [answer for answer in answers if answer.valid_from[:DAY] <= day]
    return max(held, key=_age) if held else min(answers, key=_age)


def stale_rate(verdicts: Iterable[VersionVerdict]) -> StaleRate:
    """Return how stale a run's answers to live questions are, with every denominator.

    Give one verdict for each live question that was scored; failed infrastructure has none. A rate whose denominator is
    0 is None.

    >>> stale_rate([]).rate.mean is None, stale_rate([]).n
    (True, 0)
    """
    judged = list(verdicts)
    stale = [float(verdict.status == "stale") for verdict in judged]
    could = sum(verdict.older > 0 for verdict in judged)
    cells = _counts(cell for verdict in judged for cell in verdict.cells)
    given = sum(cells.values()) - cells["missing"]
    outcomes = Counter(verdict.status for verdict in judged)
    return StaleRate(
        n=len(judged),
        outcomes={status: outcomes[status] for status in get_args(VersionStatus)},
        rate=mean_interval(stale),
        could_be_stale=could,
        rate_where_possible=sum(stale) / could if could else None,
        cells=cells,
        cells_given=given,
        cell_rate=cells["stale"] / given if given else None,
    )


class _Against(NamedTuple):
    """A score against a version, by its place among the versions, and what a reply is that is this version."""

    status: VersionStatus
    place: int
    score: AnswerScore


def _age(answer: AnswerVersion) -> tuple[str, int]:
    return (answer.valid_from[:DAY], answer.version)


def _verdict(cell: CellDiff, known: Mapping[tuple[int | None, str], tuple[CellStatus, int]]) -> CellVerdict:
    status: CellStatus = "wrong"
    version = None
    if cell.status in _RIGHT:
        status = "fresh"
    elif cell.status == "missing":
        status = "missing"
    else:
        status, version = known.get((cell.found_row, cell.column), (status, version))
    return CellVerdict(
        status=status,
        column=cell.column,
        row=cell.row,
        found_row=cell.found_row,
        expected=cell.expected,
        found=cell.found,
        version=version,
    )


def _counts(cells: Iterable[CellVerdict]) -> dict[CellStatus, int]:
    counts = Counter(cell.status for cell in cells)
    return {status: counts[status] for status in get_args(CellStatus)}
