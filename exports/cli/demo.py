"""`trailbench demo`: the whole suite at work, on a web that comes with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from browser_capture.cli.json_output import json_option, write_json
from browser_capture.json_records import to_json
from exports.cli.score_table import print_scores
from exports.demo.run import WEBS, DemoResult, run_demo


@click.command(epilog="Example: trailbench demo --web real-docs --keep")
@click.option("--web", type=click.Choice([*WEBS]), default="own", show_default=True, help="Which pages are searched.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("trailbench-demo"),
    show_default=True,
    help="Everything is made in here; an earlier demo in it is replaced.",
)
@click.option("--keep", is_flag=True, help="Leave the server running.")
@json_option
def demo(web: str, folder: Path, keep: bool, json_to: str | None) -> None:
    """Write questions, search and be recorded, check, approve, release, run agents, report.

    A scripted annotator searches in a real browser and a scripted reviewer approves in the real form. Nothing leaves
    this machine; with real-docs, three Debian packages are fetched once.
    """
    result = run_demo(web, folder.absolute(), keep=keep, tell=lambda line: click.echo(line, err=json_to is not None))
    if json_to is not None:
        write_json(json_to, _as_data(result))
        return
    click.echo()
    print_scores(result.scores)
    for line in _where_everything_is(result):
        click.echo(line)


def _where_everything_is(result: DemoResult) -> list[str]:
    folder = result.folder
    lines = [
        "",
        f"Report    {folder.report}",
        f"Release   {folder.release}",
        f"Attempts  {folder.run}",
        f"Server    {folder.server}",
        f"Logs      {folder.logs}",
        "",
    ]
    if result.server is None:
        lines.append(f"To look:  trailbench server run --home {folder.server}   then sign in as")
    else:
        lines.append(f"To look:  {result.server_url}   sign in as")
    width = max(len(account.email) for account in result.accounts)
    lines += [f"  {one.email:<{width}}  {one.password}  ({one.role})" for one in result.accounts]
    if result.server is not None:
        lines += ["", f"The server runs on. End it with: {_end_command(result.server.pid)}"]
    return [*lines, "", f"Done in {result.seconds:.0f} s."]


def _end_command(pid: int) -> str:
    return f"taskkill /T /PID {pid}" if sys.platform == "win32" else f"kill {pid}"


def _as_data(result: DemoResult) -> dict[str, Any]:
    return {
        "folder": str(result.folder.root),
        "report": str(result.folder.report),
        "release": str(result.folder.release),
        "server": {"url": result.server_url, "pid": result.server.pid if result.server else None},
        "accounts": [account._asdict() for account in result.accounts],
        "tasks": dict(result.public_ids),
        "scores": to_json(result.scores),
        "seconds": round(result.seconds, 1),
    }
