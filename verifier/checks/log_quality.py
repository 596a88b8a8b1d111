"""Is the recording one clean search: begun before searching, ended after it, nothing missing, nothing unrelated.

Q1 and Q2 of the quality checks of GISA, and what a recorder can miss. Each finding points at an event by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise
from urllib.parse import urlsplit

from browser_capture.banned import banned_place
from browser_capture.missing import missing_from
from browser_capture.page_store import PageStore
from browser_capture.policy import Policy
from browser_capture.trajectory import Trajectory, Visit
from verifier.checks.check_result import CheckResult, Finding
from verifier.checks.verdicts import count, result
from verifier.evidence.folded_text import fold_needle

CHECK, VERSION = "log_quality", "2"

DEFAULT_POLICY = Policy()
LONG_GAP_MINUTES = 20
"""A pause this long without a pause event is worth a look."""

OTHER_ENGINES = (
    "bing.com", "duckduckgo.com", "baidu.com", "yandex.com", "yandex.ru", "search.yahoo.com", "ecosia.org",
    "startpage.com", "search.brave.com", "kagi.com", "qwant.com", "sogou.com", "so.com", "naver.com",
)  # fmt: skip

_NOTICE_SEVERITY = {"policy": "fail", "other_engine": "fail", "model_host": "fail", "ai_summary_copied": "fail"}
_WORD = re.compile(r"\w{3,}")


def check_log(
    trajectory: Trajectory,
    store: PageStore | None = None,
    *,
    about: Iterable[str] = (),
    policy: Policy = DEFAULT_POLICY,
) -> CheckResult:
    """Check a recording by the project's policy.

    `about` is the question and the answer's cells: pages and queries share words with them.
    """
    words = _words(about)
    findings = [
        *_start(trajectory),
        *_stop(trajectory),
        *_engines(trajectory, policy),
        *_unrelated(trajectory, words),
        *_notices(trajectory),
        *_snapshots(trajectory, store),
        *_clock(trajectory),
    ]
    figures = {
        "queries": float(len(trajectory.queries)),
        "visits": float(len(_pages(trajectory))),
        "snapshots": float(len(trajectory.snapshots)),
        "missing": float(sum(len(notices) for notices in missing_from(trajectory).values())),
    }
    queries, pages = count(len(trajectory.queries), "query", "queries"), count(len(_pages(trajectory)), "page", "pages")
    passed = f"one clean search: {queries}, {pages}"
    return result(CHECK, VERSION, findings, passed, figures)


def _start(trajectory: Trajectory) -> Iterator[Finding]:
    if not trajectory.queries:
        yield Finding(code="no_query", message="the recording holds no query", severity="fail")
    first = min((query.seq for query in trajectory.queries), default=None)
    for page in trajectory.result_pages:
        if page.query is None and (first is None or page.seq < first):
            message = f"a result page for {page.text!r} was open before any query was recorded"
            yield Finding(code="search_before_start", message=message, severity="fail", event=page.seq)
    engines = _engine_hosts(trajectory)
    for visit in _pages(trajectory):
        if visit.reached_from is None and (first is None or visit.seq < first) and _host(visit.url) not in engines:
            message = f"{visit.url} was open before the first query"
            yield Finding(code="page_before_query", message=message, severity="fail", event=visit.seq, url=visit.url)


def _stop(trajectory: Trajectory) -> Iterator[Finding]:
    if not trajectory.has_stop:
        yield Finding(code="missing_stop", message="the recording was never stopped", severity="fail")
        return
    for seq, at, what in _entries(trajectory):
        if trajectory.ended_at is not None and _moment(at) > _moment(trajectory.ended_at):
            message = f"{what} after the recording was stopped"
            yield Finding(code="after_stop", message=message, severity="warn", event=seq)


def _engines(trajectory: Trajectory, policy: Policy) -> Iterator[Finding]:
    allowed = policy.allowed_engines
    # What the recorder noted itself is told once, with its own words.
    told = {(notice.kind, notice.url) for notice in trajectory.notices}
    address = {visit.visit: visit.url for visit in trajectory.visits}
    for query in trajectory.queries:
        if query.engine not in allowed and ("other_engine", address.get(query.visit or "")) not in told:
            message = f"the query {query.text!r} went to {query.engine}, allowed: {', '.join(allowed)}"
            yield Finding(code="other_engine", message=message, severity="fail", event=query.seq)
    for visit in trajectory.visits:
        host = _host(visit.url)
        engine = next((one for one in OTHER_ENGINES if host == one or host.endswith(f".{one}")), None)
        is_other = engine is not None and not visit.is_result_page and not set(engine.split(".")) & set(allowed)
        is_model = banned_place(visit.url, policy.banned_hosts) is not None
        for code, found in (("other_engine", is_other), ("model_host", is_model)):
            if found and (code, visit.url) not in told:
                message = f"{host} was visited; only the allowed search engine may be used, and no language model"
                yield Finding(code=code, message=message, severity="fail", event=visit.seq, url=visit.url)


def _unrelated(trajectory: Trajectory, words: frozenset[str]) -> Iterator[Finding]:
    if not words:
        return
    known = set(words)
    titles = sorted((visit.seq, visit.title) for visit in trajectory.visits)
    for query in trajectory.queries:
        # What was read before may give the next query its words.
        known |= _words(title for seq, title in titles if seq < query.seq)
        said = _words([query.text])
        # A query in another script shares no words with anything; only a person can judge it.
        if said and not said & known and _is_latin(said) == _is_latin(known):
            message = f"the query {query.text!r} shares no word with the question, the answer or the pages before it"
            yield Finding(code="unrelated_query", message=message, event=query.seq)
    for visit in _pages(trajectory):
        if visit.reached_from is None and not _words([visit.title, visit.url]) & words:
            if _host(visit.url) in _engine_hosts(trajectory):
                continue
            message = f"{visit.url} was not reached from a query and shares no word with the task"
            yield Finding(code="unrelated_visit", message=message, event=visit.seq, url=visit.url)


def _notices(trajectory: Trajectory) -> Iterator[Finding]:
    for notice in trajectory.notices:
        message = f"{notice.kind}: {notice.detail}" if notice.detail else notice.kind
        grave = _NOTICE_SEVERITY.get(notice.kind) == "fail"
        yield Finding(
            code=notice.kind, message=message, severity="fail" if grave else "warn", event=notice.seq, url=notice.url
        )
    for page in trajectory.result_pages:
        if page.status in ("suspect", "interstitial"):
            message = f"the result page for {page.text!r} is {page.status}"
            yield Finding(code="result_page", message=message, event=page.seq)
        if page.blocks.get("ai_overview"):
            message = f"the result page for {page.text!r} showed an AI summary; it may not be used"
            yield Finding(code="ai_summary", message=message, severity="info", event=page.seq)


def _snapshots(trajectory: Trajectory, store: PageStore | None) -> Iterator[Finding]:
    with_snapshot = {shot.visit for shot in trajectory.snapshots}
    for visit in _pages(trajectory):
        if (
            not visit.snapshots
            and visit.visit not in with_snapshot
            and _host(visit.url) not in _engine_hosts(trajectory)
        ):
            message = f"{visit.url} was visited but not kept"
            yield Finding(code="missing_snapshot", message=message, event=visit.seq, url=visit.url)
    for shot in trajectory.snapshots:
        if store is not None and not (store.has(shot.id) and store.has(shot.text_sha)):
            message = f"the snapshot of {shot.url} is not in the page store"
            yield Finding(code="missing_blob", message=message, severity="fail", event=shot.seq, url=shot.url)


def _clock(trajectory: Trajectory) -> Iterator[Finding]:
    for (_, before, _), (seq, at, _) in pairwise(_entries(trajectory)):
        minutes = (_moment(at) - _moment(before)).total_seconds() / 60
        if minutes < 0:
            message = f"the clock went back by {-minutes:.1f} minutes"
            yield Finding(code="clock_jump", message=message, event=seq)
        elif minutes > LONG_GAP_MINUTES:
            yield Finding(code="long_gap", message=f"{minutes:.0f} minutes without an event", event=seq)


def _pages(trajectory: Trajectory) -> list[Visit]:
    web = ("http://", "https://")
    return [visit for visit in trajectory.visits if not visit.is_result_page and visit.url.startswith(web)]


def _entries(trajectory: Trajectory) -> list[tuple[int, str, str]]:
    entries = [(query.seq, query.at, f"the query {query.text!r}") for query in trajectory.queries]
    entries += [(visit.seq, visit.at, f"a visit to {visit.url}") for visit in trajectory.visits]
    return sorted(entries)


def _engine_hosts(trajectory: Trajectory) -> frozenset[str]:
    # The engine's own start page belongs to searching.
    return frozenset(_host(visit.url) for visit in trajectory.visits if visit.is_result_page)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at)


def _is_latin(words: Iterable[str]) -> bool:
    signs = "".join(words)
    return sum(sign.isascii() for sign in signs) * 2 >= len(signs)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(fold_needle(text)))
