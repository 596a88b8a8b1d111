"""The network's answers to the requests of main documents, of the first document of a new tab too.

They come from Playwright's own events. DevTools' `Fetch` would tell the same and give bodies, but then every request of
every page goes through the browser's main process, whatever the pattern says: a page of 79 requests took 1.2 to 1.6
times as long, with these events 1.0 (`benchmarks/capture.py`). And no page ever waits for the recorder here.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from browser_capture.sources.documents import answer_from
from browser_capture.sources.wire import Answer

_WAITING = 50

Tell = Callable[[Page, Answer], None]


class DocumentAnswers:
    """Tells the answers for main documents while it watches. `name_of` gives our name of a page."""

    def __init__(self, context: BrowserContext, name_of: Callable[[Page], str], tell: Tell) -> None:
        self._context = context
        self._name_of = name_of
        self._tell = tell
        self._is_watching = False
        self._waiting: list[Response] = []
        self._chains: WeakKeyDictionary[Request, str] = WeakKeyDictionary()
        _leave_out_parts(context)

    def watch(self, *, watch: bool) -> None:
        """Watch from now on, or no more."""
        if watch == self._is_watching:
            return
        self._is_watching = watch
        if watch:
            self._context.on("response", self._on_response)
        else:
            self._context.remove_listener("response", self._on_response)
            self._waiting.clear()

    def met(self) -> None:
        """Tell what came for a tab before the tab itself, now that one more is there."""
        waiting, self._waiting = self._waiting, []
        for response in waiting:
            self._on_response(response)

    def _on_response(self, response: Response) -> None:
        request = response.request
        if not request.is_navigation_request():
            return
        try:
            frame = request.frame
        except PlaywrightError:
            # Its tab is not there yet.
            self._waiting = [*self._waiting, response][-_WAITING:]
            return
        if frame.parent_frame is None:
            tab, chain = self._name_of(frame.page), self._chain_of(request)
            self._tell(frame.page, answer_from(tab, response.url, response.status, response.headers, chain))

    def _chain_of(self, request: Request) -> str:
        while request.redirected_from is not None:
            request = request.redirected_from
        return self._chains.setdefault(request, secrets.token_hex(6))


def _leave_out_parts(context: BrowserContext) -> None:
    """Keep Playwright from subscribing to the answers for pictures and styles when somebody listens.

    Its driver tells the answers to navigations without that. With it, it tells all, and 12 kB stay here for each of the
    last ten thousand requests (measured). No public call listens without subscribing; where a later Playwright has no
    such table, everything comes and is left out one by one.
    """
    table = getattr(getattr(context, "_impl_obj", None), "_event_to_subscription_mapping", None)
    if isinstance(table, dict):
        table.pop("response", None)
