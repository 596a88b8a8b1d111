"""Takes a picture of every page x theme x width x amount of data: `./run screenshots`, into screenshots/.

Exit codes are the house's: 0 done, 2 no browser, 4 a page is wider than its window or its script breaks, 130 stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Error, FloatRect, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from annotator_server.database import db
from browser_capture.capture_session import SHELL
from browser_capture.chromium import Chromium, require_chromium
from browser_capture.chromium_fetch import driver_environment
from browser_capture.errors import BrowserNotFound
from browser_capture.jotting import PANEL as JOT
from tests.screenshots.contact_sheet import Picture, write_sheet
from tests.screenshots.homes import FilledHome, fill_home
from tests.screenshots.pages import AMOUNTS, PAGES, THEMES, Shown
from tests.screenshots.reports import write_report

ROOT = Path(__file__).parents[2]
TALLEST = 3000
"""A picture shows at most so many pixels of a page from its top."""


class Place(NamedTuple):
    """A served home: its address, and where in it things are."""

    address: str
    home: FilledHome
    places: Mapping[str, str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that were asked for, write the sheet, and tell what is wrong."""
    asked = _asked(arguments)
    pages = [page for page in PAGES if asked.only in page.name]
    if not pages:
        say(f"Error: no page has {asked.only!r} in its name; there are: {', '.join(page.name for page in PAGES)}")
        return 2
    try:
        chromium = require_chromium()
        os.environ.update(driver_environment())
        pictures = take_all(pages, asked.out, chromium)
    except BrowserNotFound as error:
        say(f"Error: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        say("Stopped; the pictures taken so far are kept.")
        return 130
    faulty = [picture for picture in pictures if picture.faults]
    for picture in faulty:
        say(f"{picture.file}: {'; '.join(picture.faults)}")
    print(asked.out / "index.html")
    return 4 if faulty else 0


def take_all(pages: Sequence[Shown], folder: Path, chromium: Chromium) -> list[Picture]:
    """Fill a home for each amount of data, take every picture, write the sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Picture] = []
    with TemporaryDirectory(prefix="trailbench-screenshots-") as scratch, started(chromium) as browser:
        for rows in AMOUNTS:
            wanted = [page for page in pages if rows in page.amounts]
            if not wanted:
                continue
            say(f"Filling a server with {rows} rows ...")
            with served(Path(scratch) / str(rows), rows) as place:
                for page in wanted:
                    say(f"  {page.name}")
                    taken.extend(take(browser, place, page, rows, folder))
    order = {page.name: number for number, page in enumerate(PAGES)}
    taken.sort(key=lambda picture: (order[picture.page], picture.rows))
    write_sheet(folder, taken)
    return taken


def take(browser: Browser, place: Place, shown: Shown, rows: int, folder: Path) -> Iterator[Picture]:
    """Take a page's picture in each theme and width."""
    for theme in THEMES:
        for width in shown.widths:
            picture = Picture(page=shown.name, rows=rows, theme=theme, width=width)
            context = browser.new_context(
                viewport={"width": width, "height": 900},
                color_scheme="dark" if theme == "dark" else "light",
                reduced_motion="reduce",
            )
            if shown.person:
                name, value = place.home.cookie(shown.person, shown.project)
                context.add_cookies([{"name": name, "value": value, "url": place.address}])
            page = context.new_page()
            faults: list[str] = []
            page.on("pageerror", partial(_note_error, faults))
            _open(page, place, shown)
            faults += too_wide(page, width)
            height = page.evaluate("document.documentElement.scrollHeight")
            clip: FloatRect = {"x": 0, "y": 0, "width": width, "height": min(max(height, 900), TALLEST)}
            page.screenshot(path=folder / picture.file, full_page=True, clip=clip)
            context.close()
            yield Picture(page=shown.name, rows=rows, theme=theme, width=width, faults=tuple(faults))


def _note_error(faults: list[str], error: Error) -> None:
    faults.append(f"script error: {error}")


def too_wide(page: Page, width: int) -> list[str]:
    """Return the sentence that a page is wider than its window."""
    found = page.evaluate("document.documentElement.scrollWidth")
    return [f"the page is {found} px wide in a window of {width} px"] if found > width else []


@contextmanager
def started(chromium: Chromium) -> Iterator[Browser]:
    """Start the browser for the pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(chromium.path),
            env={**os.environ, **chromium.environment},
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        yield browser
        browser.close()


@contextmanager
def served(folder: Path, rows: int) -> Iterator[Place]:
    """Serve a home with so many rows, and a report beside it."""
    folder.mkdir()
    home, report = fill_home(folder / "home", rows), write_report(folder, rows)
    server = make_server("127.0.0.1", 0, home.app, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Place(
            f"http://127.0.0.1:{server.server_port}",
            home,
            {**home.places, "report": report.as_uri(), "shell": SHELL, "jot": JOT},
        )
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        with home.app.app_context():
            db.engine.dispose()


def say(line: str) -> None:
    """Tell the person at the terminal how far it is."""
    print(line, file=sys.stderr, flush=True)


class _Quiet(WSGIRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing about requests."""


def _open(page: Page, place: Place, shown: Shown) -> None:
    path = shown.path.format(**place.places)
    page.goto(path if ":" in path.partition("?")[0] else place.address + path)
    if shown.press:
        page.get_by_role("button", name=shown.press).first.click()
        page.wait_for_load_state("networkidle")
    if shown.heard:
        page.evaluate("detail => dispatchEvent(new CustomEvent('trailbench:state', {detail}))", dict(shown.heard))
    if shown.cell:
        page.get_by_label(shown.cell, exact=True).focus()
    if shown.path.startswith("/panel"):
        page.wait_for_load_state("networkidle")  # the lint has come
    page.evaluate("document.fonts.ready.then(() => true)")


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run screenshots", description="Take a picture of every page.")
    parser.add_argument("--out", type=Path, default=ROOT / "screenshots", help="folder of the pictures")
    parser.add_argument("--only", default="", metavar="WORD", help="only pages with this word in their name")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
