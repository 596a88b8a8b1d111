"""`trailbench`: names each command group as a text and loads it only when it is asked for.

Every error of ours leaves as one sentence on standard error and an exit code: 0 done, 1 our fault, 2 the user's
mistake, 3 incomplete, 4 a check failed, 130 interrupted. A place that cannot be written or a full disk is such a
sentence too; any other error that nobody foresaw is our fault and keeps its traceback.
"""

from __future__ import annotations

import errno
import importlib
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from browser_capture.errors import IncompleteError, TrailbenchError, UserError
from browser_capture.version import VERSION


class Group(NamedTuple):
    """Where a command group is found, the extra it needs, and its line in the help."""

    module: str
    attribute: str
    extra: str | None
    help: str


GROUPS: Mapping[str, Group] = {
    "capture": Group("browser_capture.cli.capture", "capture", None, "Record a search in a real browser."),
    "verify": Group("verifier.cli.verify", "verify", "server", "Check tasks: shape, evidence, memorization."),
    "score": Group("verifier.cli.score", "score", None, "Score predictions, and explain a score."),
    "server": Group("annotator_server.commands.server", "server", "server", "Run the annotation server."),
    "export": Group("exports.cli.export", "export", "all", "Write and check releases."),
    "web": Group("exports.cli.web", "web", "eval", "Search and serve a release's recorded web."),
    "eval": Group("exports.cli.eval", "evaluate", "eval", "Run agents on a release and report."),
    "demo": Group("exports.cli.demo", "demo", "all", "Drive one task through the whole suite."),
}


class LazyGroups(click.Group):
    """A click group whose members are imported when they are used, so that help stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(GROUPS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        group = GROUPS.get(cmd_name)
        if group is None:
            return None
        try:
            command = getattr(importlib.import_module(group.module), group.attribute)
        except ModuleNotFoundError as error:
            if group.extra is None or error.name is None or error.name.partition(".")[0] in _OWN_PACKAGES:
                raise
            raise click.ClickException(
                f"'trailbench {cmd_name}' needs the module {error.name}, which is not installed. "
                f"Install it with: pip install 'trailbench[{group.extra}]'"
            ) from error
        assert isinstance(command, click.Command)  # noqa: S101
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, group.help) for name, group in GROUPS.items()])


_FULL = {errno.ENOSPC, errno.EDQUOT}
_UNUSABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG}
_OWN_PACKAGES = {"browser_capture", "verifier", "annotator_server", "exports"}


@click.group(cls=LazyGroups, epilog="Example: trailbench demo")
@click.version_option(VERSION, message="trailbench %(version)s")
def trailbench() -> None:
    """Record how people search the web, make a benchmark of it, and run search agents against it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave the process with its exit code. A polite kill ends it the way Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors of ours become one sentence on standard error."""
    try:
        result = trailbench.main(
            args=None if arguments is None else list(arguments), prog_name="trailbench", standalone_mode=False
        )
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code if isinstance(error, click.UsageError) else 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted. What was saved so far is kept.", err=True)
        return 130
    except TrailbenchError as error:
        return _say(error)
    except OSError as error:
        if (ours := _about_a_place(error)) is None:
            raise
        return _say(ours)
    return result if isinstance(result, int) else 0


def _say(error: TrailbenchError) -> int:
    click.echo(f"Error: {error}", err=True)
    return error.exit_code


def _about_a_place(error: OSError) -> TrailbenchError | None:
    if error.errno in _FULL:
        return IncompleteError(f"the disk is full ({error}); make room and give the same command again")
    if error.errno in _UNUSABLE and error.filename is not None:
        return UserError(f"cannot use {error.filename}: {error.strerror}; name another place, or ask for access to it")
    return None
