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


def json_option(command: F) -> F:
    """Give a command the option; its value is None, `-` or a file name."""
    return click.option(
        "--json", "json_to", is_flag=False, flag_value=STANDARD_OUTPUT, metavar="[FILE]", help="Write JSON instead."
    )(command)


def write_json(json_to: str, data: Any) -> None:
    """Write plain data to where the option says. Raises UserError when the file cannot be written."""
    text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)
    if json_to == STANDARD_OUTPUT:
        click.echo(text)
        return
    try:
        Path(json_to).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {json_to}: {error.strerror or error}") from error
