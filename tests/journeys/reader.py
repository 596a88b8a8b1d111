"""A reader of the docs: types each command into a shell and does each step in a real browser."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect

from exports.demo.people.office import Office
from exports.demo.web import DemoWeb
from tests.journeys.doc_pages import Command, Deed, fits

WAIT_S = 60.0
_PLACE_OF = """([text, sentence]) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const start = walker.currentNode.data.indexOf(sentence);
    if (start < 0) continue;
    const range = document.createRange();
    const at = start + sentence.lastIndexOf(text);
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + text.length);
    walker.currentNode.parentElement.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, middle: (top + bottom) / 2 };
  }
  throw new Error(`the page does not say: ${sentence}`);
}"""
SHOWN_ADDRESS = "http://127.0.0.1:8085"
"""What the docs write; the server under test listens somewhere else."""


class Reader:
    """Works in `folder`. The recorded browser sees `web` instead of the Internet."""

    def __init__(self, folder: Path, office: Office, web: DemoWeb) -> None:
        self._folder = folder
        self._office = office
        self._web = web
        self._address = SHOWN_ADDRESS
        self._passwords: dict[str, str] = {}
        self._background: list[subprocess.Popen[str]] = []
        self._capture: subprocess.Popen[str] | None = None
        self._recorded: BrowserContext | None = None
        self._window = self._new_window()
        self._place = self._window

    def do(self, step: Command | Deed) -> None:
        """Do one step; an AssertionError says where the docs and the software part."""
        if isinstance(step, Command):
            self._type_command(step)
        else:
            getattr(self, f"_{step.verb.replace(' ', '_')}")(step)

    def close(self) -> None:
        """End everything that still runs."""
        self._close_recorded_browser()
        for process in self._background:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=WAIT_S)

    # Commands

    def _type_command(self, command: Command) -> None:
        self._close_recorded_browser()
        words = shlex.split(command.line.replace(SHOWN_ADDRESS, self._address))
        if words[0] in ("mkdir", "printf", "sed"):
            subprocess.run(command.line, shell=True, cwd=self._folder, check=True)
            return
        assert words[0] == "trailbench", command.line
        if words[1:3] == ["server", "run"]:
            self._run_server(words, command)
        elif words[1:3] == ["capture", "start"]:
            self._start_capture(words)
        else:
            code = self._window.locator("#code")
            words = [code.inner_text() if word == "CODE" else word for word in words]
            printed = self._run(words)
            assert fits(command.output, printed), f"$ {command.line}\n{printed}"
            self._learn_password(words, printed)

    def _run(self, words: list[str]) -> str:
        # The reader sits at a screen; the machine that tests the page may have none, and doctor would say so.
        screen = {"WAYLAND_DISPLAY": "the-readers"} if words[1:3] == ["capture", "doctor"] else {}
        done = subprocess.run(
            self._arguments(words),
            cwd=self._folder,
            env={**self._environment(), **screen},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{shlex.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout.replace(self._address, SHOWN_ADDRESS)

    def _spawn(self, words: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._arguments(words), cwd=self._folder, env=self._environment(), stdout=subprocess.PIPE, text=True
        )

    def _run_server(self, words: list[str], command: Command) -> None:
        process = self._spawn([*words, "--port", "0"])
        self._background.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        self._address = line.partition(" at ")[2].split()[0]
        assert fits(command.output, line.replace(self._address, SHOWN_ADDRESS)), line

    def _start_capture(self, words: list[str]) -> None:
        arguments = [f"--browser-arg={argument}" for argument in self._web.browser_arguments]
        process = self._spawn([*words, "--headless", "--show-devtools", "--actor-script", "docs", *arguments])
        assert process.stdout is not None
        line = next(line for line in process.stdout if line.startswith("DevTools:"))
        self._capture = process
        browser = self._office.playwright.chromium.connect_over_cdp(line.removeprefix("DevTools:").strip())
        self._recorded = browser.contexts[0]

    def _close_recorded_browser(self) -> None:
        if self._capture is None or self._recorded is None:
            return
        browser = self._recorded.browser
        assert browser is not None
        browser.new_browser_cdp_session().send("Browser.close")
        self._capture.communicate(timeout=WAIT_S)
        self._capture = self._recorded = None
        self._place = self._window

    def _learn_password(self, words: list[str], printed: str) -> None:
        if words[1:4] == ["server", "user", "add"]:
            found = re.search(r"shown this once: (\S+)", printed)
            assert found is not None, printed
            self._passwords[words[4]] = found[1]

    def _arguments(self, words: list[str]) -> list[str]:
        return [sys.executable, "-m", "exports", *words[1:]]

    def _environment(self) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TRAILBENCH_")}
        kept = {name: os.environ[name] for name in ("TRAILBENCH_CHROMIUM",) if name in os.environ}
        return {**clean, **kept, "TRAILBENCH_CAPTURE_HOME": str(self._folder / "capture"), "PYTHONUNBUFFERED": "1"}

    # Deeds

    def _move(self, deed: Deed) -> None:
        self._place = {"browser": lambda: self._window, "panel": self._panel, "recorded browser": self._tab}[
            deed.name
        ]()

    def _visit(self, deed: Deed) -> None:
        self._place = self._window
        self._window.goto(deed.text.replace(SHOWN_ADDRESS, self._address))

    def _follow(self, deed: Deed) -> None:
        self._place.get_by_role("link", name=deed.name).first.click()
        self._place.wait_for_load_state()

    def _sign_in(self, deed: Deed) -> None:
        if "/sign-in" not in self._window.url:
            self._window.context.close()
            self._window = self._place = self._new_window()
            self._window.goto(f"{self._address}/")
        self._window.get_by_label("E-mail").fill(deed.text)
        self._window.get_by_label("Password").fill(self._passwords[deed.text])
        self._window.get_by_role("button", name="Sign in").click()

    def _push(self, deed: Deed) -> None:
        button = self._place.get_by_role("button", name=deed.name).first
        expect(button).to_be_enabled(timeout=WAIT_S * 1000)
        button.click()

    def _key(self, deed: Deed) -> None:
        self._place.keyboard.press(deed.text)

    def _type(self, deed: Deed) -> None:
        self._field(deed.name).fill(deed.text)

    def _copy(self, deed: Deed) -> None:
        for _ in range(5):  # a page that still moves is pointed at once more, until something is selected
            place = self._place.evaluate(_PLACE_OF, [deed.text, deed.name])
            self._place.mouse.move(place["left"] + 1, place["middle"])
            self._place.mouse.down()
            self._place.mouse.move(place["right"], place["middle"], steps=4)
            self._place.mouse.up()
            if self._place.evaluate("getSelection().toString().trim()"):
                break
        self._place.keyboard.press("Control+c")

    def _paste(self, deed: Deed) -> None:
        self._field(deed.name).click()
        self._place.keyboard.press("Control+v")

    def _choose(self, deed: Deed) -> None:
        self._place.locator("label").filter(has_text=re.compile(rf"^\s*{re.escape(deed.name)}\s*$")).click()

    def _select(self, deed: Deed) -> None:
        self._field(deed.name).select_option(deed.text)

    def _search(self, deed: Deed) -> None:
        box = self._place.get_by_role("searchbox").or_(self._place.locator("[name=q]")).first
        box.click()
        box.type(deed.text)
        box.press("Enter")
        self._place.wait_for_load_state()

    def _see(self, deed: Deed) -> None:
        expect(self._place.get_by_text(deed.text).filter(visible=True).first).to_be_visible(timeout=WAIT_S * 1000)

    def _field(self, name: str) -> Locator:
        return self._place.get_by_label(name, exact=True)

    # Windows

    def _new_window(self) -> Page:
        page = self._office.browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(20_000)
        return page

    def _panel(self) -> Page:
        return self._recorded_page(is_panel=True)

    def _tab(self) -> Page:
        return self._recorded_page(is_panel=False)

    def _recorded_page(self, *, is_panel: bool) -> Page:
        assert self._recorded is not None, "no recorded browser is open at this step"
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            for page in self._recorded.pages:
                if urlsplit(page.url).path.startswith("/panel/") == is_panel and page.url.startswith("http"):
                    page.bring_to_front()
                    return page
            self._window.wait_for_timeout(100)
        raise AssertionError(f"the {'panel' if is_panel else 'recorded window'} did not open")
