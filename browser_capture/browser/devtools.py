"""Playwright's calls with a time limit each and one kind of error: `WireError`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from browser_capture.errors import WireError


class PlaywrightCdp:
    """A DevTools session with a time limit on each call."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        answer = await in_time(self._session.send(method, dict(params or {})), method, seconds)
        return answer if isinstance(answer, dict) else {}

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        self._session.on(event, handler)


async def in_time(call: Any, what: str, seconds: float) -> Any:
    """Await a call of Playwright's; `what` names it. Raises WireError when it fails or takes longer."""
    try:
        # Not wait_for: that can swallow a cancellation which comes with the answer.
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError as error:
        raise WireError(f"{what}: no answer within {seconds:g} seconds") from error
    except PlaywrightError as error:
        raise WireError(f"{what}: {first_line(error)}") from error


def first_line(error: Exception) -> str:
    """Return what an error says in its first line; Playwright adds a log of calls."""
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__
