"""`--json [FILE]`, the same for every command: what a command found as JSON, on standard output or in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from browser_capture.errors import UserError

F = TypeVar("F", bound=Callable[..., Any])
STANDARD_OUTPUT = "-"


class JsonLines:
    """Writes one JSON object a line while a command runs. What an earlier run left in the file goes first."""

    def __init__(self, json_to: str) -> None:
        self._json_to = json_to
        if json_to != STANDARD_OUTPUT:
            _write(json_to, "", "w")

    def write(self, data: Any) -> None:
        """Write one line, at once. Raises UserError when the file cannot be written."""
        line = json.dumps(data, sort_keys=True)
        if self._json_to == STANDARD_OUTPUT:
            click.echo(line)
        else:
            _write(self._json_to, line + "\n", "a")


def json_option(command: F) -> F:
    """Give a command the option; its value is None, `-` or a file name."""
    return click.option(
        "--json", "json_to", is_flag=False, flag_value=STANDARD_OUTPUT, metavar="[FILE]", help="Write JSON instead."
    )(command)


def json_lines_option(command: F) -> F:
    """Give a command that speaks more than once the option; its value is None or a `JsonLines`.

    The file is opened before the command does anything: what may be said only once is not lost to a wrong folder.
    """
    return click.option(
        "--json",
        "json_lines",
        is_flag=False,
        flag_value=STANDARD_OUTPUT,
        metavar="[FILE]",
        callback=lambda _context, _option, json_to: None if json_to is None else JsonLines(json_to),
        help="Write JSON instead, one object a line.",
    )(command)


def write_json(json_to: str, data: Any) -> None:
    """Write plain data to where the option says: a file whole or not at all.

    A half of a sign, which no encoding has, is written as its JSON escape. Raises UserError when the file cannot be
    written.
    """
    if json_to == STANDARD_OUTPUT:
        text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)
        click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))
        return
    try:
        if Path(json_to).exists() and not Path(json_to).is_file():
            _dump(Path(json_to), data)  # A pipe or a device has no place beside it.
        else:
            # A link keeps leading to its file: the new one takes the place of what it leads to.
            _dump_whole(Path(json_to).resolve(), data)
    except OSError as error:
        raise UserError(f"cannot write {json_to}: {error.strerror or error}") from error


def _dump_whole(path: Path, data: Any) -> None:
    new = path.with_name(f".{path.name}.new")
    try:
        _dump(new, data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _dump(path: Path, data: Any) -> None:
    # Written as it is made: the text of a long run is never in memory as a whole.
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        json.dump(data, file, indent=2, sort_keys=True, ensure_ascii=False)
        file.write("\n")


def _write(path: str, text: str, mode: str) -> None:
    try:
        with Path(path).open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from error
