"""Pages that are nobody's business: nothing of them is recorded, however a search touches them; nor are keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.async_api import Error as PlaywrightError

from browser_capture.privacy import clean_address, without_place
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import RESULTS, WEB, Person, files_below, paired_home, person_at
from tests.browser_capture.result_page import result_page
from tests.browser_capture.small_pdf import a_pdf
from tests.browser_capture.test_privacy_typed import Found, unpacked
from tests.fakes import LocalSite, Reply

BANK = "http://ebanking.example"
AFTER = "http://a.example/after"
PAGE = f"""<title>Page</title><p>The page itself.</p><iframe src="{BANK}/frame"></iframe>
<iframe srcdoc="<p>A frame of its own.</p>"></iframe>
<a id=account href="{BANK}/account">account</a> <a id=through href="{BANK}/through">through</a>
<a id=file href="{BANK}/file">file</a> <a id=pdf href="{BANK}/pdf">pdf</a>
<a id=wrapped href="http://www.google.com/url?q={BANK}/account">wrapped</a>
<img src="{BANK}/picture">
<script>document.cookie = "sid=zq8script"; localStorage.key = "zq8stored";
fetch("/asked", {{ headers: {{ Authorization: "Bearer zq8bearer" }} }});</script>"""
PRIVATE = ("account", "frame", "file", "pdf", "picture", "nested")
KEYS = ("cookie", "script", "stored", "bearer", "password", "token")


def bank(name: str) -> str:
    return f"<title>zq8{name}</title><p id=p>Private zq8{name}.</p>"


def served() -> dict[tuple[str, str], Reply | str]:
    """The fake web with a bank in it."""
    attached = {"Content-Disposition": "attachment; filename=zq8file.csv"}
    return {
        ("a.example", "/page"): Reply(PAGE.encode(), headers={"Set-Cookie": "sid=zq8cookie; HttpOnly"}),
        ("a.example", "/asked"): "asked",
        ("a.example", "/after"): "<title>After</title><p>Here again.</p>",
        ("ebanking.example", "/account"): bank("account"),
        ("ebanking.example", "/frame"): bank("frame") + '<iframe srcdoc="<p>Private zq8nested.</p>"></iframe>',
        ("ebanking.example", "/through"): Reply(b"", status=302, headers={"Location": AFTER}),
        ("ebanking.example", "/file"): Reply(b"zq8file,1", mime="text/csv", headers=attached),
        ("ebanking.example", "/pdf"): Reply(a_pdf("zq8pdf"), mime="application/pdf"),
        ("ebanking.example", "/picture"): Reply(b"GIF89a zq8picture", mime="image/gif"),
        ("www.google.com", "/search"): Reply(result_page("bank", RESULTS).encode()),
    }


async def touch_the_bank(person: Person) -> None:
    page = person.main
    await page.goto("http://a.example/page")
    await person.dwell()
    frame = next(frame for frame in page.frames if frame.url == f"{BANK}/frame")
    await frame.evaluate("getSelection().selectAllChildren(document.body)")
    await frame.click("#p")
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Control+c")
    for link in ("account", "pdf"):
        await page.click(f"#{link}")
        await page.wait_for_url(f"{BANK}/{link}")
        await person.dwell()
        if link == "account":
            await page.keyboard.press("Control+a")
            await page.keyboard.press("Control+c")
            await person.panel.evaluate("say('mark')")
        await page.goto("http://a.example/page")
    with suppress(PlaywrightError):
        await page.goto(f"{BANK}/file")
    await page.goto("http://ann:zq8password@a.example/page")
    await page.click("#file")
    await page.click("#wrapped")
    await page.wait_for_url(f"{BANK}/account")
    await page.goto("http://a.example/page")
    await page.click("#through")
    await page.wait_for_url(AFTER)
    await page.goto(f"{AFTER}#access_token=zq8token")
    await person.dwell()


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Found, str]]:
    """All bytes of the recorder, and the lines of the log."""
    folder = tmp_path_factory.mktemp("denied") / "home"
    with LocalSite({**WEB, **served()}) as site, CaptureServer() as server:
        home = paired_home(folder, server)

        async def record() -> tuple[Found, str]:
            async with person_at(site, home, words=("-v", "start", "t1")) as person:
                await person.press("start", until="recording")
                await touch_the_bank(person)
                here = unpacked(files_below(home))
                await person.press("stop", until="uploaded")
                await person.quit()
            lines = "\n".join(next(iter(server.recordings.values())).lines.values())
            return Found(here, b"".join(server.blobs.values()) + lines.encode()), lines

        yield asyncio.run(record())


@pytest.mark.browser
@pytest.mark.parametrize("name", [*PRIVATE, *KEYS])
def test_nothing_private_is_kept_or_sent(found: tuple[Found, str], name: str) -> None:
    said = f"zq8{name}".encode()
    assert [said in all_bytes for all_bytes in found[0]] == [False, False]


@pytest.mark.browser
def test_the_log_names_no_private_address(found: tuple[Found, str]) -> None:
    assert "ebanking" not in found[1]


@pytest.mark.browser
def test_what_stands_around_is_recorded(found: tuple[Found, str]) -> None:
    (_, there), lines = found
    assert b"The page itself." in there
    assert AFTER in lines


ADDRESSES = [
    ("https://ann:secret@a.example/x", "https://a.example/x"),
    ("https://a.example/#access_token=1&state=2", "https://a.example/"),
    ("https://a.example/#:~:text=a=b", "https://a.example/#:~:text=a=b"),
    ("https://a.example/@ann?mail=a@b#part", "https://a.example/@ann?mail=a@b#part"),
    ("about:blank", "about:blank"),
]


@pytest.mark.parametrize(("url", "clean"), ADDRESSES)
def test_addresses_lose_their_keys(url: str, clean: str) -> None:
    assert clean_address(url) == clean


def test_an_address_without_its_place_still_names_a_document() -> None:
    assert without_place("https://a.example/#!/one") == "https://a.example/#!/one"
