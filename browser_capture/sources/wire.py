"""What the recorder needs of a browser. `browser.py` gives it over Playwright; tests may give it from a script.

Every call has a time limit: a page that is frozen, or shows a dialog, answers nothing and must stop nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol


class DomCall(NamedTuple):
    """A message of the in-page script and the frame it came from."""

    text: str
    is_main: bool
    frame_url: str
    handled: asyncio.Event | None = None
    """Set once what it says is written, or dropped for good."""
    is_own: bool = True
    """It comes from our script; a page that calls the recorder itself does not know its secret."""

    def done(self) -> None:
        """Say that nothing more comes of it."""
        if self.handled is not None:
            self.handled.set()


class Answer(NamedTuple):
    """An answer to a request for the main document of a tab."""

    tab: str
    url: str
    status: int | None
    mime: str
    length: int | None
    location: str | None
    chain: str
    """Requests that redirect to each other share it."""


class Cdp(Protocol):
    """A DevTools session of a tab or of the whole browser."""

    async def send(self, method: str, params: Mapping[str, Any] | None = None, *, seconds: float = 5) -> dict[str, Any]:
        """Call a method; raises WireError when it fails or takes longer."""
        ...

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Call `handler` for each event of this name, in order."""
        ...


class WireTab(Protocol):
    """A tab. `tab` is our own short name of it, `target` the browser's."""

    tab: str
    target: str

    @property
    def cdp(self) -> Cdp: ...

    @property
    def url(self) -> str: ...

    async def opener(self) -> str | None:
        """Return our name of the tab that opened this one, None when the browser does not say."""
        ...

    async def evaluate(self, script: str, argument: Any = None, *, seconds: float = 3) -> Any:
        """Run a function in the main frame; raises WireError."""
        ...


class Listener(Protocol):
    """Who is told what happens in the browser. None of these may wait."""

    def tab_opened(self, tab: WireTab, existed: bool) -> None: ...

    def tab_closed(self, tab: str) -> None: ...

    def dom_called(self, tab: str, call: DomCall) -> None: ...

    def document_answered(self, answer: Answer) -> None: ...

    def dialog_shown(self, tab: str, kind: str, url: str) -> None: ...

    def panel_called(self, text: str) -> None: ...

    def browser_gone(self) -> None: ...
