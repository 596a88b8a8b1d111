"""An address a page writes while a person types is no place they went to, until they send it, however they do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import WEB, Person, Recorded, paired_home, record
from tests.fakes import LocalSite

FIELD = """<!doctype html><title>{0}</title><input id=word><button id=go>Go</button><p>Text of {0}.</p>
<script>const push = () => history.pushState(null, '', '?q=' + word.value); {1}</script>"""
BY_KEY = "word.oninput = () => history.replaceState(null, '', '?q=' + word.value);"
PAGES = {
    "entered": BY_KEY,
    "left": BY_KEY,
    "reloaded": BY_KEY,
    "keyed": "word.onkeydown = event => { if (event.key == 'Enter') push(); };",
    "pressed": "go.onclick = push;",
    "slow": "go.onclick = () => setTimeout(push, 1500);",
}


async def search_everywhere(person: Person) -> None:
    """Type a word into each page, and send it the way the page is made for."""
    main = person.main
    for name in PAGES:
        await main.goto(f"http://a.example/{name}")
        await main.click("#word")
        await main.keyboard.type(f"{name}word")
        if name in {"entered", "left", "reloaded"}:
            await person.dwell()
        if name in {"entered", "keyed"}:
            await main.keyboard.press("Enter")
        elif name in {"pressed", "slow"}:
            await main.click("#go")
        elif name == "reloaded":
            await main.reload()
        await asyncio.sleep(2.5 if name == "slow" else 1)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """Search in every page, once for all tests."""
    web = {**WEB, **{("a.example", f"/{name}"): FIELD.format(name, script) for name, script in PAGES.items()}}
    with LocalSite(web) as site, CaptureServer() as server:
        home = paired_home(tmp_path_factory.mktemp("searched") / "home", server)
        yield record(search_everywhere, site, server, home)


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_a_typed_address_is_a_visit_once_it_was_sent(searched: Recorded, name: str) -> None:
    urls = [visit.url for visit in searched.trajectory.visits if visit.url.startswith(f"http://a.example/{name}")]
    sent = [f"http://a.example/{name}?q={name}word"] if name != "left" else []
    assert urls == [f"http://a.example/{name}", *sent]


@pytest.mark.browser
def test_every_page_that_was_typed_into_is_kept_at_the_address_it_had(searched: Recorded) -> None:
    kept = {visit.url: [searched.text_of(sha) for sha in visit.snapshots] for visit in searched.trajectory.visits}
    assert [url for url, texts in kept.items() if not texts and url != "about:blank"] == []
    assert b"leftword" not in b"".join(searched.server.blobs.values())
