"""A small release made by hand: five pages, one task of each type, one page in Japanese; no browser, no server."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from browser_capture.json_records import sha256
from browser_capture.page_store import Page, PageStore
from browser_capture.trajectory import Actor, Click, Query, ResultPage, SearchResult, Snapshot, Trajectory, Visit
from exports.benchmark.manifest import ReleaseManifest
from exports.benchmark.release_content import ReleaseTaskContent
from exports.benchmark.writer import write_release
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.answers.answer_version import AnswerVersion, EvidenceLink
from verifier.tasks import Grading, Task

DAY = "2026-11-28"
NOON = f"{DAY}T12:00:00.000Z"
LIGHTS = "https://coast.example/lights"
LOW_SKERRY = "https://coast.example/lights/low-skerry"
PORTS = "https://ferries.example/ports"
PIERS = "https://ferries.example/piers"
MISAKI = "https://toudai.example/misaki"

TEXTS = {
    LIGHTS: "Lights of the coast\nName\tLit\tHeight\n"
    "Low Skerry\t1847\t31 m\nOuter Ness\t1811\t24 m\nTarn Head\t1902\t18 m",
    LOW_SKERRY: "Low Skerry light\nThe tower was begun in 1845 and lit on 3 May 1847.\nKeepers lived here until 1971.",
    PORTS: "Ports of call\nThe summer boat calls at four ports.\n"
    "Oban\nCraignure\nColl\nTiree\nTickets are sold on board.",
    PIERS: "Piers by age\nOldest first.\nSalen 1829\nCraignure 1894\nKennacraig 1976",
    MISAKI: "岬の灯台\n名称\t初点灯\n白浜岬灯台\t1912年\n青島灯台\t1935年\n灯台の年表は港の資料館にあります。",
}
TITLES = {url: text.splitlines()[0] for url, text in TEXTS.items()}

Cell = tuple[int, str, str, str, str]
"""Row, column, page, the line the cell stands in, the cell as the page says it."""


@dataclass(frozen=True)
class Search:
    """One recorded search: a query, and the pages opened from it in order."""

    query: str
    pages: tuple[str, ...]


def contents(store: PageStore) -> list[ReleaseTaskContent]:
    """Return the four tasks with their answers, recordings and pages; the pages are put into the store."""
    return [
        _content(
            store,
            Task(
                task_id="1-item",
                version=1,
                kind="structured",
                question="In which year was the Low Skerry light lit?",
                grading=Grading(method="answer_score"),
                answer_format=AnswerFormat(type="item", columns=(Column(name="Value", type="integer"),)),
            ),
            rows=(("1847",),),
            searches=(Search("low skerry light year lit", (LIGHTS, LOW_SKERRY)),),
            cells=((0, "Value", LOW_SKERRY, "lit on 3 May 1847.", "1847"),),
        ),
        _content(
            store,
            Task(
                task_id="2-set",
                version=1,
                kind="structured",
                question="At which ports does the summer boat call?",
                grading=Grading(method="answer_score"),
                answer_format=AnswerFormat(type="set", columns=(Column(name="Item", type="text"),)),
            ),
            rows=(("Oban",), ("Craignure",), ("Coll",), ("Tiree",)),
            searches=(Search("summer boat ports", (PORTS,)),),
            cells=tuple(
                (row, "Item", PORTS, name, name) for row, name in enumerate(("Oban", "Craignure", "Coll", "Tiree"))
            ),
        ),
        _content(
            store,
            Task(
                task_id="3-list",
                version=1,
                kind="structured",
                question="白浜岬灯台と青島灯台を初点灯の古い順に並べてください。",
                language="ja",
                grading=Grading(method="answer_score"),
                answer_format=AnswerFormat(type="list", columns=(Column(name="名称", type="text"),)),
            ),
            rows=(("白浜岬灯台",), ("青島灯台",)),
            searches=(Search("岬 灯台 初点灯", (MISAKI,)),),
            cells=(
                (0, "名称", MISAKI, "白浜岬灯台\t1912年", "白浜岬灯台"),
                (1, "名称", MISAKI, "青島灯台\t1935年", "青島灯台"),
            ),
        ),
        _content(
            store,
            Task(
                task_id="4-table",
                version=1,
                kind="structured",
                question="Which lights of the coast are listed, when were they lit, how high are they? Sort by year.",
                grading=Grading(method="answer_score"),
                answer_format=AnswerFormat(
                    type="table",
                    columns=(
                        Column(name="Name", type="text"),
                        Column(name="Lit", type="integer"),
                        Column(name="Height", type="text"),
                    ),
                    keys=("Name",),
                    sort=(SortKey(column="Lit", collation="number"),),
                ),
            ),
            rows=(("Outer Ness", "1811", "24 m"), ("Low Skerry", "1847", "31 m"), ("Tarn Head", "1902", "18 m")),
            searches=(Search("coast lights list", (LIGHTS,)), Search("low skerry keepers", (LOW_SKERRY,))),
            cells=tuple(
                (row, column, LIGHTS, line, quote)
                for row, line in enumerate(
                    ("Outer Ness\t1811\t24 m", "Low Skerry\t1847\t31 m", "Tarn Head\t1902\t18 m")
                )
                for column, quote in zip(("Name", "Lit", "Height"), line.split("\t"), strict=True)
            ),
        ),
    ]


def write(folder: Path, store: PageStore, changed: list[ReleaseTaskContent] | None = None) -> ReleaseManifest:
    """Write the release, or the same one with other contents."""
    return write_release(changed or contents(store), store, folder, name="small", project="coast", created_at=NOON)


def with_rows(content: ReleaseTaskContent, rows: tuple[tuple[str, ...], ...]) -> ReleaseTaskContent:
    """Return the task with another gold answer over the same evidence."""
    return replace(content, answers=(replace(content.answers[0], rows=rows),))


def put(store: PageStore, url: str, text: str | None = None, at: str = NOON) -> Snapshot:
    """Put a page into the store and return its snapshot, not yet part of a visit."""
    said = TEXTS[url] if text is None else text
    title = said.splitlines()[0] if said else ""
    page = Page(url=url, captured_at=at, title=title, text_sha=store.put(said.encode()), source="text")
    return Snapshot(id=store.put_page(page), seq=0, at=at, url=url, title=title, trigger="load", text_sha=page.text_sha)


def visits_of(snapshots: list[Snapshot]) -> tuple[Visit, ...]:
    """Return a visit for each snapshot, in order."""
    return tuple(
        Visit(visit=f"v{seq}", seq=seq, at=snapshot.at, url=snapshot.url, kind="new")
        for seq, snapshot in enumerate(snapshots, start=1)
    )


def recording(store: PageStore, task_id: str, searches: tuple[Search, ...], at: str = NOON) -> Trajectory:
    """Return a recording of searches; every query shows the pages opened from it, and the piers beside them."""
    parts = _Recording(store, at)
    for search in searches:
        parts.search(search)
    return Trajectory(
        id=f"rec-{task_id}-{at[:10]}",
        task=task_id,
        actor=Actor(kind="human", name="p-01"),
        started_at=at,
        ended_at=at,
        has_stop=True,
        queries=tuple(parts.queries),
        result_pages=tuple(parts.result_pages),
        clicks=tuple(parts.clicks),
        visits=tuple(parts.visits),
        snapshots=tuple(parts.snapshots),
        last_seq=parts.seq,
    )


class _Recording:
    def __init__(self, store: PageStore, at: str) -> None:
        self.store, self.at, self.seq = store, at, 0
        self.queries: list[Query] = []
        self.result_pages: list[ResultPage] = []
        self.clicks: list[Click] = []
        self.visits: list[Visit] = []
        self.snapshots: list[Snapshot] = []

    def search(self, search: Search) -> None:
        url = f"https://www.google.com/search?q={search.query.replace(' ', '+')}"
        visit, asked = self._visit(url, is_result_page=True), self._next()
        self.queries.append(Query(seq=asked, at=self.at, text=search.query, engine="google", visit=visit))
        shown = tuple(
            SearchResult(rank=rank, abs_rank=rank, title=TITLES[page], url=page, snippet=TEXTS[page][20:80])
            for rank, page in enumerate((*search.pages, PIERS), start=1)
        )
        snapshot = put(self.store, url, "\n".join([search.query, *(result.title for result in shown)]), self.at)
        self._keep(snapshot, visit)
        self.result_pages.append(
            ResultPage(
                seq=self._next(),
                at=self.at,
                query=asked,
                text=search.query,
                engine="google",
                status="ok",
                results=shown,
                visit=visit,
                snapshot=snapshot.id,
            )
        )
        for rank, page in enumerate(search.pages, start=1):
            self._open(url, page, asked, rank)

    def _open(self, result_page: str, page: str, asked: int, rank: int) -> None:
        clicked = self._next()
        visit = self._visit(page, reached_from=asked, cause="click", cause_seq=clicked)
        self.clicks.append(
            Click(
                seq=clicked,
                at=self.at,
                from_url=result_page,
                to_url=page,
                to_visit=visit,
                result_page=self.result_pages[-1].seq,
                rank=rank,
            )
        )
        self._keep(put(self.store, page, at=self.at), visit)

    def _visit(
        self,
        url: str,
        *,
        reached_from: int | None = None,
        cause: str = "unknown",
        cause_seq: int | None = None,
        is_result_page: bool = False,
    ) -> str:
        name = f"v{len(self.visits) + 1}"
        self.visits.append(
            Visit(
                visit=name,
                seq=self._next(),
                at=self.at,
                url=url,
                kind="new",
                cause=cause,
                cause_seq=cause_seq,
                reached_from=reached_from,
                is_result_page=is_result_page,
            )
        )
        return name

    def _keep(self, snapshot: Snapshot, visit: str) -> None:
        self.snapshots.append(replace(snapshot, seq=self._next(), visit=visit))

    def _next(self) -> int:
        self.seq += 1
        return self.seq


def _content(
    store: PageStore,
    task: Task,
    rows: tuple[tuple[str, ...], ...],
    searches: tuple[Search, ...],
    cells: tuple[Cell, ...],
) -> ReleaseTaskContent:
    trajectory = recording(store, task.task_id, searches)
    snapshots = {snapshot.url: snapshot for snapshot in trajectory.snapshots}
    assert task.answer_format is not None
    answer = AnswerVersion(
        task_id=task.task_id,
        task_version=1,
        version=1,
        valid_from=DAY,
        header=task.answer_format.header,
        rows=rows,
        evidence=tuple(_link(snapshots[page], row, column, line, quote) for row, column, page, line, quote in cells),
        author="p-01",
        trajectory=trajectory.id,
    )
    return ReleaseTaskContent(task=task, answers=(answer,), trajectories=(trajectory,))


def _link(snapshot: Snapshot, row: int, column: str, line: str, quote: str) -> EvidenceLink:
    text = TEXTS[snapshot.url]
    start = text.index(line) + line.index(quote)
    end = start + len(quote)
    return EvidenceLink(
        row=row,
        column=column,
        quote=quote,
        url=snapshot.url,
        snapshot=snapshot.id,
        text_sha=sha256(text),
        start=start,
        end=end,
        prefix=text[max(0, start - 20) : start],
        suffix=text[end : end + 20],
    )
