"""`trailbench capture inspect`: everything that would go is said, and nothing is changed by saying it."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from browser_capture.claims import claimed
from browser_capture.errors import IncompleteError
from browser_capture.events import Event
from browser_capture.inspection import inspect_lines
from browser_capture.jots import Jots
from browser_capture.kept_recordings import state_of
from browser_capture.log_lines import read_lines
from browser_capture.outbox import note_sent
from browser_capture.searching import excerpt_around, folded
from browser_capture.spool import About, Spool
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.recordings import event, make_spool, put_page
from tests.browser_capture.scripted_window import a_run

MINUTE = 60_000
A, B = "http://a.example/one", "http://b.example/two"


MACHINE = {
    "recorder": "trailbench 1", "browser": "156.0", "python": "3.11.2", "platform": "Linux", "timezone": "+0200",
    "screen": {"width": 1700, "height": 920, "scale": 2}, "clock_offset_ms": -12.4, "rtt_ms": 3.0,
}  # fmt: skip


def at(minute: float, kind: str, url: str | None = None, /, **data: object) -> Event:
    """Return an event of a minute of the recording."""
    found = event(kind, t_mono=round(minute * MINUTE), **data)
    return Event(
        session=found.session, seq=1, type=kind, src="rec", t_wall=1_700_000_000_000 + round(minute * MINUTE),
        t_mono=found.t_mono, task="t1", url=url, data=found.data,
    )  # fmt: skip


def kept(spool: Spool, text: str, url: str, title: str) -> dict[str, object]:
    return {**put_page(spool.pages, text), "location": url, "title": title}


def search_of(
    home: Path, session: str = "s1", *, ends: bool = True, inspect_first: bool = False,
    server: str = "http://server.example",
) -> Path:  # fmt: skip
    """Make a recording of one query, two pages, a copied passage and a pause; return its folder."""
    about = About(
        session=session, task="t1", server=server, created_at="2026-01-01T00:00:00.000Z",
        policy={"forget_minutes": 10, "inspect_first": inspect_first},
    )  # fmt: skip
    spool = Spool.create(home / "spool" / session, about)
    events = [
        at(0, "session_start", **MACHINE, actor={"kind": "human", "name": "ada"}),
        at(0, "task_start", task="t1"),
        at(0.1, "query", engine="google", q="how high is it", how="box"),
        at(0.2, "serp", q="how high is it", start=0, parse_status="ok", parser_version="x", results=[], query=3),
        at(1, "visit", A, visit="v1", kind="new", title="One"),
        at(1.1, "snapshot", A, **kept(spool, "The height is 42 metres. Müller", A, "One")),
        at(1.5, "copy", A, text="42 metres"),
        at(2, "pause"),
        at(5, "resume"),
        at(5.1, "visit", B, visit="v2", kind="new", title="Two"),
    ]
    for each in events + ([at(6, "task_stop", reason="user"), at(6, "session_end", reason="user")] if ends else []):
        spool.append(each)
    spool.close()
    return spool.folder


def inspected(tmp_path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Type the command and return its code and all it says."""
    code = run(["capture", "inspect", *words, "--home", str(tmp_path)])
    return code, "".join(capsys.readouterr())


def fingerprint(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SAID = [
    "Recording s1 of task t1, for http://server.example",
    "it is stopped and waits to be sent",
    "(6 min 0 s, 3 min 0 s of it paused), by ada (human)",
    "“how high is it”  google, 0 results",
    "1 visit, 1 snapshot: text, 1 document (HTML or PDF), no pictures; ",
    "only address, title and times go",
    "copied “42 metres”",
    "paused: nothing was recorded",
    "At the server: nothing yet",
    "It leaves with: trailbench capture upload",
]


def test_all_that_goes_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path)
    code, text = inspected(tmp_path, capsys, "s1")
    assert (code, [sentence for sentence in SAID if sentence not in text]) == (0, [])


def test_what_is_noted_of_the_machine_is_said_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path, ends=False)
    spool, _ = Spool.reopen(folder)
    spool.append(at(7, "recorder_gap", reason="it died", recorder="trailbench 2", browser="157.0"))
    spool.close()
    lines = inspected(tmp_path, capsys, "s1")[1].splitlines()
    first = lines.index("Noted of your machine:")
    assert [line.split(maxsplit=1) for line in lines[first + 1 : first + 5]] == [
        ["recorder", "trailbench 1"],
        ["browser", "156.0"],
        ["system", "Linux"],
        ["Python", "3.11.2"],
    ]
    assert "  time zone  +0200" in lines
    assert "  screen     1,700 x 920 pixels, scale 2" in lines
    assert "  clock      12 ms apart from the server's" in lines
    assert "  browser   157.0" in lines[lines.index("  server     answered within 3 ms") :]
    data = json.loads(inspected(tmp_path, capsys, "s1", "--json")[1])
    assert [noted["said"] for noted in data["machine"]] == [
        MACHINE,
        {"recorder": "trailbench 2", "browser": "157.0"},
    ]


def test_whatever_else_is_noted_of_the_machine_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spool = Spool.create(tmp_path / "spool" / "s1", About(session="s1", task="t1", server="s", created_at="x"))
    spool.append(at(0, "session_start", recorder="r", browser="b", screens=["wide\x1b[2J", 2], rtt_ms=None))
    spool.close()
    text = inspected(tmp_path, capsys, "s1")[1]
    assert ('  screens   ["wide\\u001b[2J", 2]\n' in text, "  server    did not answer\n" in text) == (True, True)


def test_a_download_is_listed_with_what_of_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path, ends=False)
    spool, _ = Spool.reopen(folder)
    paper = kept(spool, "A paper", f"{B}.pdf", "")
    spool.append(at(6, "snapshot", f"{B}.pdf", **paper))
    pdf, forgotten = {"snapshot": paper["id"], "bytes": 2_000}, {"snapshot": "0" * 64}
    spool.append(at(6, "download", url=f"{B}.pdf", name="two.pdf", sha="1" * 64, state="completed", **pdf))
    spool.append(at(6, "download", url=f"{A}.csv", name="one\x1b[2J.csv", sha=None, state="canceled"))
    spool.append(at(6, "download", url=f"{A}.pdf", name="gone.pdf", state="completed", **forgotten))
    spool.close()
    text = inspected(tmp_path, capsys, "s1")[1]
    for words in (
        f"two.pdf\n            {B}.pdf\n            a PDF, kept whole as page 3, 2.0 KB (event 12)\n",
        f"one [2J.csv\n            {A}.csv\n            the file stays here, canceled (event 13)\n",
        "a PDF whose page was forgotten (event 14)\n",
    ):
        assert words in text
    data = json.loads(inspected(tmp_path, capsys, "s1", "--json")[1])
    assert [(one["name"], one["page"], one["snapshot"]) for one in data["downloads"]] == [
        ("two.pdf", 3, paper["id"]),
        ("one\x1b[2J.csv", None, None),
        ("gone.pdf", None, "0" * 64),
    ]


def test_looking_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path)
    with (folder / "events.jsonl").open("ab") as log:
        log.write(b'{"torn')
    before = fingerprint(folder)
    for words in ([], ["--page", "1"], ["--search", "metres"], ["--json"]):
        inspected(tmp_path, capsys, "s1", *words)
    assert fingerprint(folder) == before


def test_the_text_of_a_page_is_shown_as_it_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path)
    code, text = inspected(tmp_path, capsys, "s1", "--page", "1")
    assert (code, "The height is 42 metres. Müller\n" in text) == (0, True)


def test_commands_to_the_terminal_in_a_page_stay_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spool = Spool.create(tmp_path / "spool" / "s1", About(session="s1", task="t1", server="s", created_at="x"))
    spool.append(at(1, "snapshot", A, **kept(spool, "a\x1b[2Jb\tc\nd", A, "\x1b]0;owned\x07")))
    spool.close()
    text = inspected(tmp_path, capsys, "s1")[1] + inspected(tmp_path, capsys, "s1", "--page", "1")[1]
    assert ("\x1b" not in text, "a [2Jb\tc\nd\n" in text) == (True, True)


WORDS = [
    ("e", 4),
    ("text_sha", 0),
    ("00000", 0),
    ("event/1", 0),
    ("page/1", 0),
    ("t1", 0),
    ("v1", 0),
    ("user", 0),
    ("google", 0),
    ("text/html", 0),
    ("ada", 4),
    ("http://a.example", 4),
    ("42 METRES", 4),
    ("muller", 0),
    ("MÜLLER", 4),
    ("how high", 4),
    ("height  is\t42", 4),
    ("secret", 0),
]


@pytest.mark.parametrize(("word", "code"), WORDS)
def test_a_word_is_found_wherever_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, code: int
) -> None:
    search_of(tmp_path)
    assert inspected(tmp_path, capsys, "s1", "--search", word)[0] == code


def test_the_name_of_a_part_of_a_page_is_looked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spool, _ = Spool.reopen(search_of(tmp_path, ends=False))
    spool.append(at(6, "click", A, region="by-zoe"))
    spool.close()
    text = inspected(tmp_path, capsys, "s1", "--search", "zoe")[1]
    assert "what you clicked: by-zoe\n" in text


def test_an_excerpt_has_the_letters_of_its_page_and_plain_words_for_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search_of(tmp_path)
    text = inspected(tmp_path, capsys, "s1", "--search", "METRES")[1]
    assert f"the text of the page {A}: The height is 42 metres. Müller" in text
    assert "what you copied: 42 metres\n" in text


@pytest.mark.parametrize("word", ["müller", "x ½", "a" * 200, "straße", "Z"])
def test_an_excerpt_holds_the_word_however_its_letters_fold(word: str) -> None:
    data = "\u00a8 Ｔwo MÜLLER X\u00bd X  ½ STRASSE Z\u0301z z " + "A" * 300
    assert folded(word) in folded(excerpt_around(word, data.encode()) or "")


def test_the_help_names_the_code_that_a_found_word_leaves_with(capsys: pytest.CaptureFixture[str]) -> None:
    run(["capture", "inspect", "--help"])
    assert "nowhere, 4 when it was found" in " ".join(capsys.readouterr().out.split())


READINGS = [
    ("Zoë", "ZOË".encode()),
    ("Zoë", b"Zo&euml;"),
    ("Zoë", b"zo\\u00eb"),
    ("a b", b"?q=A%20B"),
    ("a b", b"q=a+b"),
    ("secret", b"<p>se<b>cr</b>et"),
    ("Zoë", "Zoë".encode("cp1252")),
    ("Zoë", "Zoë x".encode("utf-16-le")),
    ("fi", "ﬁ".encode()),
    ("\U0001f600", b"\\ud83d\\ude00"),
]


@pytest.mark.parametrize(("word", "data"), READINGS)
def test_a_word_is_found_however_it_is_written(word: str, data: bytes) -> None:
    assert excerpt_around(word, data) is not None
    assert excerpt_around(word + "x", data) is None


def test_white_space_alone_is_no_word() -> None:
    assert (folded(" \n"), excerpt_around(" ", b"a b")) == ("", None)


def test_a_damaged_part_is_no_clean_bill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path)
    next(folder.glob("pages/??/*.zst")).write_bytes(b"rubbish")
    code, text = inspected(tmp_path, capsys, "s1", "--search", "no such word")
    assert (code, "could not be looked through" in text) == (3, True)


def test_what_is_at_the_server_is_told_from_what_waits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path)
    note_sent(folder, 6)
    _, text = inspected(tmp_path, capsys, "s1", "--json")
    found = json.loads(text)
    assert (found["sent"], found["events"], found["waiting_blobs"], found["pages"][0]["snapshots"][0]["sent"]) == (
        6, 12, 0, True,
    )  # fmt: skip


def test_a_running_recording_says_until_when_it_waits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path, ends=False)
    with claimed(tmp_path, "s1", "records"):
        _, text = inspected(tmp_path, capsys, "s1")
    assert "it is being recorded now" in text
    assert "It leaves 10 minutes after it happened; the oldest at " in text
    assert "or when you press Stop or close the browser" in text


def test_forgotten_events_are_counted_and_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path, ends=False)
    spool, _ = Spool.reopen(folder)
    spool.forget(5)
    spool.append(at(7, "forget", from_seq=5, to_seq=10, minutes=6))
    spool.close()
    text = inspected(tmp_path, capsys, "s1")[1]
    assert ("4 events forgotten in all" in text, "a.example" in text) == (True, False)
    assert inspected(tmp_path, capsys, "s1", "--search", "42 metres")[0] == 0


NAMES = [((), "newer-one"), (("s1",), "s1"), (("newe",), "newer-one"), (("t1",), "newer-one"), (("new",), None)]


@pytest.mark.parametrize(("words", "session"), NAMES)
def test_a_recording_is_found_by_what_people_call_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], session: str | None
) -> None:
    search_of(tmp_path)
    search_of(tmp_path, "newer-one")
    code, text = inspected(tmp_path, capsys, *words)
    assert (code, f"Recording {session} " in text) == ((0, True) if session else (2, False))


def test_without_a_name_the_others_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path)
    search_of(tmp_path, "newer-one", ends=False)
    text = inspected(tmp_path, capsys)[1]
    assert "Another one: s1 of task t1 (waits)" in text


def test_the_folder_of_a_recording_will_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path / "elsewhere")
    assert inspected(tmp_path, capsys, str(folder))[0] == 0


MISTAKES = [
    (("nobody",), "no recording 'nobody' on this machine; there is: s1 (task t1)"),
    (("s1", "--page", "9"), "has no page 9; its pages are 1 to 2"),
    (("s1", "--search", " "), "a word to search for is missing"),
    (("s1", "--page", "1", "--search", "x"), "ask one at a time"),
    (("s1", "--page", "0"), "not in the range"),
    (("../..",), "is no recording"),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES)
def test_each_mistake_is_answered_with_what_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    search_of(tmp_path)
    code, text = inspected(tmp_path, capsys, *words)
    assert (code, sentence in text) == (2, True), text


def test_an_empty_machine_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert inspected(tmp_path, capsys)[0] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_log_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_spool(tmp_path, "http://server.example")
    (folder / "events.jsonl").write_text('{"broken"}\n' * 3)
    code, text = inspected(tmp_path, capsys, "s1")
    assert (code, "damaged at line 1" in text) == (2, True)


def test_an_event_of_every_search_is_counted_once(tmp_path: Path) -> None:
    found = inspect_lines(read_lines(search_of(tmp_path)), sent=0)
    assert (len(found.searches), len(found.pages), len(found.passages), found.beside) == (1, 2, 1, {})


def test_nothing_leaves_before_the_look_that_the_project_asks_for(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = search_of(home, inspect_first=True, server=server.url)
    assert run(["capture", "upload", "--home", str(home)]) == 3
    assert (server.recordings, "trailbench capture inspect s1" in capsys.readouterr().out) == ({}, True)
    run(["capture", "inspect", "s1", "--home", str(home)])
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert (server.recordings["s1"].state, folder.exists()) == ("complete", False)


def test_a_look_at_a_page_or_for_a_word_is_not_the_look_that_is_asked_for(home: Path, server: CaptureServer) -> None:
    search_of(home, inspect_first=True, server=server.url)
    run(["capture", "inspect", "s1", "--page", "1", "--home", str(home)])
    run(["capture", "inspect", "s1", "--search", "x", "--home", str(home)])
    assert run(["capture", "upload", "--home", str(home)]) == 3


def test_what_was_cut_short_is_not_ended_before_it_was_looked_at(home: Path, server: CaptureServer) -> None:
    folder = search_of(home, inspect_first=True, server=server.url, ends=False)
    assert run(["capture", "upload", "--home", str(home)]) == 3
    assert len(read_lines(folder)) == 10
    run(["capture", "inspect", "s1", "--home", str(home)])
    assert run(["capture", "upload", "--home", str(home)]) == 0


def test_what_came_after_the_look_asks_for_another(home: Path, server: CaptureServer) -> None:
    folder = search_of(home, inspect_first=True, server=server.url, ends=False)
    run(["capture", "inspect", "s1", "--home", str(home)])
    spool, _ = Spool.reopen(folder)
    spool.append(at(7, "copy", A, text="more"))
    spool.close()
    assert run(["capture", "upload", "--home", str(home)]) == 3


def test_a_recorder_that_still_runs_sends_after_the_look(tmp_path: Path, server: CaptureServer) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path, forget_minutes=0, inspect_first=True) as recorder:
            await recorder.press("start", until="recording")
            await recorder.click()
            await recorder.press("stop", until="stopped")
            await recorder.until(lambda: "capture inspect s1" in str(recorder.window.detail.get("problem")))
            assert server.recordings == {}
            await asyncio.to_thread(run, ["capture", "inspect", "s1", "--home", str(tmp_path)])
            await recorder.until(lambda: not recorder.folder.exists())

    asyncio.run(act())
    assert server.recordings["s1"].state == "complete"


def test_a_browser_that_is_closed_before_the_look_is_let_go_at_once(tmp_path: Path, server: CaptureServer) -> None:
    async def act() -> None:
        async with a_run(server, tmp_path, inspect_first=True) as recorder:
            await recorder.press("start", until="recording")
            await recorder.press("stop", until="stopped")
            recorder.close_browser()
            assert recorder.running is not None
            await asyncio.wait_for(recorder.running, 10)

    with pytest.raises(IncompleteError, match="trailbench capture inspect s1"):
        asyncio.run(act())


def forget(home: Path, *words: str) -> int:
    return run(["capture", "forget", *words, "--yes", "--home", str(home)])


def test_events_are_taken_back_and_the_rest_goes(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    search_of(home, server=server.url)
    assert forget(home, "s1", "5-7") == 0
    assert run(["capture", "inspect", "s1", "--search", "42 metres", "--home", str(home)]) == 0
    assert run(["capture", "inspect", "s1", "--search", "how high", "--home", str(home)]) == 4
    assert run(["capture", "upload", "--home", str(home)]) == 0
    kinds = [found.type for found in server.recordings["s1"].events]
    assert (kinds.count("forgotten"), kinds[-2:], server.recordings["s1"].state) == (
        3, ["forget", "session_end"], "complete",
    )  # fmt: skip
    assert server.blobs == {}


def test_a_page_that_is_named_again_later_stays(tmp_path: Path) -> None:
    folder = make_spool(tmp_path, "http://server.example", whole=False)
    spool, lines = Spool.reopen(folder)
    again = lines[3].event.data
    spool.append(event("snapshot", **again))
    assert (spool.forget(4, 5), spool.pages.has(str(again["id"]))) == (2, True)
    spool.close()
    assert [line.event.type for line in read_lines(folder)][-3:] == ["forgotten", "forgotten", "snapshot"]


def test_a_recording_that_was_cut_short_still_is_after_forgetting(tmp_path: Path) -> None:
    folder = search_of(tmp_path, ends=False)
    assert (forget(tmp_path, "s1", "5-6"), state_of(tmp_path, folder)) == (0, "interrupted")


NOT_FORGOTTEN = [
    (("s1", "5-99"), 2, "has events 1 to 12, not 5 to 99"),
    (("s1", "7-5"), 2, "7-5 has its order reversed; expected the smaller number first: 5-7"),
    (("s1", "x-y"), 2, "expected two numbers such as 12-20"),
    (("s1", "3-9"), 2, "events up to 4 are at the server or may be; 5 to 12 can be forgotten here"),
    (("s1", "11-12"), 2, "there is nothing to forget from 11 to 12"),
    (("nobody", "5-6"), 2, "no recording 'nobody'"),
]


@pytest.mark.parametrize(("words", "code", "sentence"), NOT_FORGOTTEN)
def test_what_cannot_be_forgotten_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, str], code: int, sentence: str
) -> None:
    folder = search_of(tmp_path)
    note_sent(folder, 4)
    before = fingerprint(folder)
    assert forget(tmp_path, *words) == code
    assert (sentence in "".join(capsys.readouterr()), fingerprint(folder) == before) == (True, True)


def test_nothing_is_forgotten_under_a_recorders_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path, ends=False)
    before = fingerprint(folder)
    with claimed(tmp_path, "s1", "records"):
        assert forget(tmp_path, "s1", "5-6") == 3
    assert fingerprint(folder) == before


def test_what_was_forgotten_already_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path)
    assert [forget(tmp_path, "s1", span) for span in ("5-6", "6")] == [0, 0]
    assert "Nothing is left to forget there: 1 event forgotten already." in capsys.readouterr().out


def test_a_no_forgets_nothing_and_is_no_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    folder = search_of(tmp_path)
    before = fingerprint(folder)
    assert run(["capture", "forget", "s1", "5-6", "--home", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert (fingerprint(folder) == before, "Nothing was forgotten." in out, "Interrupted" in err) == (True, True, False)


def test_without_a_terminal_the_option_that_says_yes_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    folder = search_of(tmp_path)
    before = fingerprint(folder)
    assert run(["capture", "forget", "s1", "5-6", "--home", str(tmp_path)]) == 2
    assert ("give --yes" in capsys.readouterr().err, fingerprint(folder) == before) == (True, True)


def test_a_page_is_offered_only_where_there_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path)
    assert "--page 1" in inspected(tmp_path, capsys, "s1")[1]
    assert forget(tmp_path, "s1", "1-12") == 0
    assert "--page 1" not in inspected(tmp_path, capsys, "s1")[1]


ODD = [
    ("about.json", "{}", 2),
    ("about.json", "[1]", 2),
    ("about.json", '{"session":"s1","task":"t1","server":"s","created_at":"x","policy":7}', 0),
    ("sent", "-5", 0),
    ("sent", "rubbish", 0),
    ("inspected", "rubbish", 0),
    ("events.jsonl", "", 0),
    ("events.jsonl", "\x00\x00\x00\n", 0),
    ("events.jsonl", "[]\n[]\n", 2),
]


@pytest.mark.parametrize(("name", "content", "code"), ODD)
def test_odd_files_get_a_sentence_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, code: int
) -> None:
    (search_of(tmp_path) / name).write_text(content)
    for words in ((), ("--page", "1"), ("--search", "zzz"), ("--json",)):
        found, text = inspected(tmp_path, capsys, "s1", *words)
        assert (found in {code, 2}, "Traceback" in text) == (True, False), text
    assert inspected(tmp_path, capsys, "s1")[0] == code


def test_parts_that_are_missing_are_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = search_of(tmp_path)
    shutil.rmtree(folder / "pages")
    text = inspected(tmp_path, capsys, "s1")[1]
    assert "Missing: 3 parts of its pages cannot be found here" in text
    assert "its text cannot be read" in inspected(tmp_path, capsys, "s1", "--page", "1")[1]


def test_a_word_that_stands_in_a_hash_by_chance_is_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = read_lines(search_of(tmp_path))
    chance = str(lines[5].event.data["id"])[5:15]
    assert inspected(tmp_path, capsys, "s1", "--search", chance)[0] == 0


def test_a_word_is_looked_for_in_all_that_waits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search_of(tmp_path)
    make_spool(tmp_path, "http://server.example", session="newer-one")
    jot = at(0, "jot", A, question="Why is it so?", quote="42")
    Jots(tmp_path).keep("http://server.example", replace(jot, session="jot-1"))
    assert [inspected(tmp_path, capsys, "--search", word)[0] for word in ("42 metres", "another", "nowhere")] == [
        4,
        4,
        0,
    ]
    code, text = inspected(tmp_path, capsys, "--search", "why is")
    assert (code, "It stands in a jotted question: Why is it so? / 42" in text) == (4, True)
    assert "A jotted question: Why is it so? / 42" in inspected(tmp_path, capsys)[1]


def test_nothing_is_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert inspected(tmp_path, capsys, "--search", "x") == (0, "Nothing waits on this machine.\n")
