"""A gold answer and a reply come in, a score in a named profile goes out."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.parsing import parse_reply
from verifier.errors import AnswerFormatError
from verifier.scoring.score import AnswerScore
from verifier.scoring.strict import judge, make_gold

PROFILES: Mapping[str, str] = {"strict": "1"}
"""The profiles and their versions. A change of any figure of any answer is a new version."""


class Scorer:
    """Scores many replies against one gold answer, which is made ready once."""

    def __init__(self, gold: AnswerVersion, answer_format: AnswerFormat, profile: str = "strict") -> None:
        if profile not in PROFILES:
            raise AnswerFormatError(f"no score profile is called {profile!r}; there are: {', '.join(PROFILES)}")
        self.answer_format = answer_format
        self.profile = profile
        self._gold = make_gold(gold.header, gold.rows, answer_format)

    def score(self, reply: str | None, *, diff: bool = True) -> AnswerScore:
        """Score a reply as it came. Anything may come in; what is no answer scores 0."""
        return self.score_parsed(parse_reply(reply, self.answer_format), diff=diff)

    def score_parsed(self, parsed: ParsedAnswer, *, diff: bool = True) -> AnswerScore:
        """Score an answer that is parsed already, such as a person's file."""
        judged = judge(self._gold, parsed, diff=diff)
        return AnswerScore(
            profile=self.profile,
            version=PROFILES[self.profile],
            metrics=judged.metrics,
            faults=parsed.faults,
            cells=judged.cells,
        )


def score_answer(
    gold: AnswerVersion, reply: str | None, answer_format: AnswerFormat, profile: str = "strict", *, diff: bool = True
) -> AnswerScore:
    """Score one reply. Raises AnswerFormatError for an unknown profile; no reply makes it raise.

    >>> from verifier.answers.answer_format import Column
    >>> from verifier.answers.reply_text import format_reply
    >>> one = AnswerFormat(type="item", columns=(Column(name="Value"),))
    >>> gold = AnswerVersion(task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=(("1,000",),))
    >>> score_answer(gold, format_reply(["Value"], [["1000"]]), one).exact
    True
    """
    return Scorer(gold, answer_format, profile).score(reply, diff=diff)
