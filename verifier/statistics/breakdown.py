"""The scored questions of a run come in, its summary goes out: overall, by answer type, stable and live, and topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from verifier.answers.answer_format import AnswerType
from verifier.statistics.intervals import mean_interval
from verifier.statistics.means import published_mean

Status = Literal["scored", "agent_failed", "error"]
"""`agent_failed` counts 0 in every figure; `error`: could not be scored, and the agent did not cause it."""
RunSummary = dict[str, Any]
"""A summary that can be written as JSON; `summarise` says its members."""

TYPE_ORDER: Mapping[str, int] = {name: place for place, name in enumerate(get_args(AnswerType))}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredQuestion:
    """One question of a run, in one profile. Metrics are 0..1, keyed as the published evaluator's.

    Metrics may be left out where the agent failed: each that the type has counts 0.
    """

    question_id: str
    answer_type: str
    status: Status
    metrics: Mapping[str, float]
    faults: tuple[str, ...] = ()
    error: str = ""
    temporal: str = ""
    """`stable` or `live`; blank where the question does not say."""
    topic: str = ""
    notes: tuple[str, ...] = ()
    """What a person should look at in the gold answer; it changes no figure."""


def summarise(rows: Sequence[ScoredQuestion]) -> RunSummary:
    """Return the summary of a run. Every member, in its order:

    - `overall_global_em`: the mean, not rounded, over questions that are scored or that the agent failed;
      None when there are none.
    - a group for each answer type, as published: `num_samples` and `overall_` means, each rounded to four decimals.
      Types are compared without case; a type all of whose questions are errors has no means.
    - `bounds`: [low, high] of the overall mean if every question in error were wrong, and if it were right.
    - `interval`: `mean`, `low`, `high`, `n` of exact match, by Student's t (spec/evaluation.md 1).
    - `coverage`: the text "scored/planned"; `outcomes`: questions by status; `types`: questions by answer type.
    - `by_question_type`, `by_topic`: `n`, `overall_global_em` and `interval` for each value that questions state.
    - `faults`: how many questions show each; `errors`: "ID: reason" of questions that failed or could not be scored.

    The order of the rows changes nothing: sums are taken by id, numbers by their value, then texts. Raises ValueError
    when two rows have one id.

    >>> rows = [ScoredQuestion(question_id="1", answer_type="item", status="scored", metrics={"global_em": 1.0}),
    ...         ScoredQuestion(question_id="2", answer_type="item", status="agent_failed", metrics={}, error="none")]
    >>> summary = summarise(rows)
    >>> summary["overall_global_em"], summary["coverage"], summary["item"], summary["errors"]
    (0.5, '1/2', {'num_samples': 2, 'overall_global_em': 0.5}, ['2: none'])
    """
    ordered = sorted(rows, key=lambda row: id_order(row.question_id))
    if twice := sorted(name for name, times in Counter(row.question_id for row in rows).items() if times > 1):
        raise ValueError(f"expected one row a question, found several of {', '.join(twice)}")
    known = [_exact(row) for row in ordered if row.status != "error"]
    outcomes = Counter(row.status for row in ordered)
    return {
        "overall_global_em": None,
        # The groups stand in front of the fixed members, so that no answer type can take one's name.
        **{name: _type_means(group) for name, group in _groups(ordered, _type, _by_type)},
        "bounds": _bounds(sum(known), len(known), outcomes["error"]),
        **_exact_match(ordered),
        "coverage": f"{outcomes['scored']}/{len(ordered)}",
        "outcomes": {status: outcomes[status] for status in get_args(Status)},
        "types": {name: len(group) for name, group in _groups(ordered, _type, _by_type)},
        "by_question_type": _cut(ordered, lambda row: row.temporal),
        "by_topic": _cut(ordered, lambda row: row.topic),
        "faults": dict(sorted(Counter(fault for row in ordered for fault in set(row.faults)).items())),
        "errors": [f"{row.question_id}: {row.error or row.status}" for row in ordered if row.status != "scored"],
    }


def id_order(question_id: str) -> tuple[int, int, str]:
    """Return a key that sorts whole numbers by their value, before all other ids.

    >>> sorted(["b", "10", "9", "a"], key=id_order)
    ['9', '10', 'a', 'b']
    """
    if question_id.isascii() and question_id.isdecimal():
        digits = question_id.lstrip("0")
        return (0, len(digits), digits + " " + question_id)
    return (1, 0, question_id)


def _exact(row: ScoredQuestion) -> float:
    return row.metrics["global_em"] if row.status == "scored" else 0.0


def _exact_match(rows: Iterable[ScoredQuestion]) -> dict[str, Any]:
    interval = mean_interval([_exact(row) for row in rows if row.status != "error"])
    return {"overall_global_em": interval.mean, "interval": interval._asdict()}


def _bounds(right: float, known: int, unknown: int) -> list[float]:
    total = known + unknown
    return [right / total, (right + unknown) / total] if total else [0.0, 1.0]


def _type_means(rows: Sequence[ScoredQuestion]) -> dict[str, Any]:
    counted = [row for row in rows if row.status != "error"]
    names = list(dict.fromkeys(name for row in counted for name in row.metrics)) or ["global_em"]
    means = {}
    for name in names:
        # A figure that a scored question lacks is left out of its mean, as an empty cell of a pandas column is.
        values = [row.metrics.get(name, 0.0) for row in counted if name in row.metrics or row.status == "agent_failed"]
        if values:
            means[f"overall_{name}"] = published_mean(values)
    return {"num_samples": len(counted), **means}


def _cut(rows: Sequence[ScoredQuestion], value: Callable[[ScoredQuestion], str]) -> dict[str, Any]:
    parts = {}
    for name, group in _groups(rows, value, lambda name: name):
        if name:
            figures = _exact_match(group)
            parts[name] = {"n": figures["interval"]["n"], **figures}
    return parts


def _groups(
    rows: Sequence[ScoredQuestion], value: Callable[[ScoredQuestion], str], order: Callable[[str], Any]
) -> list[tuple[str, list[ScoredQuestion]]]:
    groups: dict[str, list[ScoredQuestion]] = defaultdict(list)
    for row in rows:
        groups[value(row)].append(row)
    return sorted(groups.items(), key=lambda group: order(group[0]))


def _type(row: ScoredQuestion) -> str:
    return row.answer_type.lower()


def _by_type(name: str) -> tuple[int, str]:
    return (TYPE_ORDER.get(name, len(TYPE_ORDER)), name)
