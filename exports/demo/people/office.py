"""The browser people use for the server's pages: not recorded, one window a person."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

from browser_capture.chromium import require_chromium
from browser_capture.chromium_fetch import is_root
from browser_capture.errors import BrowserNotFound

WAIT_MS = 20_000


class Account(NamedTuple):
    """How a person signs in."""

    name: str
    email: str
    password: str
    role: str


class Office(NamedTuple):
    """A running Playwright and the browser for forms."""

    playwright: Playwright
    browser: Browser

    def windows(self) -> list[Page]:
        """Return every open window."""
        return [page for context in self.browser.contexts for page in context.pages]


@contextmanager
def open_office() -> Iterator[Office]:
    """Start the browser for forms; ended on leaving. Raises BrowserNotFound when there is none."""
    chromium = require_chromium()
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=str(chromium.path),
                args=["--no-sandbox", "--disable-dev-shm-usage"] if is_root() else [],
                env={**os.environ, **chromium.environment},
            )
        except Error as error:
            raise BrowserNotFound(f"{chromium.path} could not be started: {error.message.splitlines()[0]}") from error
        try:
            yield Office(playwright, browser)
        finally:
            browser.close()


def sign_in(office: Office, server: str, account: Account) -> Page:
    """Return a window in which the person is signed in."""
    page = office.browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{server}/sign-in")
    page.get_by_label("E-mail").fill(account.email)
    page.get_by_label("Password").fill(account.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{server}/")
    return page
