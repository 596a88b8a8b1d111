"""Things that come one by one go through unchanged; who waits long sees on standard error how many came."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

BAR_AFTER_S = 1.0


def with_bar(
    items: Iterable[Item], total: int, what: str, *, clock: Callable[[], float] = time.monotonic
) -> Iterator[Item]:
    """Yield the items. After a second a bar shows at a terminal; it goes when all came or when the caller stops."""
    started = clock()
    came = 0
    iterator = iter(items)
    for item in iterator:
        came += 1
        yield item
        if clock() - started > BAR_AFTER_S:
            break
    else:
        return
    # Loaded only for those who wait.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        line = bar.add_task(what, total=total, completed=came)
        for item in iterator:
            bar.advance(line)
            yield item
