"""A trajectory as a film-strip: a step for each query, result page, visit and mark, in the order of events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from annotator_server.clock import from_iso, iso
from browser_capture.trajectory import Download, Trajectory, Visit

Kind = Literal["jot", "start", "query", "results", "page", "mark", "notice", "stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A picture of the strip. `snapshots` are the page's recorded states, by which evidence finds its step."""

    seq: int
    at: str
    kind: Kind
    title: str
    detail: str = ""
    url: str = ""
    snapshots: tuple[str, ...] = ()


class Jotted(NamedTuple):
    """Where and when a question came to mind."""

    at: datetime
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """How often a search touched the project's rules in one way; `seq` is the first time, by its step."""

    words: str
    count: int
    seq: int
    is_breach: bool = True


_RULES: Mapping[str, str] = {
    "model_host": "Banned page",
    "other_engine": "Other engine",
    "ai_summary_copied": "Copied from AI summary",
    "ai_summary_expanded": "AI summary opened",
}
_NAMED = frozenset({"model_host", "other_engine"})
"""Rules whose detail is a name worth reading in the chip."""


def policy_chips(trajectory: Trajectory) -> tuple[Chip, ...]:
    """Return what of the project's rules was touched, the gravest first; summaries that were only seen come last."""
    found: dict[tuple[str, str], list[int]] = {}
    for notice in trajectory.notices:
        if notice.kind in _RULES:
            name = notice.detail if notice.kind in _NAMED else ""
            found.setdefault((notice.kind, name), []).append(notice.seq)
    order = list(_RULES)
    chips = [
        Chip(words=f"{_RULES[kind]}{': ' if name else ''}{name[:60]}", count=len(seqs), seq=min(seqs))
        for (kind, name), seqs in sorted(found.items(), key=lambda item: (order.index(item[0][0]), min(item[1])))
    ]
    # A page that was read again, or brought back, showed its summary once.
    seen: dict[object, int] = {}
    for page in trajectory.result_pages:
        if page.blocks.get("ai_overview"):
            seen.setdefault(page.visit or page.seq, page.seq)
    if seen:
        chips.append(Chip(words="AI summary seen", count=len(seen), seq=min(seen.values()), is_breach=False))
    return tuple(chips)


def film_strip(trajectory: Trajectory, jotted: Jotted | None = None) -> tuple[Step, ...]:
    """Return the steps of a search, from Start to Stop; before them what the question began with, if it was jotted."""
    steps = [_jot_step(trajectory, jotted)] if jotted is not None else []
    steps.append(Step(seq=0, at=trajectory.started_at, kind="start", title="Start"))
    steps += [
        Step(seq=query.seq, at=query.at, kind="query", title=query.text, detail=_how(query.how, query.start))
        for query in trajectory.queries
    ]
    steps += [
        Step(
            seq=page.seq,
            at=page.at,
            kind="results",
            title=f"{len(page.results)} {'result' if len(page.results) == 1 else 'results'}",
            detail=page.status if page.status != "ok" else "",
            snapshots=(page.snapshot,) if page.snapshot else (),
        )
        for page in trajectory.result_pages
    ]
    steps += [_visit_step(trajectory, visit) for visit in trajectory.visits if not visit.is_result_page]
    steps += [Step(seq=mark.seq, at=mark.at, kind="mark", title=f"“{mark.quote[:80]}”") for mark in trajectory.marks]
    steps += [
        Step(seq=notice.seq, at=notice.at, kind="notice", title=_notice_title(notice.kind), detail=notice.detail)
        for notice in trajectory.notices
    ]
    steps += [_download_step(download) for download in trajectory.downloads]
    if trajectory.has_stop and trajectory.ended_at is not None:
        steps.append(Step(seq=trajectory.last_seq + 1, at=trajectory.ended_at, kind="stop", title="Stop"))
    return tuple(sorted(steps, key=lambda step: step.seq))


def _jot_step(trajectory: Trajectory, jotted: Jotted) -> Step:
    first = min((query.at for query in trajectory.queries), default=None)
    is_late = first is not None and from_iso(first) <= jotted.at
    late = "after the first query" if is_late else ""
    return Step(seq=-1, at=iso(jotted.at), kind="jot", title=jotted.title or "Jotted", detail=late, url=jotted.url)


def _download_step(download: Download) -> Step:
    snapshots = (download.snapshot,) if download.snapshot else ()
    state = "" if download.state == "completed" else f" ({download.state})"
    title, name = "download", f"{download.name}{state}"
    return Step(seq=download.seq, at=download.at, kind="notice", title=title, detail=name, snapshots=snapshots)


def _visit_step(trajectory: Trajectory, visit: Visit) -> Step:
    click = next((click for click in trajectory.clicks if click.seq == visit.cause_seq), None)
    how = {"address_bar": "typed address", "history": visit.kind, "reload": "reload"}.get(visit.cause, "")
    if click is not None and click.rank is not None:
        how = f"result {click.rank}"
    return Step(
        seq=visit.seq,
        at=visit.at,
        kind="page",
        title=visit.title or urlsplit(visit.url).path.rpartition("/")[2] or visit.url,
        detail=how,
        url=visit.url,
        snapshots=visit.snapshots,
    )


def _notice_title(kind: str) -> str:
    return _RULES.get(kind) or kind.replace("_", " ").capitalize()


def _how(how: str, start: int) -> str:
    words = {"address_bar": "typed in the address bar", "suggestion": "suggestion", "related": "related search"}
    return f"from result {start + 1}" if start else words.get(how, "")
