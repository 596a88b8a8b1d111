"""The whole road, once: from a question nobody has written yet to a report, in one folder."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exports.benchmark.reader import load_release
from exports.demo import webs
from exports.demo.children import Child, Children
from exports.demo.demo_tasks import DemoTask, demo_tasks
from exports.demo.folder import DemoFolder, prepare_folder
from exports.demo.people.annotator import Annotator, Machine
from exports.demo.people.office import Account, open_office
from exports.demo.people.reviewer import Reviewer
from exports.demo.web import DemoWeb
from exports.evaluation.results import load_results
from exports.evaluation.scores import RunScores

AGENTS = ("replay-human", "first-result", "silent")
PROJECT = "demo"
PEOPLE: Mapping[str, str] = {"annotator": "Ada", "reviewer": "Ben", "maintainer": "Cleo"}
"""Role -> first name of who has it."""

WEBS: Mapping[str, Callable[[], DemoWeb]] = {"own": webs.own, "real-docs": webs.real_documents}

REASON = "Read on its page cell by cell; a blank cell is a fact its page does not state."
SERVER_SECONDS = 60

Tell = Callable[[str], None]


class DemoResult(NamedTuple):
    """What a demo made. `server` is the process that was left running, None where none was."""

    folder: DemoFolder
    accounts: tuple[Account, ...]
    server_url: str
    server: Child | None
    public_ids: Mapping[str, str]
    """The demo's name of a task -> the id the server gave it."""
    scores: RunScores
    seconds: float


def run_demo(web_name: str, root: Path, *, keep: bool = False, tell: Tell = lambda line: None) -> DemoResult:
    """Drive every task of a web through the whole suite and return where everything is.

    `tell` gets a line a step. With `keep` the server goes on after us. Raises UserError for a folder that is not ours,
    a missing browser or missing documents, IncompleteError where a part failed; its children are ended in any case.
    """
    start = time.monotonic()
    folder = prepare_folder(root)
    steps = _Steps(tell, start)
    with WEBS[web_name]() as web, Children(folder.logs) as children:
        steps.done(f"a web of {len(web.engine.documents)} pages, with a search site in front of it")
        accounts = _set_up_server(folder, children)
        server = children.start("server", "server", "run", "--home", str(folder.server), "--port", "0")
        url = server.wait_for_line("Serving ", SERVER_SECONDS).rpartition(" at ")[2].split()[0]
        steps.done(f"the annotation server at {url}")
        with open_office() as office:
            machine = Machine(folder.capture, web.browser_arguments)
            annotator = Annotator(office, url, accounts[0], machine, children)
            public_ids = _annotate(annotator, demo_tasks(web_name.replace("-", "_")), steps)
            _review(Reviewer(office, url, accounts[1]), public_ids.values(), steps)
        scores = _evaluate(folder, children, steps)
        if keep:
            children.release(server)
    return DemoResult(folder, accounts, url, server if keep else None, public_ids, scores, time.monotonic() - start)


class _Steps:
    """Says what is done and when."""

    def __init__(self, tell: Tell, start: float) -> None:
        self._tell = tell
        self._start = start

    def done(self, what: str) -> None:
        self._tell(f"{time.monotonic() - self._start:6.1f} s  {what}")


def _set_up_server(folder: DemoFolder, children: Children) -> tuple[Account, ...]:
    home = str(folder.server)
    children.run("init", "server", "init", "--home", home, "--project", PROJECT)
    return tuple(_add_person(role, name, home, children) for role, name in PEOPLE.items())


def _add_person(role: str, name: str, home: str, children: Children) -> Account:
    email = f"{name.lower()}@demo.example"
    said = children.run(
        f"add-{role}", "server", "user", "add", email, "--role", role, "--name", name, "--home", home, "--json"
    )
    return Account(name, email, json.loads(said)["password"], role)


def _annotate(annotator: Annotator, tasks: Sequence[DemoTask], steps: _Steps) -> dict[str, str]:
    annotator.pair()
    steps.done("the annotator's machine is paired")
    public_ids = {}
    for demo in tasks:
        public_id = annotator.write_question(demo)
        annotator.claim(public_id)
        annotator.record(public_id, demo)
        public_ids[demo.task.task_id] = public_id
        steps.done(f"{public_id} ({demo.task.task_id}): written, searched in {len(demo.path)} steps, handed in")
    return public_ids


def _review(reviewer: Reviewer, public_ids: Iterable[str], steps: _Steps) -> None:
    for public_id in public_ids:
        reviewer.approve(public_id, REASON)
    steps.done("the reviewer approved every answer")


def _evaluate(folder: DemoFolder, children: Children, steps: _Steps) -> RunScores:
    release = str(folder.release)
    children.run(
        "export",
        "export",
        "release",
        "--server",
        str(folder.server),
        "--project",
        PROJECT,
        "--name",
        PROJECT,
        "--out",
        release,
    )
    steps.done("the approved tasks are a release")
    agents = [argument for agent in AGENTS for argument in ("--agent", agent)]
    children.run("eval-run", "eval", "run", "--release", release, "--out", str(folder.run), *agents)
    steps.done(f"{', '.join(AGENTS)} ran on it")
    children.run("eval-report", "eval", "report", str(folder.run), "--release", release, "--out", str(folder.report))
    steps.done("the report is written")
    return load_results(load_release(folder.release), [folder.run]).scores
