"""What a searcher wants back after it was sent: its events become tombstones, and its pages are deleted.

The one exception to "nothing is changed": design says so. A tombstone keeps the hash of its line, so that the chain of
the log can still be followed; the recording's digest stays that of what arrived.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotator_server.database import writing
from annotator_server.errors import BadInput, Conflict, NotFound
from annotator_server.models.answers import AnswerRow
from annotator_server.models.recordings import CaptureSession, EventRow, RecordedBlob
from annotator_server.models.reports import ReportRow
from annotator_server.workflow.audit import note
from browser_capture.events import Event
from browser_capture.json_records import dumps, from_json
from browser_capture.log_lines import Line, named_blobs
from browser_capture.page_store import PageStore
from browser_capture.spool import tombstone


class TakenBack(NamedTuple):
    """How many events became tombstones, how many blobs were deleted, and which questions want another check."""

    events: int
    blobs: int
    questions: tuple[str, ...]


def take_back(name: str, first: int, last: int, why: str, store: PageStore) -> TakenBack:
    """Take back the events `first` to `last` of a recording that is complete; asking again finds nothing left.

    Start, Stop, pauses and gaps stay. Passages of the deleted pages leave the reports, copied texts the answers. Raises
    NotFound, Conflict while the recording still arrives, and BadInput for numbers it does not have.
    """
    with writing() as session:
        recording = session.scalar(select(CaptureSession).where(CaptureSession.session == name).with_for_update())
        if recording is None:
            raise NotFound(f"there is no recording {name!r} on this server")
        if recording.state != "complete":
            raise Conflict("this recording has not arrived whole; take the events back on the machine it comes from")
        if not 1 <= first <= last <= recording.highest_seq:
            raise BadInput(f"the recording has events 1 to {recording.highest_seq}, not {first} to {last}")
        count, gone = _bury(session, recording, first, last)
        answers = session.scalars(select(AnswerRow).where(AnswerRow.capture_session_id == recording.id)).all()
        for answer in answers if count else ():
            answer.origins = [_without_text(origin, name, first, last) for origin in answer.origins]
            for report in session.scalars(select(ReportRow).where(ReportRow.answer_version_id == answer.id)):
                report.body = _without_passages(report.body, gone)
        deletable = list(_unnamed(session, recording, gone))
        if count:
            details = {"recording": name, "first": first, "last": last, "events": count, "why": why}
            note(session, recording.project_id, None, "events_taken_back", recording.task.question.public_id, **details)
        questions = tuple(sorted({answer.question.public_id for answer in answers})) if count else ()
    # After the commit: a page that nothing names may lie about, one that is named must not be missing.
    return TakenBack(count, sum(_delete(store, sha) for sha in deletable), questions)


def _bury(session: Session, recording: CaptureSession, first: int, last: int) -> tuple[int, set[str]]:
    """Put tombstones in the place of events; return how many, and the blobs that no event names any more."""
    rows = session.scalars(
        select(EventRow).where(EventRow.capture_session_id == recording.id).order_by(EventRow.seq)
    ).all()
    count, gone, named = 0, set[str](), set[str]()
    for row in rows:
        line = Line(row.line, from_json(Event, json.loads(row.line)))
        left = tombstone(line) if first <= row.seq <= last else line
        if left is line:
            named |= set(named_blobs(line.event))
            continue
        row.line, row.type = left.text, left.event.type
        gone |= set(named_blobs(line.event))
        count += 1
    return count, gone - named


def _unnamed(session: Session, recording: CaptureSession, gone: set[str]) -> Iterator[str]:
    for blob in session.scalars(
        select(RecordedBlob).where(RecordedBlob.capture_session_id == recording.id, RecordedBlob.sha.in_(gone))
    ).all():
        session.delete(blob)
    session.flush()
    for sha in sorted(gone):
        if session.scalar(select(RecordedBlob.id).where(RecordedBlob.sha == sha).limit(1)) is None:
            yield sha


def _delete(store: PageStore, sha: str) -> bool:
    was_there = store.has(sha)
    store.delete(sha)
    return was_there


def _without_text(origin: dict[str, Any], name: str, first: int, last: int) -> dict[str, Any]:
    is_taken = origin.get("session") == name and first <= int(origin.get("seq") or 0) <= last
    return {**origin, "text": "", "line": "", "url": ""} if is_taken else origin


def _without_passages(body: str, gone: set[str]) -> str:
    report = json.loads(body)
    for cell in report.get("cells", ()):
        cell["passages"] = [passage for passage in cell.get("passages", ()) if passage["snapshot"] not in gone]
    return dumps(report)
