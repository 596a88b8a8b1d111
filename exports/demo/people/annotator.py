"""The annotator: writes a question, refines it, claims it, searches while being recorded, hands the answer in."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from browser_capture.errors import IncompleteError
from exports.demo.children import Child, Children
from exports.demo.demo_tasks import DemoTask
from exports.demo.people.copying import Copyist
from exports.demo.people.office import WAIT_MS, Account, Office, sign_in
from exports.demo.people.trouble import pictures_of_trouble
from exports.demo.people.walking import Walker
from verifier.answers.answer_format import Column, SortKey

BROWSER_SECONDS = 30
UPLOAD_MS = 30_000


class Machine(NamedTuple):
    """The annotator's own machine: where capture keeps its things, and the arguments its browser needs."""

    home: Path
    browser_arguments: Sequence[str]


class Annotator:
    """A scripted annotator at the server `server`, signed in."""

    def __init__(self, office: Office, server: str, account: Account, machine: Machine, children: Children) -> None:
        self._office = office
        self._server = server
        self._machine = machine
        self._children = children
        self._name = account.name
        self._page = sign_in(office, server, account)

    def pair(self) -> None:
        """Pair the machine: show a code on the server's page, type it into the command."""
        self._page.goto(f"{self._server}/account/pair")
        self._page.get_by_role("button", name="Show code").click()
        code = self._page.locator("#code").inner_text().strip()
        self._children.run("login", "capture", "login", self._server, "--code", code, "--home", str(self._machine.home))

    def write_question(self, demo: DemoTask) -> str:
        """Jot the question down, refine it to its full form, mark it ready, and return the id the server gave it."""
        page = self._page
        page.goto(f"{self._server}/questions/new")
        page.locator("#text").fill(first_sentence(demo.task.question))
        self._choose_type(demo)
        page.get_by_role("button", name="Save draft").click()
        page.wait_for_url(re.compile(r"/questions/[^/]+/edit"))
        page.locator("#text").fill(demo.task.question)
        self._fill_format(demo)
        page.locator("#topic").fill(demo.task.topic)
        page.locator("#language").fill(demo.task.language)
        page.locator("#seed_url").fill(demo.task.source.get("seed", ""))
        page.get_by_role("button", name="Mark ready").click()
        page.get_by_role("button", name="Claim").wait_for()
        return urlsplit(page.url).path.rpartition("/")[2]

    def claim(self, public_id: str) -> None:
        """Claim the question on its page."""
        self._page.goto(f"{self._server}/questions/{public_id}")
        self._page.get_by_role("button", name="Claim").click()
        self._page.locator("#capture-command").wait_for()

    def record(self, public_id: str, demo: DemoTask) -> None:
        """Search in the capture browser from Start to Stop, copying on the way; hand the answer in, close it."""
        child = self._start_capture(public_id)
        browser = self._office.playwright.chromium.connect_over_cdp(child.wait_for_line("DevTools:", BROWSER_SECONDS))
        with pictures_of_trouble("annotator", self._children.logs, lambda: browser.contexts[0].pages):
            self._search(browser, demo)
        browser.new_browser_cdp_session().send("Browser.close")
        child.wait(BROWSER_SECONDS)

    def _search(self, browser: Browser, demo: DemoTask) -> None:
        panel, tab = self._windows(browser)
        panel.locator("#start").click()
        panel.locator("#stop:not([disabled])").wait_for(timeout=WAIT_MS)
        walker, copyist = Walker(browser.contexts[0], tab), Copyist(panel, demo)
        for step in demo.path:
            walker.walk(step)
            copyist.copy_from(walker.tab)
        self._type_the_rest(panel, demo.gold_csv.decode("utf-8"))
        panel.locator("#stop").click()
        # Submit wakes up once the server holds the whole recording.
        panel.locator("#submit:not([disabled])").click(timeout=UPLOAD_MS)
        panel.get_by_text("is handed in").wait_for(timeout=UPLOAD_MS)

    def _type_the_rest(self, panel: Page, answer: str) -> None:
        panel.bring_to_front()
        panel.locator("#as-text").click()
        panel.keyboard.press("ControlOrMeta+a")
        panel.keyboard.insert_text(answer)
        # What was pasted finds its rows among the typed ones.
        panel.locator("#as-grid").click()
        panel.locator("#grid").wait_for(timeout=WAIT_MS)

    def _start_capture(self, public_id: str) -> Child:
        return self._children.start(
            f"capture-{public_id}",
            *("capture", "start", public_id, "--home", str(self._machine.home), "--headless", "--show-devtools"),
            *("--json", "--actor-script", self._name),
            *(f"--browser-arg={argument}" for argument in self._machine.browser_arguments),
        )

    def _windows(self, browser: Browser) -> tuple[Page, Page]:
        """Return the panel and the window to search in. Raises IncompleteError when the panel does not come."""
        pages = browser.contexts[0].pages
        deadline = time.monotonic() + BROWSER_SECONDS
        while not (panel := next((page for page in pages if page.url.startswith(f"{self._server}/panel/")), None)):
            if time.monotonic() > deadline:
                raise IncompleteError(
                    f"The server's panel did not open; the windows are {[page.url for page in pages]}"
                )
            pages[0].wait_for_timeout(100)
            pages = browser.contexts[0].pages
        panel.locator("#start:not([disabled])").wait_for(timeout=WAIT_MS)
        (tab,) = (page for page in pages if page is not panel)
        return panel, tab

    def _choose_type(self, demo: DemoTask) -> None:
        answer_format = demo.task.answer_format
        assert answer_format is not None  # noqa: S101 - every task of the demo is structured
        self._page.locator(f"label[for=type-{answer_format.type}]").click()

    def _fill_format(self, demo: DemoTask) -> None:
        answer_format = demo.task.answer_format
        assert answer_format is not None  # noqa: S101
        for number, column in enumerate(answer_format.columns):
            if not self._page.locator(f"[name=column-{number}-name]").count():
                self._page.get_by_role("button", name="Add column").click()
            self._fill_column(number, column, is_key=column.name in answer_format.keys)
        for number, key in enumerate(answer_format.sort or ()):
            self._fill_sort_key(number, key)

    def _fill_column(self, number: int, column: Column, *, is_key: bool) -> None:
        field = f"[name=column-{number}-"
        self._page.locator(f"{field}name]").fill(column.name)
        self._page.locator(f"{field}type]").select_option(column.type)
        self._page.locator(f"{field}date_format]").fill(column.date_format or "")
        self._page.locator(f"{field}key]").set_checked(is_key)

    def _fill_sort_key(self, number: int, key: SortKey) -> None:
        self._page.locator(f"[name=sort-{number}-column]").fill(key.column)
        self._page.locator(f"[name=sort-{number}-direction]").select_option(key.direction)


def first_sentence(question: str) -> str:
    """Return how a question is jotted down first.

    >>> first_sentence("Who? Answer with the name.")
    'Who?'
    """
    found = re.match(r".*?[.?!](?=\s|$)", question, re.DOTALL)
    return found.group() if found else question
