"""The reviewer: opens the queue, looks at each answer beside its evidence, approves it in the form."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from browser_capture.errors import IncompleteError
from exports.demo.people.office import Account, Office, sign_in

CHECK_SECONDS = 60
"""How long the verification of an answer may take."""


class Reviewer:
    """A scripted reviewer at the server `server`, signed in."""

    def __init__(self, office: Office, server: str, account: Account) -> None:
        self._server = server
        self._page = sign_in(office, server, account)

    def approve(self, public_id: str, reason: str) -> None:
        """Open an answer from the queue, wait for its check, look at a cell, approve.

        `reason` is written down where cells stand without clear evidence. Raises IncompleteError when the answer
        cannot be approved; the message holds what the page says.
        """
        self._open(public_id)
        self._page.locator("a.cell").first.click()
        self._press_approve()
        if not self._is_back_at_queue():
            self._page.locator("#comment").fill(reason)
            self._press_approve()
        if not self._is_back_at_queue():
            said = self._page.locator("[role=alert]").first.inner_text()
            raise IncompleteError(f"The answer of {public_id} could not be approved: {said}")

    def _open(self, public_id: str) -> None:
        self._page.goto(f"{self._server}/reviews")
        self._page.locator(f"a.row-link[href$='/{public_id}']").click()
        self._wait_for_check(public_id)

    def _press_approve(self) -> None:
        with self._page.expect_navigation():
            self._page.locator("#approve").click()

    def _is_back_at_queue(self) -> bool:
        return urlsplit(self._page.url).path == "/reviews"

    def _wait_for_check(self, public_id: str) -> None:
        deadline = time.monotonic() + CHECK_SECONDS
        while not self._page.locator("#approve").count():
            if time.monotonic() > deadline:
                raise IncompleteError(f"The answer of {public_id} was not checked within {CHECK_SECONDS} s.")
            self._page.wait_for_timeout(200)
            self._page.reload()
