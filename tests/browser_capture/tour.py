"""A web of awkward pages and a scripted person who visits them all, once for many claims."""

from __future__ import annotations

import asyncio

from playwright.async_api import Dialog, Page

from tests.browser_capture.conftest import WEB, Person
from tests.browser_capture.small_pdf import a_pdf
from tests.fakes import Answer, Reply

SECRET = "s3cret"
PAGES: dict[tuple[str, str], Answer] = {
    **WEB,
    ("app.example", "/app"): """<title>App</title><p>app</p><script>
        for (let n = 1; n <= 30; n++) history.replaceState(null, "", "/app?step=" + n);</script>""",
    ("app.example", "/late"): """<title>Late</title><p>first</p>
        <script>setTimeout(() => document.body.append("came later"), 900)</script>""",
    ("app.example", "/slow"): "<title>Slow</title><p>here already</p><img src=/never.png>",
    ("app.example", "/never.png"): Reply(b"", mime="image/png", seconds=60),
    ("app.example", "/many"): "<title>Many</title>" + "".join(f"<p><a href=/{n}>link {n}</a>" for n in range(10_000)),
    ("app.example", "/form"): f"""<title>Form</title><p>form</p><input id=a type=password><input id=b>
        <textarea id=c></textarea><input id=d oninput="this.setAttribute('value', this.value)">
        <div id=e contenteditable></div><input type=hidden value={SECRET}-token>""",
    ("app.example", "/go"): Reply(b"", status=302, headers={"Location": "http://app.example/gone"}),
    ("app.example", "/gone"): Reply(b"<title>Gone</title><p>no longer here</p>", status=410),
    ("app.example", "/paper.pdf"): Reply(a_pdf("Deprecated in 3.11"), mime="application/pdf"),
    ("app.example", "/links"): """<title>Links</title><a id=go href=/go>go</a>
        <a id=paper href=/paper.pdf>paper</a>""",
    ("app.example", "/asks"): "<title>Asks</title><p>asked</p><script>setTimeout(() => confirm('Sure?'), 700)</script>",
}


async def search(person: Person, query: str) -> None:
    """Type a query into the engine's box and wait for the results."""
    await person.main.fill("#q", query)
    await person.main.press("#q", "Enter")
    await person.main.wait_for_selector("h3")
    await person.dwell()


async def tour(person: Person) -> None:
    """Search, follow links, go back and forth, open tabs, and visit the awkward pages."""
    await search(person, "how high")
    await person.main.click("h3")
    await person.main.wait_for_selector("#deep")
    await person.dwell()
    await _back_and_forth(person)
    await person.main.goto("http://a.example/one?tabs")
    await person.dwell()
    for selector, held in (("#blank", False), ("#deep", True), ("#open", False)):
        await _open_tab(person, selector, held=held)
    await _awkward_pages(person)
    await person.main.goto("http://www.google.com/search?q=second+query")
    await person.dwell()


async def _back_and_forth(person: Person) -> None:
    main = person.main
    await main.click("#deep")
    await main.wait_for_selector("#up")
    await person.dwell()
    await main.go_back(wait_until="commit")
    await main.wait_for_selector("#deep")
    await person.dwell()
    await main.go_forward(wait_until="commit")
    await main.wait_for_selector("#up")
    await person.dwell()
    await main.reload()
    await person.dwell()


async def _open_tab(person: Person, selector: str, *, held: bool) -> None:
    async with person.context.expect_page() as opening:
        await person.main.click(selector, modifiers=["Control"] if held else [])
    page = await opening.value
    await page.bring_to_front()
    await page.wait_for_selector("p")
    await person.dwell()
    await page.close()
    await person.main.bring_to_front()


async def _awkward_pages(person: Person) -> None:
    main = person.main
    for name, seconds in (("app", 1.5), ("late", 2.5), ("many", 2.5)):
        await main.goto(f"http://app.example/{name}")
        await asyncio.sleep(seconds)
    await main.goto("http://app.example/slow", wait_until="commit")
    await asyncio.sleep(4.5)
    await main.goto("http://app.example/form")
    for name in "abcde":
        await main.locator(f"#{name}").press_sequentially(f"{SECRET}-{name}")
    await main.click("p")
    await person.dwell()
    for name in ("go", "paper"):
        await main.goto("http://app.example/links")
        await person.dwell()
        await main.click(f"#{name}")
        await asyncio.sleep(1.5)
    await _answer_dialog(main)
    await main.goto(f"{person.panel.url}?again")
    await person.dwell()


async def _answer_dialog(main: Page) -> None:
    async def accept(dialog: Dialog) -> None:
        await dialog.accept()

    main.once("dialog", accept)
    await main.goto("http://app.example/asks")
    await asyncio.sleep(1.5)
