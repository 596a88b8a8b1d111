"""A verification report goes into its row and comes back."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from functools import lru_cache

from annotator_server.models.reports import ReportRow
from browser_capture.json_records import dumps, from_json, to_json
from verifier.report import VerificationReport


def report_row(answer_id: int, report: VerificationReport, now: datetime) -> ReportRow:
    """Build the row of a report, its cells counted by evidence state."""
    return ReportRow(
        answer_version_id=answer_id,
        verdict=report.verdict,
        counts=dict(Counter(cell.state for cell in report.cells)),
        body=dumps(to_json(report)),
        created_at=now,
    )


def report_record(row: ReportRow) -> VerificationReport:
    """Read a report back from its row."""
    return _read(row.body)


@lru_cache(maxsize=8)
def _read(body: str) -> VerificationReport:
    # A reviewer asks for one report many times, once for each cell; checking it against its schema is the slow part.
    return from_json(VerificationReport, json.loads(body))
