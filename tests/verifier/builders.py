"""Small records for the verifier's tests: formats, gold answers, recorded pages and whole recordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from browser_capture.page_store import Page, PageStore
from browser_capture.trajectory import Actor, Query, Snapshot, Trajectory, Visit
from verifier.answers.answer_format import AnswerFormat, AnswerType, Column, ColumnType, SortKey
from verifier.answers.answer_version import AnswerVersion
from verifier.evidence.passages import RecordedPage, Source
from verifier.tasks import Grading, Task


class ColumnMembers(TypedDict, total=False):
    """What a column may say beside its name and type."""

    date_format: str
    unit: str
    null_marker: str
    tolerance: str
    aliases: tuple[tuple[str, ...], ...]


class PageMembers(TypedDict, total=False):
    """What a recorded page may say beside its text."""

    source: Source
    marks: tuple[str, ...]


def one_column(kind: AnswerType, name: str = "", column_type: ColumnType = "untyped") -> AnswerFormat:
    """A format with one column; items are called Value, the others Item."""
    return AnswerFormat(
        type=kind, columns=(Column(name=name or ("Value" if kind == "item" else "Item"), type=column_type),)
    )


def table(
    names: Sequence[str],
    types: Mapping[str, ColumnType] | None = None,
    sort: Sequence[str] | None = None,
    **more: ColumnMembers,
) -> AnswerFormat:
    """A table format. `more` sets members of single columns by the column's name."""
    columns = tuple(Column(name=name, type=(types or {}).get(name, "untyped"), **more.get(name, {})) for name in names)
    keys = None if sort is None else tuple(SortKey(column=name) for name in sort)
    return AnswerFormat(type="table", columns=columns, sort=keys)


def gold(*rows: Sequence[str], header: Sequence[str] = ()) -> AnswerVersion:
    """A gold answer of task t."""
    return AnswerVersion(
        task_id="t",
        task_version=1,
        version=1,
        valid_from="2026-01-01",
        header=tuple(header),
        rows=tuple(map(tuple, rows)),
    )


def reply(text: str, label: str = "tsv") -> str:
    """A reply as it should be, around a block."""
    return f"<answer>\n```{label}\n{text}\n```\n</answer>"


def page(
    text: str, url: str = "https://a.example/page", title: str = "A page", **more: Unpack[PageMembers]
) -> RecordedPage:
    """A recorded page that is in no store."""
    return RecordedPage(
        snapshot="s", text_sha=str(hash(text)), url=url, title=title, at="2026-01-01T00:00:00.000Z", text=text, seq=5,
        query=1, **more,
    )  # fmt: skip


def task(question: str, answer_format: AnswerFormat) -> Task:
    """A structured task t."""
    return Task(
        task_id="t",
        version=1,
        kind="structured",
        question=question,
        grading=Grading(method="answer_score"),
        answer_format=answer_format,
    )


def recording(store: PageStore, pages: Mapping[str, tuple[str, str]], query: str = "moons of saturn") -> Trajectory:
    """A clean search: one query, then one visit with a snapshot for each url -> (title, text)."""
    visits, shots = [], []
    for number, (url, (title, text)) in enumerate(pages.items(), start=1):
        at, seq = f"2026-01-01T00:00:{number:02d}.000Z", 2 * number
        sha = store.put(text.encode())
        snapshot = store.put_page(Page(url=url, captured_at=at, title=title, text_sha=sha))
        shots.append(
            Snapshot(id=snapshot, seq=seq + 1, at=at, url=url, title=title, trigger="load", text_sha=sha, visit=url)
        )
        visits.append(
            Visit(
                visit=url,
                seq=seq,
                at=at,
                url=url,
                kind="new",
                title=title,
                cause="click",
                reached_from=1,
                snapshots=(snapshot,),
            )
        )
    return Trajectory(
        id="r",
        task="t",
        actor=Actor(kind="script", name="tester"),
        started_at="2026-01-01T00:00:00.000Z",
        ended_at="2026-01-01T00:05:00.000Z",
        has_stop=True,
        queries=(Query(seq=1, at="2026-01-01T00:00:00.500Z", text=query, engine="google"),),
        visits=tuple(visits),
        snapshots=tuple(shots),
        last_seq=100,
    )


def page_store(folder: Path) -> PageStore:
    """An empty page store below a folder."""
    return PageStore(folder / "pages")
