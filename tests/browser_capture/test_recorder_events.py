"""What else a person meets while searching: files, dialogs, redirects, and new tabs by every route."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator

import pytest
from playwright.async_api import Page

from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import START, WEB, Person, Recorded, paired_home, record
from tests.browser_capture.small_pdf import a_pdf
from tests.fakes import Answer, LocalSite, Reply

pytestmark = pytest.mark.browser

TABLE = b"year,height\n2024,42\n"
PAPER = a_pdf("The height is 42 metres")
HOPS = {
    "/301": (301, "/302"),
    "/302": (302, "/303"),
    "/303": (303, "/307"),
    "/307": (307, "/308"),
    "/308": (308, "/end"),
}
ATTACHED = {"Content-Disposition": 'attachment; filename="paper.pdf"'}
PAGES: dict[tuple[str, str], Answer] = {
    **WEB,
    ("a.example", "/files"): """<title>Files</title><a id=table download href=/table.csv>table</a>
        <a id=paper href=/paper>paper</a> <a id=slow href=/slow.bin>slow</a> <a id=made download=made.txt>made</a>
        <script>made.href = URL.createObjectURL(new Blob(["made here"]))</script>""",
    ("a.example", "/table.csv"): Reply(TABLE, mime="text/csv"),
    ("a.example", "/paper"): Reply(PAPER, mime="application/pdf", headers=ATTACHED),
    ("a.example", "/slow.bin"): Reply(b"0" * 10, mime="application/octet-stream", is_endless=True),
    ("a.example", "/asks"): """<title>Asks</title><p id=p>asks</p><button id=alert onclick="alert(1)">a</button>
        <button id=confirm onclick="confirm(2)">c</button>
        <script>addEventListener("beforeunload", event => event.preventDefault())</script>""",
    ("a.example", "/opens"): """<title>Opens</title><p>closed</p>
        <input id=word type=password onfocus="this.type = 'text'">
        <button id=style onclick="x.style.display = ''">s</button>
        <p id=x style="display: none">shown by style</p><button id=gone onclick="y.hidden = false">h</button>
        <p id=y hidden>shown by attribute</p><button id=shade onclick="inside.textContent = 'shown in shade'">i</button>
        <p id=host></p><iframe src=/inner></iframe><script>const shade = host.attachShadow({mode: "open"});
        shade.innerHTML = "<p id=inside></p>"; const inside = shade.getElementById("inside")</script>""",
    ("a.example", "/inner"): """<button id=frame onclick="z.textContent = 'shown in frame'">f</button><p id=z></p>""",
    ("a.example", "/end"): "<title>End</title><p>the end",
    ("a.example", "/meta"): "<title>Meta</title><meta http-equiv=refresh content='0;url=/end?meta'><p>soon",
    ("a.example", "/script"): "<title>Script</title><p>soon<script>location.href = '/end?script'</script>",
    ("a.example", "/moves"): """<title>Moves</title><p><a id=hop href=/301>hop</a> <a id=meta href=/meta>m</a>
        <a id=script href=/script>s</a>""",
    ("a.example", "/doors"): """<title>Doors</title><a id=blank target=_blank href=/end?blank>b</a>
        <a id=bare target=_blank rel=noopener href=/end?bare>n</a> <a id=plain href=/end?plain>p</a>
        <button id=open onclick="window.open('/end?open')">o</button>
        <button id=alone onclick="window.open('/end?alone', '_blank', 'noopener')">a</button>
        <form target=_blank action=/end><button id=send name=how value=form>s</button></form>""",
    **{("a.example", hop): Reply(b"", status=code, headers={"Location": goal}) for hop, (code, goal) in HOPS.items()},
}  # fmt: skip


async def meet(person: Person) -> None:
    """Meet them all, one after the other."""
    await _files(person)
    await _opens(person)
    await _moves(person.main)
    await _doors(person)
    await _dialogs(person.main)


async def _files(person: Person) -> None:
    folder = person.said.parent / "profile" / "Downloads"
    await person.main.goto("http://a.example/files")
    for name, file in (("table", "table.csv"), ("paper", "paper.pdf"), ("made", "made.txt"), ("slow", "*.crdownload")):
        await person.main.click(f"#{name}")
        async with asyncio.timeout(20):
            while not any(folder.glob(file)):
                await asyncio.sleep(0.05)


async def _opens(person: Person) -> None:
    main = person.main
    await main.goto("http://a.example/opens")
    await person.dwell()
    for name in ("style", "gone", "shade"):
        await main.click(f"#{name}")
    await main.frames[1].click("#frame")
    await main.click("#word")
    await main.keyboard.type("hunter22")
    await main.keyboard.press("Enter")
    await person.dwell()


async def _moves(main: Page) -> None:
    for name, end in (("hop", "/end"), ("meta", "/end?meta"), ("script", "/end?script")):
        await main.goto("http://a.example/moves")
        await main.click(f"#{name}")
        await main.wait_for_url(f"http://a.example{end}")


async def _doors(person: Person) -> None:
    await person.main.goto("http://a.example/doors")
    for name in ("blank", "bare", "plain", "open", "alone", "send"):
        await person.main.bring_to_front()
        async with person.context.expect_page() as opening:
            await person.main.click(f"#{name}", modifiers=["Control"] if name == "plain" else [])
        page = await opening.value
        await page.wait_for_selector("p")
        await asyncio.sleep(0.3)
        await page.close()
    page = await person.context.new_page()
    await asyncio.sleep(0.3)
    await page.goto("http://a.example/end?hand")
    await asyncio.sleep(0.3)
    await page.close()


async def _dialogs(main: Page) -> None:
    main.on("dialog", lambda dialog: dialog.accept())
    await main.bring_to_front()
    await main.goto("http://a.example/asks")
    for name in ("p", "alert", "confirm"):
        await main.click(f"#{name}")
    await main.goto("http://a.example/end?left")


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """Record it once."""
    home = tmp_path_factory.mktemp("met") / "home"
    with LocalSite(PAGES) as site, CaptureServer(start_url=START) as server:
        yield record(meet, site, server, paired_home(home, server))


def test_a_download_is_noted_with_its_size_and_hash(met: Recorded) -> None:
    table = next(event for event in met.of_type("download") if event.data["name"] == "table.csv")
    assert (table.data["url"], table.data["state"]) == ("http://a.example/table.csv", "completed")
    assert (table.data["bytes"], table.data["sha"]) == (len(TABLE), hashlib.sha256(TABLE).hexdigest())
    assert table.visit == met.visit_to("http://a.example/files").visit


def test_a_downloaded_pdf_is_a_page_that_may_be_quoted(met: Recorded) -> None:
    paper = next(event for event in met.of_type("download") if event.data["name"] == "paper.pdf")
    assert met.text_of(paper.data["snapshot"]) == "The height is 42 metres"
    assert paper.data["snapshot"] in [snapshot.id for snapshot in met.trajectory.snapshots]


def test_a_file_that_the_page_made_is_noted_and_one_that_never_came_is_unfinished(met: Recorded) -> None:
    states = {event.data["name"]: event.data["state"] for event in met.of_type("download")}
    assert states == {
        "table.csv": "completed",
        "paper.pdf": "completed",
        "made.txt": "completed",
        "slow.bin": "unfinished",
    }


def test_the_trajectory_holds_the_downloads(met: Recorded) -> None:
    names = {download.name for download in met.trajectory.downloads}
    assert names == {"table.csv", "paper.pdf", "made.txt", "slow.bin"}


def test_each_hop_of_a_redirect_is_told_with_its_status(met: Recorded) -> None:
    end = met.visit_to("http://a.example/end")
    chain = next(event.data["chain"] for event in met.of_type("visit") if event.visit == end.visit)
    assert [(hop["url"].removeprefix("http://a.example"), hop["status"]) for hop in chain] == [
        (hop, status) for hop, (status, _) in HOPS.items()
    ]
    assert (end.cause, end.redirects[0]) == ("click", "http://a.example/301")


@pytest.mark.parametrize(("name", "cause"), [("meta", "redirect"), ("script", "script")])
def test_a_page_that_leads_on_by_itself_is_a_visit_and_so_is_where_it_leads(
    met: Recorded, name: str, cause: str
) -> None:
    between, end = met.visit_to(f"http://a.example/{name}"), met.visit_to(f"http://a.example/end?{name}")
    assert (between.cause, end.cause, end.from_visit) == ("click", cause, between.visit)


DOORS = [
    ("blank", "click_newtab", "click"),
    ("bare", "click_newtab", "click"),
    ("plain", "click_newtab", "click"),
    ("open", "window_open", "script"),
    ("alone", "window_open", "script"),
    ("how=form", "window_open", "form"),
    ("hand", "unknown address_bar", "address_bar"),  # as it is met before its first address, or after
]


@pytest.mark.parametrize(("name", "how", "cause"), DOORS)
def test_a_new_tab_says_by_which_door_it_came(met: Recorded, name: str, how: str, cause: str) -> None:
    visit = met.visit_to(f"http://a.example/end?{name}")
    opened = next(event.data["how"] for event in met.of_type("tab_open") if event.tab == visit.tab)
    from_visit = None if name == "hand" else met.visit_to("http://a.example/doors").visit
    assert opened in how.split()
    assert (visit.cause, visit.from_visit) == (cause, from_visit)


@pytest.mark.parametrize("how", ["by style", "by attribute", "in shade", "in frame"])
def test_what_a_click_opens_is_kept(met: Recorded, how: str) -> None:
    first, *_, last = [met.text_of(found) for found in met.visit_to("http://a.example/opens").snapshots]
    assert (f"shown {how}" in first, f"shown {how}" in last) == (False, True)


def test_a_password_that_the_page_shows_tells_not_even_its_length(met: Recorded) -> None:
    assert [event.data["value_length"] for event in met.of_type("enter")] == [None]


def test_every_kind_of_dialog_is_noted(met: Recorded) -> None:
    assert [event.data["kind"] for event in met.of_type("dialog")] == ["alert", "confirm", "beforeunload"]


def test_a_visit_ends_with_the_count_and_the_text_of_its_snapshots(met: Recorded) -> None:
    visit = met.visit_to("http://a.example/doors")
    end = next(event for event in met.of_type("visit_end") if event.visit == visit.visit)
    last = met.trajectory.snapshots[[shot.id for shot in met.trajectory.snapshots].index(visit.snapshots[-1])]
    assert (end.data["snapshots"], end.data["text_sha"]) == (len(visit.snapshots), last.text_sha)
