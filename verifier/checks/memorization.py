"""Does a language model know the answer without any web? Then the question measures memory, not search.

Several tries with nothing but the question. Each is judged on content: header, column order, numbering and fence
faults are repaired, rows of a table may stand in any order. One exact try is enough to fail. A model that refuses or
is away gives the verdict `skipped`, never `pass`. Every raw reply is kept in the findings' data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from browser_capture.errors import TrailbenchError
from browser_capture.json_records import sha256
from verifier.answers.alignment import ParsedAnswer
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.answer_version import AnswerVersion
from verifier.answers.parsing import parse_reply
from verifier.answers.reply_text import prompt_rules
from verifier.checks.check_result import CheckResult, Finding, Verdict
from verifier.checks.verdicts import skipped
from verifier.errors import ModelRefused, ModelUnavailable
from verifier.language_model.client import ModelClient, ModelReply
from verifier.scoring.answer_score import Scorer
from verifier.scoring.score import AnswerScore
from verifier.tasks import Task

CHECK, VERSION = "memorization", "1"

TRIES = 3
MAX_OUTPUT_TOKENS = 4096
FIRST_TEMPERATURE = 0.0
"""Of the first try; the others use the server's default, so that a near memory gets more than one chance."""

PROMPT_VERSION = "2"
PROMPT = """Answer the question below from memory. You have no tools and no access to the web.
If you are not sure, give your best answer all the same.

{rules}

Question: {question}"""

_CONTENT: Mapping[str, str] = {
    "item": "item_em",
    "set": "set_f1",
    "list": "list_content_f1",
    "table": "table_item_f1_aligned",
}
"""The figure that says how much of the answer was known."""


async def check_memorization(
    task: Task,
    answer: AnswerVersion,
    model: ModelClient,
    *,
    tries: int = TRIES,
    max_output_tokens: int = MAX_OUTPUT_TOKENS,
) -> CheckResult:
    """Ask the model `tries` times and compare each reply with the answer. Stops asking at the first exact reply."""
    if task.answer_format is None or not answer.rows:
        return skipped(CHECK, VERSION, "only an answer with rows can be compared")
    asked = _order_free(task.answer_format)
    scorer, prompt = Scorer(answer, asked), memorization_prompt(task.question, task.answer_format)
    findings: list[Finding] = []
    scores: list[AnswerScore] = []
    trouble: TrailbenchError | None = None
    for number in range(1, tries + 1):
        temperature = FIRST_TEMPERATURE if number == 1 else None
        try:
            reply = await model.complete(
                [{"role": "user", "content": prompt}], temperature=temperature, max_output_tokens=max_output_tokens
            )
        except (ModelRefused, ModelUnavailable) as error:
            trouble = error
            break
        score = scorer.score_parsed(repaired(parse_reply(reply.text, asked), asked), diff=False)
        scores.append(score)
        findings.append(_try(number, temperature, prompt, reply, score, _CONTENT[asked.type]))
        if score.exact:
            break
    return _outcome(model.model, scores, findings, trouble, asked, tries)


def memorization_prompt(question: str, answer_format: AnswerFormat) -> str:
    """Write the prompt of a try: the question and the answer's form, no date and no web."""
    return PROMPT.format(rules=prompt_rules(answer_format), question=question)


def repaired(parsed: ParsedAnswer, asked: AnswerFormat) -> ParsedAnswer:
    """Give a table of the right width the asked header, whatever it was called.

    >>> from verifier.answers.answer_format import Column
    >>> two = AnswerFormat(type="table", columns=(Column(name="Name"), Column(name="Year")))
    >>> repaired(ParsedAnswer(("Year", "Who"), (("1996", "Ada"),), ("header_mismatch",)), two).rows
    (('Ada', '1996'),)
    """
    if asked.type != "table" or len(parsed.header) != len(asked.header):
        return parsed
    unknown = iter([place for place, name in enumerate(parsed.header) if name not in asked.header])
    places = [parsed.header.index(name) if name in parsed.header else next(unknown) for name in asked.header]
    rows = tuple(tuple(row[place] for place in places) for row in parsed.rows)
    return ParsedAnswer(asked.header, rows, tuple(fault for fault in parsed.faults if not fault.startswith("header_")))


def _order_free(answer_format: AnswerFormat) -> AnswerFormat:
    return replace(answer_format, sort=()) if answer_format.type == "table" else answer_format


def _try(
    number: int, temperature: float | None, prompt: str, reply: ModelReply, score: AnswerScore, content: str
) -> Finding:
    known = score.metrics[content]
    data: dict[str, Any] = {
        "try": number,
        "model": reply.model,
        "temperature": temperature,
        "prompt_version": PROMPT_VERSION,
        "prompt_sha": sha256(prompt),
        "reply": reply.text,
        "finish_reason": reply.finish_reason,
        "exact": score.exact,
        "content": known,
        "faults": list(score.faults),
        "usage": {"input": reply.usage.input, "output": reply.usage.output},
    }
    if score.exact:
        message = f"try {number}: {reply.model} gave the whole answer from memory"
        return Finding(code="memorized", message=message, severity="fail", data=data)
    return Finding(code="try", message=f"try {number}: {known:.0%} known", severity="info", data=data)


def _outcome(
    model: str,
    scores: list[AnswerScore],
    findings: list[Finding],
    trouble: TrailbenchError | None,
    asked: AnswerFormat,
    tries: int,
) -> CheckResult:
    exact = any(score.exact for score in scores)
    best = max((score.metrics[_CONTENT[asked.type]] for score in scores), default=0.0)
    figures = {"tries": float(len(scores)), "exact": float(exact), "content": best}
    if chance := chance_level(asked):
        figures["chance"] = chance
        message = f"a guess is right with probability {chance:g}; look at the replies"
        findings = [*findings, Finding(code="guessable", message=message, severity="warn")]
    if exact:
        return _result("fail", f"{model} gave the whole answer without the web", findings, figures)
    if trouble is not None:
        reason = f"{len(scores)} of {tries} tries were answered: {trouble}"
        code = "refused" if isinstance(trouble, ModelRefused) else "unavailable"
        findings = [*findings, Finding(code=code, message=str(trouble), severity="info")]
        return replace(skipped(CHECK, VERSION, reason), findings=tuple(findings), figures=figures)
    summary = f"{model} did not know the answer in {len(scores)} tries (at best {best:.0%} of it)"
    return _result("warn" if chance else "pass", summary, findings, figures)


def _result(verdict: Verdict, summary: str, findings: list[Finding], figures: Mapping[str, float]) -> CheckResult:
    return CheckResult(
        check=CHECK, version=VERSION, verdict=verdict, summary=summary, findings=tuple(findings), figures=figures
    )


def chance_level(asked: AnswerFormat) -> float:
    """Return the probability of guessing a tiny answer space right; 0 where it is not tiny."""
    return 0.5 if asked.type == "item" and asked.columns[0].type == "boolean" else 0.0
