"""A path comes in; a person's real input in a browser's tabs goes out, one step after the other."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page

from browser_capture.urls import strict_key
from exports.demo.demo_tasks import Step
from exports.demo.web import SEARCH_HOST

READING_SECONDS = 0.4
"""How long a page is looked at, so that it is seen whole: loaded, quiet, and kept by the recorder."""

_SEARCH_BOX = "input[name=q]"
_WAIT_MS = 20_000


class Walker:
    """A person in front of a browser window; `tabs` are the tabs they have open, the last one in front."""

    def __init__(self, context: BrowserContext, tab: Page, reading_seconds: float = READING_SECONDS) -> None:
        self._context = context
        self._reading_ms = reading_seconds * 1000
        self.tabs = [tab]

    @property
    def tab(self) -> Page:
        """The tab in front."""
        return self.tabs[-1]

    def walk(self, step: Step) -> None:
        """Do one step and look at where it led. Playwright's errors pass through: a path that fails is a bug."""
        doing: dict[str, Callable[[Step], object]] = {
            "search": self._search,
            "click": self._click,
            "open_tab": self._open_tab,
            "close_tab": self._close_tab,
            "back": lambda _: self.tab.go_back(wait_until="commit"),
            "reload": lambda _: self.tab.reload(),
            "type_address": lambda step: self.tab.goto(step.text),
        }
        doing[step.do](step)
        # A page that comes back from the browser's cache is not loaded again: its state tells, no event does.
        self.tab.wait_for_url(
            lambda url: strict_key(url) == strict_key(step.url), wait_until="commit", timeout=_WAIT_MS
        )
        self.tab.wait_for_function("document.readyState === 'complete'", timeout=_WAIT_MS)
        if step.shows:
            self.tab.get_by_text(step.shows).first.wait_for(timeout=_WAIT_MS)
        self.tab.wait_for_timeout(self._reading_ms)

    def _search(self, step: Step) -> None:
        if not self.tab.locator(_SEARCH_BOX).count():
            self.tab.goto(f"https://{SEARCH_HOST}/")
        box = self.tab.locator(_SEARCH_BOX)
        box.click(click_count=3)  # marks what stands in the box, so that typing replaces it
        box.press_sequentially(step.text, delay=4)
        box.press("Enter")

    def _click(self, step: Step) -> None:
        self._link(step.text).click(timeout=_WAIT_MS)

    def _open_tab(self, step: Step) -> None:
        with self._context.expect_page(timeout=_WAIT_MS) as opened:
            self._link(step.text).click(modifiers=["ControlOrMeta"], timeout=_WAIT_MS)
        self.tabs.append(opened.value)
        self.tab.bring_to_front()

    def _close_tab(self, step: Step) -> None:
        self.tabs.pop().close()
        self.tab.bring_to_front()

    def _link(self, text: str) -> Locator:
        """Find the link a person would click: the visible one that reads so, else the first that begins so."""
        links = self.tab.locator("a:visible")
        links.first.wait_for(timeout=_WAIT_MS)
        exact = links.filter(has_text=re.compile(rf"^\s*{re.escape(text)}\s*$"))
        begins = links.filter(has_text=re.compile(rf"^\s*{re.escape(text)}"))
        return exact.first if exact.count() else begins.first
