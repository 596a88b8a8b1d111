"""The whole road, once: from a question nobody has written yet to a report, in one folder."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from browser_capture.chromium import require_chromium
from browser_capture.errors import IncompleteError
from exports.benchmark.reader import load_release
from exports.cli.root import run
from exports.demo import webs
from exports.demo.children import Child, Children
from exports.demo.demo_tasks import DemoTask, demo_tasks
from exports.demo.folder import DemoFolder, prepare_folder
from exports.demo.people.annotator import Annotator, Machine
from exports.demo.people.office import Account, open_office
from exports.demo.people.reviewer import Reviewer
from exports.demo.people.trouble import pictures_of_trouble
from exports.demo.web import DemoWeb
from exports.evaluation.results import load_results
from exports.evaluation.scores import RunScores

AGENTS = ("replay-human", "first-result", "silent")
PROJECT = "demo"
PEOPLE: Mapping[str, str] = {"annotator": "Ada", "reviewer": "Ben"}
"""Role -> first name of who has it."""

WEBS: Mapping[str, Callable[[], DemoWeb]] = {"own": webs.own, "real-docs": webs.real_documents}

REASON = "Read on its page cell by cell; a blank cell is a fact its page does not state."
SERVER_SECONDS = 60
INTERRUPTED = 130
"""Exit code of a command that was stopped by Ctrl-C."""

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
    steps = _Steps(tell)
    # What the machine may lack is asked for first: an earlier demo is replaced only by one that can be made.
    require_chromium()
    with WEBS[web_name]() as web:
        folder = prepare_folder(root)
        steps.done(f"a web of {len(web.engine.documents)} pages, with a search site in front of it")
        with Children(folder.logs) as children:
            accounts = _set_up_server(folder, children)
            server = children.start("server", "server", "run", "--home", str(folder.server), "--port", "0")
            url = server.wait_for_line("Serving ", SERVER_SECONDS).rpartition(" at ")[2].split()[0]
            steps.done(f"the annotation server at {url}")
            with open_office() as office, pictures_of_trouble("people", folder.logs, office.windows):
                machine = Machine(folder.capture, web.browser_arguments)
                annotator = Annotator(office, url, accounts[0], machine, children)
                public_ids = _annotate(annotator, demo_tasks(web_name.replace("-", "_")), steps)
                _review(Reviewer(office, url, accounts[1]), public_ids.values(), steps)
            scores = _evaluate(folder, steps)
            if keep:
                children.release(server)
    return DemoResult(folder, accounts, url, server if keep else None, public_ids, scores, steps.seconds)


class _Steps:
    """Says what is done and when."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def done(self, what: str) -> None:
        self._tell(f"{self.seconds:6.1f} s  {what}")


def _set_up_server(folder: DemoFolder, children: Children) -> tuple[Account, ...]:
    home = ("--home", str(folder.server))
    children.run("init", "server", "init", *home, "--project", PROJECT)
    # Side by side: each command spends most of its time loading the server's libraries.
    adding = {
        role: children.start(
            f"add-{role}", "server", "user", "add", email_of(name), "--role", role, "--name", name, *home, "--json"
        )
        for role, name in PEOPLE.items()
    }
    passwords = {role: json.loads(child.result())["password"] for role, child in adding.items()}
    return tuple(Account(name, email_of(name), passwords[role], role) for role, name in PEOPLE.items())


def email_of(name: str) -> str:
    """Return the address a person of the demo signs in with."""
    return f"{name.lower()}@demo.example"


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


def _evaluate(folder: DemoFolder, steps: _Steps) -> RunScores:
    release, runs = str(folder.release), str(folder.run)
    home = str(folder.server)
    _command(folder, "export", "release", "--server", home, "--project", PROJECT, "--name", PROJECT, "--out", release)
    steps.done("the approved tasks are a release")
    agents = [argument for agent in AGENTS for argument in ("--agent", agent)]
    _command(folder, "eval", "run", "--release", release, "--out", runs, *agents)
    steps.done(f"{', '.join(AGENTS)} ran on it")
    _command(folder, "eval", "report", runs, "--release", release, "--out", str(folder.report))
    steps.done("the report is written")
    return load_results(load_release(folder.release), [folder.run]).scores


def _command(folder: DemoFolder, *arguments: str) -> None:
    """Run a command in this process, its words into a log; a new process would load the same libraries again."""
    log = folder.logs / f"{'-'.join(arguments[:2])}.log"
    with log.open("w", encoding="utf-8") as words, redirect_stdout(words), redirect_stderr(words):
        code = run(arguments)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code:
        said = log.read_text(encoding="utf-8").strip()[-600:]
        raise IncompleteError(f"'trailbench {' '.join(arguments[:2])}' ended with {code}: {said} (all in {log})")
