"""`trailbench capture`: pair this machine, record a search, send what is left. Parses arguments and calls one thing."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from browser_capture.cli.asking import asked
from browser_capture.cli.doctor import doctor
from browser_capture.cli.forget import forget
from browser_capture.cli.inspect import inspect
from browser_capture.cli.jotting import jot, send_kept
from browser_capture.cli.json_output import JsonLines, json_lines_option, json_option, write_json
from browser_capture.cli.parse_serp import parse_serp
from browser_capture.cli.plain import counted
from browser_capture.cli.recording import Wishes, record, resume
from browser_capture.cli.sending import Outcome, next_steps, pair, send_all, waiting
from browser_capture.errors import IncompleteError
from browser_capture.folders import capture_home
from browser_capture.jots import Jots

_home = click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of this machine's pairing, profile and recordings.  [env: TRAILBENCH_CAPTURE_HOME]",
)


_RECORDING_OPTIONS = (
    click.option("--server", help="Server to record for; the paired one if left out."),
    _home,
    click.option("--browser", type=click.Path(path_type=Path), help="Chromium, Chrome or Edge to use."),
    click.option("--headless", is_flag=True, help="Without a window, for scripts."),
    click.option("--browser-arg", "browser_args", multiple=True, help="One more argument for the browser."),
    click.option("--actor-script", metavar="NAME", help="Record that a script searches, and its name."),
    click.option("--show-devtools", is_flag=True, help="Print the browser's DevTools address."),
    json_lines_option,
)


@click.group(epilog="Example: trailbench capture start TASK")
@click.option("-v", "--verbose", is_flag=True, help="Say what the recorder does.")
def capture(verbose: bool) -> None:
    """Record a search in a real browser and hand it to the annotation server.

    In the order of a first day: doctor looks whether this machine is fit, login pairs it, start records a task, inspect
    shows what is sent, forget takes back, status shows what waits, upload sends it, resume goes on with what was cut
    short.

    Exit codes: 0 done, 2 what was asked for cannot be done so, 3 incomplete (a server, the network or the disk:
    nothing is lost, give the command again), 4 a check said no (doctor found a failure, inspect --search the word), 130
    interrupted.
    """
    level = logging.INFO if verbose else logging.ERROR
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx2").setLevel(logging.WARNING)


@capture.command(
    short_help="Pair this machine with a server.",
    epilog="Example: trailbench capture login http://127.0.0.1:8085 --code 4821-7730",
)
@click.argument("server")
@click.option("--code", help="One-time code of the server's page; asked for if left out.")
@_home
@json_option
def login(server: str, code: str | None, home: Path | None, json_to: str | None) -> None:
    """Pair this machine with SERVER, by the one-time code of its page "Pair a machine".

    The JSON says server, user and project; the token stays in the home folder. Pairing again replaces the one before.
    """
    if code is None:
        code = asked(lambda: str(click.prompt("Code from the server's page", err=True)), "--code")
    paired = asyncio.run(pair(capture_home(home), server, code))
    if json_to is not None:
        write_json(json_to, {"server": paired.server, "user": paired.user, "project": paired.project})
        return
    click.echo(f"Paired with {paired.server} as {paired.user}. Next: trailbench capture start TASK")


def _recording_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command what starting and resuming have in common; it arrives as one `Wishes`."""

    @functools.wraps(command)
    def gathered(
        server: str | None,
        home: Path | None,
        browser: Path | None,
        headless: bool,
        browser_args: tuple[str, ...],
        actor_script: str | None,
        show_devtools: bool,
        json_lines: JsonLines | None,
        **rest: Any,
    ) -> None:
        wishes = Wishes(
            home=capture_home(home),
            server=server,
            browser=browser,
            headless=headless,
            browser_args=browser_args,
            actor_script=actor_script,
            show_devtools=show_devtools,
            json_lines=json_lines,
        )
        command(wishes=wishes, **rest)

    made: Callable[..., None] = gathered
    for option in reversed(_RECORDING_OPTIONS):
        made = option(made)
    return made


@capture.command(short_help="Record a task.", epilog="Example: trailbench capture start Q-142")
@click.argument("task")
@click.option("--new", "anew", is_flag=True, help="Begin another recording even if one of TASK was cut short.")
@_recording_options
def start(task: str, anew: bool, wishes: Wishes) -> None:
    """Open the browser with its panel and record TASK from Start to Stop.

    Stop sends what is still here at once. Closing the browser is a Stop too; so is Ctrl-C here, which does not wait for
    that: what has not left stays for upload. A recording of TASK that was cut short goes on.
    """
    record(wishes, task, anew=anew)


@capture.command(
    "resume", short_help="Go on with a recording that was cut short.", epilog="Example: trailbench capture resume"
)
@click.argument("session", required=False)
@_recording_options
def resume_command(session: str | None, wishes: Wishes) -> None:
    """Go on with a recording that was cut short, in the browser that still runs or in a new one.

    SESSION stands in `trailbench capture status`; it may be left out where only one was cut short.
    """
    resume(wishes, session)


@capture.command(
    "jot", short_help="Jot questions down before any task.", epilog="Example: trailbench capture jot Science"
)
@click.argument("topic", default="")
@_recording_options
def jot_command(topic: str, wishes: Wishes) -> None:
    """Look around before any task and jot down the questions that come up, with page and quote.

    Alt+J in a page takes it. Nothing else is recorded. Each jot waits on the server as a seed of one question; while
    the server is away it is kept here. TOPIC chooses the start sites; the panel names the others.
    """
    jot(wishes, topic)


@capture.command(short_help="Send what waits on this machine.", epilog="Example: trailbench capture upload")
@_home
@click.option(
    "--tries", type=click.IntRange(min=1), default=5, show_default=True, help="How often to ask a server that is away."
)
@json_option
def upload(home: Path | None, tries: int, json_to: str | None) -> None:
    """Send recordings and jots that are still on this machine. A recording that was cut short is ended by that.

    Each is deleted here only when the server has confirmed that it holds the same. Leaves with 3 when one has to stay
    because the server is away or somebody still works on it, with 2 when one cannot be sent as it is.
    """
    outcomes = list[Outcome]()

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if json_to is None:
            click.echo(outcome.sentence())

    jots = asyncio.run(send_kept(capture_home(home)))
    if json_to is None:
        for line in jots.sentences():
            click.echo(line)
    try:
        asyncio.run(send_all(capture_home(home), tries=tries, tell=tell))
    finally:
        if json_to is not None:
            write_json(json_to, {"recordings": [outcome._asdict() for outcome in outcomes], "jots": jots._asdict()})
        elif outcomes:
            sent = sum(outcome.state == "complete" for outcome in outcomes)
            click.echo(f"{counted(sent, 'recording')} sent.")
    if json_to is None and not outcomes:
        click.echo("No recording waits on this machine.")
    for line in next_steps(capture_home(home), outcomes) if json_to is None else ():
        click.echo(line)
    if jots.waiting:
        raise IncompleteError(jots.problem or "a jotted question stays on this machine")


@capture.command(short_help="Show what waits on this machine.", epilog="Example: trailbench capture status")
@_home
@json_option
def status(home: Path | None, json_to: str | None) -> None:
    """Show the pairing and the recordings that wait on this machine, the one written to last at the end.

    A recording is empty, being recorded, being sent, interrupted (cut short), or waits to be sent.
    """
    found, jots = waiting(capture_home(home)), len(Jots(capture_home(home)).waiting())
    if json_to is not None:
        write_json(json_to, {**found.as_data(), "jots": jots})
        return
    for line in found.sentences():
        click.echo(line)
    if jots:
        click.echo(f"{counted(jots, 'jotted question')} to be sent: trailbench capture upload")


capture.add_command(doctor)
capture.add_command(forget)
capture.add_command(inspect)
capture.add_command(parse_serp)
