"""Asks the person at the terminal; where nobody sits at one, the option that answers beforehand is named instead."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from browser_capture.errors import UserError

T = TypeVar("T")


def asked(ask: Callable[[], T], option: str) -> T:
    """Return the answer to a question of click's. Raises UserError when the input ends without one and is no terminal.

    At a terminal the end of input is the person's own wish, as Ctrl-C is: click.Abort goes on.
    """
    try:
        return ask()
    except click.Abort as error:
        if isinstance(error.__context__, EOFError) and not sys.stdin.isatty():
            raise UserError(f"nobody is here to answer: there is no terminal; give {option}") from error
        raise
