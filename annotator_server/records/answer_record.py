"""An answer's row becomes an `AnswerVersion`; the evidence links of a report may come with it."""

from __future__ import annotations

from annotator_server.models.answers import AnswerRow
from verifier.answers.answer_version import AnswerVersion, EvidenceLink


def answer_record(row: AnswerRow, evidence: tuple[EvidenceLink, ...] = ()) -> AnswerVersion:
    """Build the answer version. Its author is named by pseudonym, its trajectory by the recording's name."""
    return AnswerVersion(
        task_id=row.question.public_id,
        task_version=row.question_version,
        version=row.version,
        valid_from=row.valid_from,
        header=tuple(row.header),
        rows=tuple(tuple(cells) for cells in row.rows),
        evidence=evidence,
        author=row.author.pseudonym,
        trajectory=row.capture_session.session if row.capture_session else None,
        note=row.note,
    )
