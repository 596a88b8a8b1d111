"""Recordings: opened, filled with the lines of the log, finished. Sending anything twice changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotator_server.clock import utc_now
from annotator_server.database import writing
from annotator_server.errors import BadInput, Conflict
from annotator_server.models.recordings import CaptureSession, EventRow, RecordedBlob
from annotator_server.policy import Actor, require
from annotator_server.workflow.audit import note
from annotator_server.workflow.claiming import hold
from annotator_server.workflow.finding import recording_of, task_of
from annotator_server.workflow.lifecycle import move
from browser_capture.errors import RecordError
from browser_capture.events import Event
from browser_capture.json_records import from_json
from browser_capture.page_store import PageStore

LONGEST_LINE = 1_000_000


class Ingested(NamedTuple):
    """What became of a batch of lines."""

    highest_seq: int
    accepted: int
    duplicates: int


class Line(NamedTuple):
    """A line of the log that passed its schema, and the event in it."""

    text: str
    event: Event


def open_recording(actor: Actor, name: str, public_id: str) -> tuple[CaptureSession, bool]:
    """Open a recording for a task this person holds; return it and whether it is new.

    The same name again returns the recording that is there. Raises Conflict when the name belongs to another one.
    """
    if not 1 <= len(name) <= 80:
        raise BadInput("a recording's name has 1 to 80 characters")
    with writing() as session:
        task = task_of(session, actor, public_id, to_change=True)
        known = session.scalar(select(CaptureSession).where(CaptureSession.session == name))
        if known is not None:
            if known.task_id != task.id or known.user_id != actor.user_id:
                raise Conflict(f"the name {name!r} belongs to another recording")
            return known, False
        lease = hold(session, actor, task)
        require(actor, "record", state=task.state, is_holder=lease.user_id == actor.user_id)
        move(task, "record")
        opened = CaptureSession(
            session=name,
            project_id=actor.project_id,
            task_id=task.id,
            user_id=actor.user_id,
            question_version=task.question.version,
            state="open",
            highest_seq=0,
            created_at=utc_now(),
        )
        session.add(opened)
        note(session, actor.project_id, actor.user_id, "recording_opened", public_id, recording=name)
        return opened, True


def read_lines(body: str, name: str) -> list[Line]:
    """Check each line of a batch against the event schema, before any transaction is open.

    Raises BadInput naming the first line that is no event of this recording.
    """
    return [_read_line(number, text, name) for number, text in enumerate(body.split("\n"), 1) if text.strip()]


def ingest(actor: Actor, name: str, lines: list[Line]) -> Ingested:
    """Keep the lines that are not there yet. A known seq with other content is refused: a log is never rewritten.

    A finished recording accepts what it already has and refuses anything new.
    """
    with writing() as session:
        recording = recording_of(session, actor, name, to_change=True)
        known = _known_lines(session, recording, [line.event.seq for line in lines])
        new = list(_new_lines(lines, known))
        if new and recording.state == "complete":
            raise Conflict(f"recording {name} is finished; event {new[0].event.seq} came too late")
        _insert(session, recording, new)
        return Ingested(recording.highest_seq, len(new), len(lines) - len(new))


def missing_blobs(session: Session, recording: CaptureSession, store: PageStore) -> list[str]:
    """Return the pages, texts and parts the recording names and the store does not have."""
    named = session.scalars(
        select(RecordedBlob.sha).where(RecordedBlob.capture_session_id == recording.id).order_by(RecordedBlob.id)
    )
    return [sha for sha in named if not store.has(sha)]


def digest_of(session: Session, recording: CaptureSession) -> tuple[int, str]:
    """Return how many lines are there and the SHA-256 over all of them in order, each followed by a line end."""
    sha, count = hashlib.sha256(), 0
    lines = select(EventRow.line).where(EventRow.capture_session_id == recording.id).order_by(EventRow.seq)
    for line in session.scalars(lines.execution_options(yield_per=500)):
        sha.update(line.encode() + b"\n")
        count += 1
    return count, sha.hexdigest()


def finish(actor: Actor, name: str, last_seq: int, digest: str, store: PageStore) -> list[str]:
    """Close a recording once every event and blob is there; return what is still missing, empty when it is complete.

    Raises Conflict when all lines are there but add up to another digest.
    """
    with writing() as session:
        recording = recording_of(session, actor, name, to_change=True)
        if recording.state == "complete":
            if recording.digest != digest:
                raise Conflict(f"recording {name} was finished with another digest")
            return []
        if last_seq < 1:
            raise BadInput("a recording without events cannot be finished")
        if recording.highest_seq != last_seq:
            raise Conflict(f"event {recording.highest_seq} is the last without a gap, {last_seq} was named as the last")
        if missing := missing_blobs(session, recording, store):
            return missing
        count, found = digest_of(session, recording)
        if count != last_seq or found != digest:
            raise Conflict(f"the {count} lines of recording {name} add up to another digest than {digest[:16]}")
        recording.state, recording.digest, recording.finished_at = "complete", digest, utc_now()
        public_id = recording.task.question.public_id
        note(session, actor.project_id, actor.user_id, "recording_finished", public_id, recording=name, digest=digest)
        return []


def _read_line(number: int, text: str, name: str) -> Line:
    if len(text) > LONGEST_LINE:
        raise BadInput(f"line {number} is longer than {LONGEST_LINE:,} characters")
    try:
        event = from_json(Event, json.loads(text))
    except (ValueError, RecursionError, RecordError) as error:
        raise BadInput(f"line {number} is no event: {error}") from error
    if event.session != name:
        raise BadInput(f"line {number} belongs to recording {event.session!r}, not to {name!r}")
    if not 1 <= event.seq < 2**31:
        raise BadInput(f"line {number} has seq {event.seq}; a log counts from 1")
    return Line(text, event)


def _known_lines(session: Session, recording: CaptureSession, seqs: list[int]) -> dict[int, str]:
    span = EventRow.seq.between(min(seqs, default=0), max(seqs, default=0))
    rows = session.execute(select(EventRow.seq, EventRow.line).where(EventRow.capture_session_id == recording.id, span))
    return {seq: line for seq, line in rows}  # noqa: C416 - dict() would take a Result for a mapping


def _new_lines(lines: Iterable[Line], known: dict[int, str]) -> Iterator[Line]:
    for line in lines:
        before = known.get(line.event.seq)
        if before is None:
            known[line.event.seq] = line.text
            yield line
        elif before != line.text:
            raise Conflict(f"event {line.event.seq} is already there with other content; a log is never rewritten")


def _insert(session: Session, recording: CaptureSession, lines: list[Line]) -> None:
    now = utc_now()
    session.add_all(
        EventRow(
            capture_session_id=recording.id,
            seq=line.event.seq,
            type=line.event.type,
            line=line.text,
            received_at=now,
        )
        for line in lines
    )
    _name_blobs(session, recording, lines)
    session.flush()
    recording.highest_seq = _highest_gap_free(session, recording)


def _name_blobs(session: Session, recording: CaptureSession, lines: list[Line]) -> None:
    named: dict[str, str] = {}
    for line in lines:
        if line.event.type == "snapshot":
            named.update(_blobs_of(line.event.data))
    known = session.scalars(
        select(RecordedBlob.sha).where(
            RecordedBlob.capture_session_id == recording.id, RecordedBlob.sha.in_(list(named))
        )
    )
    for sha in set(known):
        del named[sha]
    session.add_all(RecordedBlob(capture_session_id=recording.id, sha=sha, kind=kind) for sha, kind in named.items())


def _blobs_of(data: Any) -> Iterator[tuple[str, str]]:
    yield from ((part["sha"], "part") for part in data.get("parts", ()))
    if data.get("text_sha"):
        yield data["text_sha"], "text"
    yield data["id"], "page"


def _highest_gap_free(session: Session, recording: CaptureSession) -> int:
    # Where nothing is missing, count and maximum agree; only then is the cheap answer the right one.
    start = recording.highest_seq
    count, highest = session.execute(
        select(func.count(), func.max(EventRow.seq)).where(
            EventRow.capture_session_id == recording.id, EventRow.seq > start
        )
    ).one()
    if not count or highest - start == count:
        return highest or start
    for seq in session.scalars(
        select(EventRow.seq)
        .where(EventRow.capture_session_id == recording.id, EventRow.seq > start)
        .order_by(EventRow.seq)
    ):
        if seq != start + 1:
            break
        start = seq
    return start
