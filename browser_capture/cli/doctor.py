"""`trailbench capture doctor`: whether this machine is fit to record, and how to mend what is not."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from browser_capture.checkup import Check, check_up
from browser_capture.checkup_browser import BrowserTrial
from browser_capture.checkup_machine import (
    check_disk,
    check_display,
    check_fonts,
    check_leftovers,
    check_recordings,
)
from browser_capture.checkup_server import check_server
from browser_capture.cli.json_output import json_option, write_json
from browser_capture.cli.plain import counted, plain
from browser_capture.errors import CheckFailed
from browser_capture.findings import Finding, worst
from browser_capture.folders import capture_home

SOMETHING_FAILS = CheckFailed.exit_code
"""Exit code when a check says that recording will not work."""
_CLOSING = {
    "ok": "This machine is ready to record.",
    "warn": "This machine can record; look at the {warnings} above.",
    "fail": "This machine is not ready to record: mend the {failures} above, then run doctor again.",
}


@click.command(
    "doctor", short_help="See whether this machine is fit to record.", epilog="Example: trailbench capture doctor"
)
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of this machine's pairing, profile and recordings.  [env: TRAILBENCH_CAPTURE_HOME]",
)
@click.option("--server", help="Server to ask; the paired one if left out.")
@click.option("--browser", type=click.Path(path_type=Path), help="Chromium, Chrome or Edge to try.")
@click.option("--browser-arg", "browser_args", multiple=True, help="One more argument for the browser.")
@json_option
def doctor(
    home: Path | None, server: str | None, browser: Path | None, browser_args: tuple[str, ...], json_to: str | None
) -> None:
    """Check browser, display, server, clock, disk and what earlier recordings left, and say how to mend each.

    Nothing is changed. It takes a few seconds; each check has a deadline of its own.

    Leaves with 0 when all is well or worth a warning, with 4 when something would keep you from recording.
    """
    began = time.monotonic()
    where = capture_home(home)
    trial = BrowserTrial(where, browser, browser_args)
    findings = list[Finding]()
    try:
        for finding in check_up(_checks(where, server, trial), _say_check if json_to is None else lambda check: None):
            findings.append(finding)
            if json_to is None:
                _say(finding)
    finally:
        trial.end()
    verdict = worst(findings)
    if json_to is not None:
        seconds = round(time.monotonic() - began, 2)
        data = [finding._asdict() for finding in findings]
        write_json(json_to, {"verdict": verdict, "findings": data, "seconds": seconds})
    else:
        click.echo(_closing(findings))
    if verdict == "fail":
        raise click.exceptions.Exit(SOMETHING_FAILS)


def _checks(home: Path, server: str | None, trial: BrowserTrial) -> Sequence[Check]:
    return (
        Check("disk", "writing to the disk", 4, partial(check_disk, home)),
        Check("browser", "starting the browser and attaching to it", 9.5, trial.run),
        Check("display", "looking for a display", 3, check_display),
        Check("fonts", "looking for fonts", 6, check_fonts),
        Check("server", "asking the annotation server", 6, partial(check_server, home, server)),
        Check("recorders", "looking for what recorders left", 5, partial(check_leftovers, home)),
        Check("recordings", "reading the recordings that wait", 8, partial(check_recordings, home)),
    )


def _say_check(check: Check) -> None:
    click.echo(f"... {check.doing}", err=True)


def _say(finding: Finding) -> None:
    click.echo(f"{finding.verdict:<5}{finding.name}: {plain(finding.found, 500)}")
    if finding.expected and finding.verdict != "ok":
        click.echo(f"     expected: {plain(finding.expected)}")
    if finding.mend:
        click.echo(f"     to mend: {plain(finding.mend, 500)}")


def _closing(findings: Sequence[Finding]) -> str:
    verdicts = [finding.verdict for finding in findings]
    warnings, failures = counted(verdicts.count("warn"), "warning"), counted(verdicts.count("fail"), "failure")
    return _CLOSING[worst(findings)].format(warnings=warnings, failures=failures)
