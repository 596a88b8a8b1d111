"""What is doubtful about a question, found as it is written, by the rules the verifier applies later."""

from __future__ import annotations

from annotator_server.errors import BadInput
from annotator_server.models.questions import QuestionVersion
from annotator_server.records.question_record import answer_format
from verifier.answers.answer_format import AnswerFormat
from verifier.checks.check_result import Finding
from verifier.checks.question_lint import lint_question


def lint(version: QuestionVersion) -> tuple[Finding, ...]:
    """Return the findings about a version; an answer format that contradicts itself is a finding too."""
    try:
        wanted = answer_format(version.form)
    except BadInput as error:
        return tuple(
            Finding(code=f"form_{field}", message=message, severity="fail", data={"field": field})
            for field, message in (error.fields or {"form": str(error)}).items()
        )
    return (*lint_question(version.text, wanted), *_free_order(wanted))


def _free_order(wanted: AnswerFormat) -> tuple[Finding, ...]:
    """Remind a writer who chose no order; the verifier has nothing against it."""
    if wanted.type != "table" or wanted.sort != ():
        return ()
    message = "no order is chosen, so rows count in any order; where the question asks for one, choose a sort column"
    return (Finding(code="order_free", message=message, severity="info"),)
