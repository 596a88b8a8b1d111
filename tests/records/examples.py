"""A passing record of every schema, and ways to break it. The three systems of the mission stand among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from browser_capture.events import Event
from browser_capture.json_records import Record
from browser_capture.page_store import Page, PageLink, PagePart
from browser_capture.trajectory import (
    Actor,
    Click,
    Mark,
    Notice,
    Query,
    ResultPage,
    SearchResult,
    Snapshot,
    Trajectory,
    Visit,
)
from exports.benchmark.manifest import ReleaseFile, ReleaseManifest, ReleaseTask
from exports.evaluation.plan import PlannedAgent, RunPlan
from exports.evaluation.scores import AgentScores, AttemptScores, Figure, RunScores, TypeScores
from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.answers.answer_version import AnswerVersion, EvidenceLink
from verifier.attempts.attempt import Attempt, AttemptKey, Call, Grade, Turn, Usage
from verifier.checks.check_result import CheckResult, Finding
from verifier.graphs import Graph, Node, Triple
from verifier.report import CellEvidence, Passage, VerificationReport
from verifier.tasks import Grading, Persona, Stage, Task

SHA = "0" * 64
NOON = "2026-11-30T12:00:00.000Z"
RANGE = "https://atlas.example/lights/range"


class Example(NamedTuple):
    """A record that fits its schema, and a change of its JSON that must be refused."""

    record: Record
    spoil: Callable[[dict[str, Any]], None]


def _set(*path: str | int, to: object) -> Callable[[dict[str, Any]], None]:
    def spoil(data: dict[str, Any]) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return spoil


def _drop(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.pop(name)


GISA_TASK = Task(
    task_id="142",
    version=2,
    kind="structured",
    question="Which lighthouses of the Skerry coast were built before 1850? Sort by year, then by name.",
    grading=Grading(method="answer_score"),
    topic="Geography",
    temporal="live",
    cadence_days=30,
    answer_format=AnswerFormat(
        type="table",
        columns=(Column(name="Name", type="text"), Column(name="Built", type="date", date_format="YYYY")),
        keys=("Name",),
        sort=(SortKey(column="Built", collation="number"), SortKey(column="Name")),
    ),
    source={"benchmark": "own", "seed_url": RANGE},
    canary="trailbench:0c6f",
)
PERSONA_TASK = Task(
    task_id="task_901",
    version=1,
    kind="persona",
    question="Find bicycle bells under 40 euros that fit a 31.8 mm bar, with their makers and where they are made.",
    grading=Grading(method="graph_score", rubric="coverage", version="3"),
    persona=Persona(
        initial_query="I am looking for a bell for my bike.",
        text="# Who you are\nA commuter of about forty.",
        stages=(
            Stage(stage_id="1", trigger="opening", line="It should cost less than 40 euros."),
            Stage(stage_id="2", trigger="asked_about", about="the handlebar", line="The bar is 31.8 mm thick."),
        ),
        user_queries=("bells under 40 euros", "that fit 31.8 mm"),
    ),
    source={"benchmark": "VibeSearchBench", "subset": "daily"},
)
PROVIDER_TASK = Task(
    task_id="dsqa-17",
    version=1,
    kind="open",
    question="Which three ports did the survey ship call at in 1911?",
    grading=Grading(method="rubric", rubric="set-of-facts"),
    source={"benchmark": "DeepSearchQA", "split": "eval"},
)

TRAJECTORY = Trajectory(
    id="s-1",
    task="142",
    actor=Actor(kind="human", name="p-07"),
    started_at=NOON,
    ended_at=NOON,
    has_stop=True,
    queries=(Query(seq=4, at=NOON, text="skerry lighthouses built", engine="google", visit="v1", locale={"hl": "en"}),),
    result_pages=(
        ResultPage(
            seq=5,
            at=NOON,
            query=4,
            text="skerry lighthouses built",
            engine="google",
            status="ok",
            results=(SearchResult(rank=1, abs_rank=1, title="Lights", url=RANGE, snippet="The lights of ..."),),
            blocks={"ads": 1},
            parser_version="1",
            visit="v1",
        ),
    ),
    clicks=(Click(seq=6, at=NOON, from_url="http://www.google.com/", to_url=RANGE, result_page=5, rank=1),),
    visits=(Visit(visit="v2", seq=7, at=NOON, url=RANGE, kind="new", cause="click", cause_seq=6, reached_from=4),),
    snapshots=(Snapshot(id=SHA, seq=8, at=NOON, url=RANGE, title="Lights", trigger="load", text_sha=SHA, visit="v2"),),
    marks=(Mark(seq=9, at=NOON, quote="1847", url=RANGE, snapshot=SHA),),
    notices=(Notice(seq=10, at=NOON, kind="ai_overview_seen"),),
    last_seq=11,
)
ANSWER = AnswerVersion(
    task_id="142",
    task_version=2,
    version=1,
    valid_from="2026-11-30",
    header=("Name", "Built"),
    rows=(("Low Skerry", "1847"),),
    evidence=(
        EvidenceLink(row=0, column="Built", quote="1847", url=RANGE, snapshot=SHA, text_sha=SHA, start=31, end=35),
    ),
    author="p-07",
)
REPORT = VerificationReport(
    task_id="142",
    task_version=2,
    answer_version=1,
    trajectory="s-1",
    created_at=NOON,
    verifier_version="1",
    verdict="warn",
    checks=(
        CheckResult(
            check="solvability",
            version="1",
            verdict="warn",
            summary="1 of 2 cells has a passage",
            findings=(Finding(code="unsupported", message="no page says Low Skerry", row=0, column="Name"),),
            figures={"score": 0.5},
        ),
    ),
    cells=(
        CellEvidence(
            row=0,
            column="Built",
            value="1847",
            state="proven",
            passages=(
                Passage(
                    snapshot=SHA,
                    text_sha=SHA,
                    url=RANGE,
                    title="Lights",
                    at=NOON,
                    start=31,
                    end=35,
                    quote="1847",
                    prefix="built in ",
                    suffix=".",
                    how="exact",
                    score=1.0,
                    query=4,
                ),
            ),
        ),
    ),
)
GISA_ATTEMPT = Attempt(
    attempt_id="a1",
    run_id="r1",
    key=AttemptKey(task_id="142", task_version=2, agent="react", model="m", provider="recorded", web=SHA),
    started_at=NOON,
    ended_at=NOON,
    as_of="2026-11-30",
    outcome="scored",
    stop_reason="answer",
    reply="<answer>...</answer>",
    calls=(Call(seq=1, at=NOON, kind="search", arguments={"query": "skerry"}, matched="exact", ms=0.4),),
    trajectory=TRAJECTORY,
    usage=Usage(input=900, output=80),
    usd="0.0031",
    answer_version=1,
    grades=(Grade(profile="strict", version="1", metrics={"global_em": 1.0}),),
)
PERSONA_ATTEMPT = Attempt(
    attempt_id="a2",
    run_id="r1",
    key=AttemptKey(task_id="task_901", task_version=1, agent="react", epoch=3),
    started_at=NOON,
    ended_at=NOON,
    as_of="2026-11-30",
    outcome="scored",
    stop_reason="done",
    reply='[{"head": "Ping", "relation": "made_in", "tail": "Kiel"}]',
    calls=(Call(seq=1, at=NOON, kind="simulator", turn=1), Call(seq=2, at=NOON, kind="judge", ok=False, error="late")),
    dialogue=(
        Turn(role="user", text="I am looking for a bell for my bike."),
        Turn(role="agent", text="How thick is the handlebar?"),
        Turn(role="user", text="The bar is 31.8 mm thick.", stage="2"),
    ),
    grades=(Grade(profile="graph", version="3", status="unscored", reason="the judge's reply could not be read"),),
)
PROVIDER_ATTEMPT = Attempt(
    attempt_id="a3",
    run_id="r2",
    key=AttemptKey(
        task_id="dsqa-17",
        task_version=1,
        agent="react",
        agent_config={"constants_hash": SHA, "turns": 25},
        model="m",
        provider="tavily-basic",
        web="live",
    ),
    started_at=NOON,
    ended_at=NOON,
    as_of="2026-11-30",
    outcome="infrastructure_failure",
    stop_reason="error",
    error="search provider answered 503 eight times",
    calls=(Call(seq=1, at=NOON, kind="search", name="web_search", ms=412.5, ok=False, error="503", usd=None),),
)

NOTHING_RIGHT = Figure(mean=0.0, low=None, high=None, n=1)

EXAMPLES: dict[str, Example] = {
    "event": Example(
        Event(
            session="s-1",
            seq=4,
            type="query",
            src="nav",
            t_wall=1_796_040_000_000,
            t_mono=5210,
            task="142",
            url="http://www.google.com/search?q=skerry",
            prev=SHA,
            data={"engine": "google", "q": "skerry", "how": "box", "start": 0},
        ),
        _set("data", "how", to="telepathy"),
    ),
    "page": Example(
        Page(
            url=RANGE,
            captured_at=NOON,
            title="Lights",
            text_sha=SHA,
            root=SHA,
            parts=(PagePart(sha=SHA, mime="text/html", bytes=812),),
            links=(PageLink(url=RANGE, text="Lights"),),
        ),
        _set("source", to="film"),
    ),
    "trajectory": Example(TRAJECTORY, _set("queries", 0, "text", to=7)),
    "task (structured)": Example(GISA_TASK, _set("answer_format", "type", to="essay")),
    "task (persona)": Example(PERSONA_TASK, _set("persona", "stages", 0, "trigger", to="whim")),
    "task (open)": Example(PROVIDER_TASK, _set("grading", to=None)),
    "answer": Example(ANSWER, _set("rows", to=["Low Skerry"])),
    "answer (graph)": Example(
        AnswerVersion(
            task_id="task_901",
            task_version=1,
            version=1,
            valid_from="2026-11-30",
            graph=Graph(
                nodes=(Node(node_id="n1", name="Ping"), Node(node_id="n2", name="Kiel")),
                triples=(Triple(head_id="n1", relation="made_in", tail_id="n2", stage_ids=("1",)),),
            ),
        ),
        _set("graph", "triples", 0, "kind", to="rumour"),
    ),
    "report": Example(REPORT, _set("cells", 0, "state", to="maybe")),
    "attempt (structured)": Example(GISA_ATTEMPT, _set("outcome", to="lost")),
    "attempt (persona)": Example(PERSONA_ATTEMPT, _set("dialogue", 0, "role", to="narrator")),
    "attempt (provider swap)": Example(PROVIDER_ATTEMPT, _set("usd", to=0.1)),
    "release_manifest": Example(
        ReleaseManifest(
            name="lights-1",
            release_id=SHA,
            created_at=NOON,
            trailbench="0.1.0",
            project="lights",
            files=(ReleaseFile(path="tasks.jsonl", sha256=SHA, bytes=900, records=1),),
            tasks=(ReleaseTask(task_id="142", version=2, answers=(1,), type="table", temporal="live"),),
        ),
        _drop("files"),
    ),
    "run": Example(
        RunPlan(
            run_id="0123456789abcdef",
            release="lights-1",
            release_id=SHA,
            agents=(PlannedAgent(name="silent", budget=0, config={"version": "1"}),),
            tasks=("142",),
            epochs=1,
            deadline_s=1800.0,
        ),
        _set("agents", 0, "budget", to="plenty"),
    ),
    "scores": Example(
        RunScores(
            release="lights-1",
            release_id=SHA,
            runs=("0123456789abcdef",),
            profile="strict",
            profile_version="1",
            agents=(
                AgentScores(
                    agent="silent",
                    planned=1,
                    scored=0,
                    agent_failed=1,
                    infrastructure_failed=0,
                    missing=0,
                    exact=NOTHING_RIGHT,
                    partial=NOTHING_RIGHT,
                    bounds=(0.0, 0.0),
                    calls=0.0,
                    faults={"no_answer": 1},
                    by_type={"table": TypeScores(tasks=1, exact=NOTHING_RIGHT, metrics={"global_em": 0.0})},
                ),
            ),
            attempts=(
                AttemptScores(
                    attempt_id="a" * 32,
                    agent="silent",
                    task_id="142",
                    epoch=0,
                    type="table",
                    as_of="2026-11-30",
                    answer_version=1,
                    outcome="agent_failure",
                    stop_reason="no_answer",
                    calls=0,
                    metrics={"global_em": 0.0},
                    faults=("no_answer",),
                ),
            ),
        ),
        _set("agents", 0, "bounds", to=[0.0]),
    ),
}
