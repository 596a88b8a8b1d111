"""A gold answer and a reply come in, a score in a named profile goes out.

The Python door of the scorer: it needs no server, no pandas, and no package beyond the standard library, except lxml
for a reply that holds a table of HTML and rapidfuzz for near misses; each is loaded only then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.csv_files import write_answer_csv
from verifier.answers.parsing import parse_reply
from verifier.errors import AnswerFormatError, AnswerUnreadable
from verifier.scoring.compat_score import judge_as_published
from verifier.scoring.compat_tables import CompatTable, prediction_file_table, prediction_table, truth_table
from verifier.scoring.prepared import make_gold
from verifier.scoring.score import AnswerScore, CellDiff
from verifier.scoring.strict import judge

PROFILES: Mapping[str, str] = {"strict": "4", "gisa-compat": "1"}
"""The profiles and their versions. A change of any figure of any answer is a new version."""


class Scorer:
    """Scores many replies against one gold answer, which is made ready once."""

    def __init__(self, gold: AnswerVersion, answer_format: AnswerFormat, profile: str = "strict") -> None:
        """Make a gold answer ready. Raises AnswerFormatError for an unknown profile.

        Profile `gisa-compat` raises AnswerUnreadable for a gold answer that the published evaluator cannot read.
        """
        if profile not in PROFILES:
            raise AnswerFormatError(f"no score profile is called {profile!r}; there are: {', '.join(PROFILES)}")
        self.answer_format = answer_format
        self.profile = profile
        self._judge = _JUDGES[profile](gold, answer_format)

    def score(self, reply: str | None, *, diff: bool = True) -> AnswerScore:
        """Score a reply as it came. Anything may come in; what is no answer scores 0.

        `diff` asks for the cells as well. It takes several times as long: leave it out where only figures are wanted.
        """
        return self._named(*self._judge.reply(reply, diff))

    def score_parsed(self, parsed: ParsedAnswer, *, diff: bool = True) -> AnswerScore:
        """Score an answer that is parsed already, such as a person's file."""
        return self._named(*self._judge.parsed(parsed, diff))

    def _named(self, metrics: Mapping[str, float], faults: tuple[str, ...], cells: tuple[CellDiff, ...]) -> AnswerScore:
        return AnswerScore(
            profile=self.profile, version=PROFILES[self.profile], metrics=metrics, faults=faults, cells=cells
        )


def score_answer(
    gold: AnswerVersion, reply: str | None, answer_format: AnswerFormat, profile: str = "strict", *, diff: bool = True
) -> AnswerScore:
    """Score one reply. Raises AnswerFormatError for an unknown profile; no reply makes it raise.

    Metrics are shares of 1. `faults` names what the reply's form lacks, `cells` is the diff (`strict` only).

    >>> from verifier.answers.columns import Column
    >>> from verifier.answers.reply_text import format_reply
    >>> moons = AnswerFormat(type="table", columns=(Column(name="Moon"), Column(name="Radius", type="number")))
    >>> rows = (("Titan", "2,574.7"), ("Rhea", "763.8"))
    >>> gold = AnswerVersion(task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=rows)
    >>> score_answer(gold, format_reply(["Moon", "Radius"], [["titan", "2574.70"], ["Rhea", "763.8"]]), moons).exact
    True
    >>> score = score_answer(gold, "Titan\\t2575", moons)
    >>> score.faults
    ('no_answer_tag', 'no_fence', 'header_missing')
    >>> [(cell.status, cell.expected, cell.found) for cell in score.cells if cell.row == 0]
    [('matched', 'Titan', 'Titan'), ('wrong', '2,574.7', '2575')]
    >>> round(score.metrics["table_item_f1_aligned"], 2)
    0.33

    The same reply as the published evaluator would score it:

    >>> score_answer(gold, "Titan\\t2575", moons, "gisa-compat").metrics["table_item_f1"]
    0.0
    """
    return Scorer(gold, answer_format, profile).score(reply, diff=diff)


Scored = tuple[Mapping[str, float], tuple[str, ...], tuple[CellDiff, ...]]
"""Metrics, faults and cells."""


class _Judge(Protocol):
    def reply(self, reply: str | None, diff: bool) -> Scored: ...
    def parsed(self, parsed: ParsedAnswer, diff: bool) -> Scored: ...


class _Strict:
    def __init__(self, gold: AnswerVersion, answer_format: AnswerFormat) -> None:
        self._gold = make_gold(gold.header, gold.rows, answer_format)

    def reply(self, reply: str | None, diff: bool) -> Scored:
        return self.parsed(parse_reply(reply, self._gold.answer_format), diff)

    def parsed(self, parsed: ParsedAnswer, diff: bool) -> Scored:
        judged = judge(self._gold, parsed, diff=diff)
        return judged.metrics, parsed.faults, judged.cells


class _AsPublished:
    """The gold answer and a parsed one go through the published file layout, a reply is read as it came."""

    def __init__(self, gold: AnswerVersion, answer_format: AnswerFormat) -> None:
        self._format = answer_format
        self._gold = truth_table(
            write_answer_csv(gold.header or answer_format.header, gold.rows, answer_format), answer_format.type
        )

    def reply(self, reply: str | None, diff: bool) -> Scored:
        # The published rules know no faults: they are named where somebody wants to see why.
        faults = parse_reply(reply, self._format).faults if diff else ()
        return self._figures(prediction_table(reply or "")), faults, ()

    def parsed(self, parsed: ParsedAnswer, diff: bool) -> Scored:
        data = write_answer_csv(parsed.header, parsed.rows, self._format)
        try:
            found = prediction_file_table(data, self._format.type)
        except AnswerUnreadable:
            found = None
        return self._figures(found), parsed.faults, ()

    def _figures(self, found: CompatTable | None) -> Mapping[str, float]:
        return judge_as_published(self._gold, found, self._format.type)


_JUDGES: Mapping[str, Callable[[AnswerVersion, AnswerFormat], _Judge]] = {
    "strict": _Strict,
    "gisa-compat": _AsPublished,
}
