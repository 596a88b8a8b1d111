"""Pages that fight back: the session goes on, and the log says what happened."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Error as PlaywrightError

from browser_capture.page_store import PageStore
from browser_capture.snapshots import READ_LIMIT
from exports.demo.certificate import write_certificate
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.conftest import START, WEB, Person, Recorded, paired_home, record
from tests.fakes import Answer, LocalSite, Reply

pytestmark = pytest.mark.browser

SITE = "http://hostile.example"
BINDING = "Object.getOwnPropertyNames(window).find(name => /^__tb/.test(name))"
PAGES: dict[str, Answer] = {
    "/deaf": """<title>Deaf</title><script>
        EventTarget.prototype.addEventListener = () => {};
        for (const kind of ["click", "scroll", "copy"])
          document.documentElement["on" + kind] = event => event.stopImmediatePropagation();
        JSON.stringify = () => "{}"; JSON.parse = () => ({}); performance.now = () => NaN;
        Array.prototype.find = () => null;
        Event.prototype.composedPath = () => []; Promise.resolve = () => { throw 1; }; window.MutationObserver = null;
        </script><p id=p>deaf</p><a id=a href=/deaf?2>on</a>""",
    "/junk": f"""<title>Junk</title><p id=p>junk</p><script>
        const tell = window[{BINDING}];
        const say = (kind, data) => tell(JSON.stringify({{kind, n: 1, at: 1, data}}));
        for (const text of ["", "null", "[]", "{{", '{{"kind": 5}}', '{{"kind":"click","data":[]}}', "9".repeat(30000),
          "[".repeat(19000), '{{"kind":"visit","data":{{}}}}',
          '{{"kind":"scroll","n":1e999,"at":"x","data":{{"y":"z"}}}}'])
          tell(text);
        for (const odd of [undefined, null, 7, {{}}, Symbol]) tell(odd);
        tell();
        tell("{{}}", "{{}}");
        say("click", {{button: "x", x: {{}}, trusted: "yes", link_url: 7, link_text: ["\\ud800"]}});
        document.querySelector("p").click();
        </script>""",
    "/forged": """<title>Forged</title><a id=a href=/never onclick="event.preventDefault()">x</a><script>
        a.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
        document.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
        document.dispatchEvent(new ClipboardEvent("copy", {bubbles: true}));</script>""",
    "/frames": "<title>Frames</title><p>around</p>" + "<iframe src=/framed></iframe>" * 50,
    "/framed": "<p>framed</p><a href=/x>x</a>",
    "/rewritten": """<title>Before</title><p>before</p><script>
        setTimeout(() => { document.open(); document.write("<title>After</title><p id=p>written over</p>");
        document.close(); }, 300)</script>""",
    "/crowded": """<title>Crowded</title><p id=p>crowded</p><script>
        for (let n = 0; n < 20000; n++) p.setAttribute("data-" + n, n)</script>""",
    "/deep": """<title>Deep</title><p>deep</p><script>let at = document.body;
        for (let n = 0; n < 1000; n++) at = at.appendChild(document.createElement("div"));
        at.append("at the bottom")</script>""",
    "/crash": """<title>Crash</title><p>crash</p><script>setTimeout(() => { let at = document.body;
        for (let n = 0; n < 5000; n++) at = at.appendChild(document.createElement("div")); }, 1200)</script>""",
    "/broken": """<title>x</title><p>broken</p><a id=a href="#">x</a><script>
        document.title = "half \\ud83d and \\udc00 \\u0000"; a.textContent = "link \\ud83d";
        document.body.append("lone \\ud83d")</script>""",
    "/stream": Reply(b"<p>more and more</p>", is_endless=True),
    "/round": Reply(b"", status=302, headers={"Location": "/round"}),
    "/frozen": "<title>Frozen</title><p>frozen</p><script>setTimeout(() => { for (;;); }, 1500)</script>",
    "/grows": """<title>Grows</title><p>one</p><script>let n = 1;
        setInterval(() => n < 4 && document.body.append(document.createElement("p"), "part " + ++n), 900)</script>""",
    "/flood": f"""<title>Flood</title><p>flood</p><script>
        const tell = window[{BINDING}];
        for (let n = 0; n < 1500; n++) tell(JSON.stringify({{kind: "click", n, at: 1, data: {{trusted: true}}}}));
        </script>""",
    "/last": "<title>Last</title><p>still here</p>",
}  # fmt: skip


async def kept(person: Person, path: str, times: int = 1) -> None:
    """Wait until the log on this machine names so many snapshots of a page, not for ever."""
    home = person.said.parent
    with suppress(TimeoutError):
        async with asyncio.timeout(40):
            while sum(is_snapshot_of(line, SITE + path) for line in log_lines(home)) < times:
                await asyncio.sleep(0.1)


async def all_frames_kept(person: Person) -> None:
    """Wait until a snapshot holds the fifty frames, not for ever: on a busy machine they come one after the other."""
    home = person.said.parent
    with suppress(TimeoutError):
        async with asyncio.timeout(40):
            while not any(text.count("framed") == 50 for text in kept_texts(home, f"{SITE}/frames")):
                await asyncio.sleep(0.1)


def kept_texts(home: Path, url: str) -> list[str]:
    """Return the texts of a page's snapshots on this machine."""
    lines = [json.loads(line) for line in log_lines(home) if is_snapshot_of(line, url)]
    (folder,) = home.glob("spool/*/pages")
    return [PageStore(folder).get(line["data"]["text_sha"]).decode() for line in lines]


def log_lines(home: Path) -> list[str]:
    """Return the whole lines of the recordings on a machine."""
    return [line for file in home.glob("spool/*/events.jsonl") for line in file.read_text().split("\n")[:-1]]


def is_snapshot_of(line: str, url: str) -> bool:
    """Tell whether a line of the log says that a page was kept."""
    found = json.loads(line)
    return (found["type"], found["url"]) == ("snapshot", url)


async def brave(person: Person) -> None:
    """Visit them all."""
    main = person.main
    for path in PAGES:
        if path in {"/framed", "/frozen", "/crash"}:
            continue
        with suppress(PlaywrightError):
            await main.goto(SITE + path, wait_until="commit", timeout=20_000)
        if path == "/deaf":
            await main.wait_for_selector("#a")
            await main.mouse.click(15, 25)
            await main.click("#a", no_wait_after=True)
            await kept(person, "/deaf?2")
        elif path != "/round":
            await kept(person, path, {"/rewritten": 2, "/grows": 3}.get(path, 1))
        if path == "/frames":
            await all_frames_kept(person)
    with suppress(PlaywrightError):
        await main.goto("https://hostile.example/", timeout=10_000)
    await asyncio.sleep(0.5)
    for path in ("/frozen", "/crash"):
        other = await person.context.new_page()
        await other.goto(SITE + path, wait_until="commit")
        await kept(person, path)
        await asyncio.sleep(1.5)
    await main.bring_to_front()
    await main.goto(f"{SITE}/last?after")
    await kept(person, "/last?after")


@pytest.fixture(scope="module")
def braved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """Record the visits once."""
    home = tmp_path_factory.mktemp("hostile") / "home"
    pages = {("hostile.example", path): answer for path, answer in PAGES.items()}
    with LocalSite({**WEB, **pages}) as site, CaptureServer(start_url=START) as server:
        speak_tls(site, tmp_path_factory.mktemp("tls") / "own.pem")
        yield record(brave, site, server, paired_home(home, server))


def speak_tls(site: LocalSite, file: Path) -> None:
    """Have the site answer a browser that asks over TLS, with a certificate that nobody knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    write_certificate(file, ("hostile.example",))
    context.load_cert_chain(file)
    site.wrap = lambda connection: (
        context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        if connection.recv(1, socket.MSG_PEEK) == b"\x16"
        else connection
    )


def texts(braved: Recorded, path: str) -> list[str]:
    """Return the text of each snapshot of a page."""
    return [braved.text_of(found) for found in braved.visit_to(SITE + path).snapshots]


def clicks_on(braved: Recorded, path: str) -> list[dict[str, object]]:
    """Return what the log says of the clicks on a page."""
    return [dict(event.data) for event in braved.of_type("click") if event.url == SITE + path]


def test_the_session_goes_on_to_its_last_page(braved: Recorded) -> None:
    assert texts(braved, "/last?after") == ["still here"]
    assert (braved.exit_code, braved.trajectory.has_stop) == (0, True)


def test_a_page_that_takes_its_tools_away_is_still_listened_to(braved: Recorded) -> None:
    clicks = clicks_on(braved, "/deaf")
    assert [(click["trusted"], click["link_url"]) for click in clicks] == [(True, None), (True, f"{SITE}/deaf?2")]
    assert braved.visit_to(f"{SITE}/deaf?2").cause == "click"


def test_junk_calls_leave_no_event_that_does_not_fit(braved: Recorded) -> None:
    assert {event.type for event in braved.events if event.url == f"{SITE}/junk"} <= {
        "visit", "visit_end", "click", "scroll", "snapshot", "visibility", "response",
    }  # fmt: skip
    assert all(click["trusted"] is False for click in clicks_on(braved, "/junk"))


def test_a_click_that_a_script_made_is_told_from_a_persons(braved: Recorded) -> None:
    assert [click["trusted"] for click in clicks_on(braved, "/forged")] == [False]
    assert not [click for click in braved.trajectory.clicks if click.from_url == f"{SITE}/forged"]


def test_made_up_keys_and_copies_are_no_events(braved: Recorded) -> None:
    assert not [event for event in braved.events if event.type in {"enter", "copy"} and event.url == f"{SITE}/forged"]


def test_a_flood_of_calls_is_no_act_of_a_person(braved: Recorded) -> None:
    assert {click["trusted"] for click in clicks_on(braved, "/flood")} == {False}
    assert texts(braved, "/flood")[-1] == "flood"


def test_fifty_frames_are_read_where_they_stand(braved: Recorded) -> None:
    assert texts(braved, "/frames")[-1].count("framed") == 50


def test_a_page_that_writes_over_itself_is_kept_as_it_is_then(braved: Recorded) -> None:
    assert texts(braved, "/rewritten")[-1] == "written over"


def test_thousands_of_attributes_do_not_hold_up_the_reading(braved: Recorded) -> None:
    assert texts(braved, "/crowded")[-1] == "crowded"


def test_a_deep_page_is_read_to_the_bottom(braved: Recorded) -> None:
    assert texts(braved, "/deep")[-1] == "deep\nat the bottom"


def test_halves_of_signs_break_nothing(braved: Recorded) -> None:
    assert texts(braved, "/broken")[-1].startswith("broken")
    json.dumps([dict(event.data) for event in braved.events], ensure_ascii=False).encode()


def test_an_endless_page_is_kept_as_far_as_it_came(braved: Recorded) -> None:
    assert "more and more" in texts(braved, "/stream")[-1]


def test_endless_redirects_are_noted_as_answers_and_a_wall(braved: Recorded) -> None:
    assert len([event for event in braved.of_type("response") if event.url == f"{SITE}/round"]) >= 10
    assert ("load_error", f"{SITE}/round") in walls(braved)


def test_an_invalid_certificate_is_a_wall(braved: Recorded) -> None:
    assert ("cert_error", "https://hostile.example/") in walls(braved)


def walls(braved: Recorded) -> list[tuple[str, str | None]]:
    """Return kind and address of each wall."""
    return [(event.data["kind"], event.url) for event in braved.of_type("interstitial")]


def test_a_frozen_page_is_kept_before_it_froze_or_said_to_be_missing(braved: Recorded) -> None:
    visit = braved.visit_to(f"{SITE}/frozen")
    said = [notice.kind for notice in braved.trajectory.notices if notice.url == visit.url]
    assert visit.snapshots or "missing_snapshot" in said


def test_a_page_that_crashed_its_tab_is_a_wall(braved: Recorded) -> None:
    assert ("crashed", f"{SITE}/crash") in walls(braved)
    assert texts(braved, "/crash") == ["crash"]


@pytest.mark.long  # nearly two minutes for one page
def test_fifty_megabytes_are_kept_in_part_and_hold_nobody_up(
    site: LocalSite, server: CaptureServer, home: Path
) -> None:
    site.pages["hostile.example", "/huge"] = "<title>Huge</title>" + "<p>a line of text</p>\n" * 2_500_000
    site.pages["hostile.example", "/last"] = PAGES["/last"]

    async def act(person: Person) -> None:
        with suppress(PlaywrightError):
            await person.main.goto(f"{SITE}/huge", timeout=60_000)
        await asyncio.sleep(30)
        await person.main.goto(f"{SITE}/last", timeout=60_000)
        await asyncio.sleep(3)

    recorded = record(act, site, server, home)
    assert texts(recorded, "/last") == ["still here"]
    kept = [snapshot for snapshot in recorded.trajectory.snapshots if snapshot.url == f"{SITE}/huge"]
    said = [notice.kind for notice in recorded.trajectory.notices if notice.url == f"{SITE}/huge"]
    # While the page still came in, what stood there may have been kept whole.
    assert all(snapshot.partial or len(recorded.text_of(snapshot.id)) < READ_LIMIT for snapshot in kept)
    assert {"partial_snapshot", "snapshot_failed", "missing_snapshot"} & set(said)


def test_a_page_that_grows_is_kept_several_times(braved: Recorded) -> None:
    assert len(texts(braved, "/grows")) >= 3
    assert "part 4" in texts(braved, "/grows")[-1]
