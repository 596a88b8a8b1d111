"""`trailbench capture`, as typed: what it says and the code it leaves with."""

from __future__ import annotations

import io
import json
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from browser_capture.checkup_machine import GET_A_DISPLAY, NO_DISPLAY
from browser_capture.claims import Holder, Process, claimed
from browser_capture.cli import recording
from browser_capture.kept_draft import KeptDraft
from exports.cli.root import run
from tests.browser_capture.capture_server import CODE, TOKEN, CaptureServer
from tests.browser_capture.recordings import make_spool


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was printed on either stream."""
    out, err = capsys.readouterr()
    return out + err


def test_login_keeps_the_token_for_its_owner_alone(tmp_path: Path, server: CaptureServer) -> None:
    assert run(["capture", "login", server.url, "--code", CODE, "--home", str(tmp_path)]) == 0
    path = tmp_path / "credentials.json"
    assert json.loads(path.read_text())["token"] == TOKEN
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_code_works_once(tmp_path: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [run(["capture", "login", server.url, "--code", CODE, "--home", str(tmp_path)]) for _ in range(2)]
    assert codes == [0, 2]
    assert f"get a new one at {server.url}/account/pair" in said(capsys)


def test_login_without_a_terminal_names_the_option_for_the_code(
    tmp_path: Path, server: CaptureServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["capture", "login", server.url, "--home", str(tmp_path)]) == 2
    assert ("give --code" in said(capsys), server.asked) == (True, [])


def test_login_asks_for_the_code(tmp_path: Path, server: CaptureServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{CODE}\n"))
    assert run(["capture", "login", server.url, "--home", str(tmp_path)]) == 0


def test_an_address_with_a_path_is_told_apart_from_a_wrong_code(
    tmp_path: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"{server.url}/account/pair"
    assert run(["capture", "login", address, "--code", CODE, "--home", str(tmp_path)]) == 2
    assert "answers, but not as an annotation server" in said(capsys)


WRONG = [
    (["capture", "login", "http://127.0.0.1:9", "--code", "1"], 3, "cannot reach http://127.0.0.1:9"),
    (["capture", "login", "no address", "--code", "1"], 2, "expected one such as"),
    (["capture", "login", "http://a b", "--code", "1"], 2, "expected one such as"),
    (["capture", "login", "http://127.0.0.1:99999", "--code", "1"], 2, "expected one such as"),
    (["capture", "login", "http://me:secret@a.example", "--code", "1"], 2, "expected one such as"),
    (["capture", "login", "http://127.0.0.1:9", "--code", " "], 2, "a code is missing; show one at http://127.0.0.1:9"),
    (["capture", "start", " "], 2, "the task is missing"),
    (["capture", "inspect"], 2, "no recording waits in"),
    (["capture", "inspect", ""], 2, "a recording's name is missing"),
    (["capture", "forget", "s1", "x"], 2, "expected two numbers such as 12-20"),
    (["capture", "upload", "--tries", "0"], 2, "not in the range"),
    (["capture", "start", "t1"], 2, "not paired with a server yet"),
    (["capture", "start", "unknown"], 2, "not paired"),
    (["capture", "start"], 2, "Missing argument"),
    (["capture", "upload", "--tries", "many"], 2, "not a valid integer"),
]


@pytest.mark.parametrize(("words", "code", "sentence"), WRONG)
def test_each_mistake_has_its_sentence_and_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, sentence: str
) -> None:
    assert run([*words, "--home", str(tmp_path)]) == code
    assert sentence in said(capsys)


TASKS = [
    ("unknown", "knows no task 'unknown'"),
    ("../time", "knows no task '../time'"),
    ("theirs", "not claimed by you"),
]


@pytest.mark.parametrize(("task", "sentence"), TASKS)
def test_a_task_must_be_known_and_mine(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str], task: str, sentence: str
) -> None:
    server.tasks["theirs"] = False
    assert run(["capture", "start", task, "--home", str(home), "--headless"]) == 2
    assert sentence in said(capsys)


def test_a_damaged_pairing_is_named_by_status(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "credentials.json").write_text('{"ser')
    assert run(["capture", "status", "--home", str(home)]) == 0
    assert f"Not paired: {home / 'credentials.json'} cannot be read" in said(capsys)


@pytest.mark.parametrize("code", [0, 21])
def test_a_profile_in_use_is_told_from_a_broken_browser(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    browser = tmp_path / "chromium"
    browser.write_text(f"#!/bin/sh\nexit {code}\n")
    browser.chmod(0o755)
    assert run(["capture", "start", "t1", "--home", str(home), "--browser", str(browser), "--headless"]) == 2
    assert "another capture browser uses the same profile" in said(capsys)


AT_WORK = [
    ("recording", ["start", "t1", "--headless"], "records task t1"),
    ("recording", ["resume", "--headless"], "goes on with a recording"),
    ("jotting", ["jot", "--headless"], "jots questions down"),
]


@pytest.mark.parametrize(("module", "words", "doing"), AT_WORK)
def test_who_has_the_capture_browser_says_what_for(
    home: Path, monkeypatch: pytest.MonkeyPatch, module: str, words: list[str], doing: str
) -> None:
    said = list[str]()

    @contextmanager
    def had_by_another(home: Path, name: str, doing: str) -> Iterator[Holder]:
        said.append(doing)
        yield Holder(Process(1, 0.0, 0.0), "records task t9", 0.0)

    monkeypatch.setattr(f"browser_capture.cli.{module}.claimed", had_by_another)
    monkeypatch.setattr(f"browser_capture.cli.{module}.require_chromium", lambda path: None)
    assert (run(["capture", *words, "--home", str(home)]), said) == (2, [doing])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems show windows by themselves")
@pytest.mark.parametrize("words", [["start", "t1"], ["jot"]])
def test_without_a_display_no_browser_is_started(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    for module in ("recording", "jotting"):
        monkeypatch.setattr(f"browser_capture.cli.{module}.require_chromium", lambda path: None)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert run(["capture", *words, "--home", str(home)]) == 2
    text = said(capsys)
    assert (NO_DISPLAY in text, GET_A_DISPLAY in text, (home / "profile").exists()) == (True, True, False)


def test_a_missing_browser_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "start", "t1", "--home", str(home), "--browser", "/no/such/browser"]) == 2
    assert "--browser names /no/such/browser" in said(capsys)


def test_a_browser_that_does_not_start_is_reported(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake = home / "browser"
    fake.write_text("#!/bin/sh\necho 'FATAL no display' >&2\nexit 3\n")
    fake.chmod(0o755)
    assert run(["capture", "start", "t1", "--home", str(home), "--browser", str(fake), "--headless"]) == 2
    assert "ended with code 3: FATAL no display" in said(capsys)


def test_another_server_than_the_paired_one_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "start", "t1", "--home", str(home), "--server", "http://other.example"]) == 2
    assert "is paired with http://127.0.0.1" in said(capsys)


def test_upload_sends_what_waits_and_removes_it(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_spool(home, server.url)
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert (server.recordings["s1"].state, folder.exists()) == ("complete", False)
    assert "1 recording sent" in said(capsys)


def test_upload_says_where_the_answer_is_handed_in(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    make_spool(home, server.url)
    assert run(["capture", "upload", "--home", str(home)]) == 0
    assert f"1 recording sent.\nNext: open {server.url}/panel/t1 and press Submit\n" in said(capsys)


def test_upload_names_the_answer_that_is_still_on_this_machine(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    make_spool(home, server.url)
    KeptDraft(home, "t1").keep("2002", [], 0)
    server.away = True
    assert run(["capture", "upload", "--home", str(home), "--tries", "1"]) == 3
    assert "The answer" not in said(capsys)
    server.away = False
    assert run(["capture", "upload", "--home", str(home)]) == 0
    text = said(capsys)
    assert ("trailbench capture start t1 shows it in the panel" in text, "/panel/t1" in text) == (True, False)


def test_upload_ends_a_recording_whose_recorder_died(home: Path, server: CaptureServer) -> None:
    make_spool(home, server.url, whole=False)
    assert run(["capture", "upload", "--home", str(home)]) == 0
    events = server.recordings["s1"].events
    assert [event.type for event in events[-3:]] == ["recorder_gap", "task_stop", "session_end"]
    assert events[-2].data["reason"] == "crash"


def test_upload_to_an_absent_server_keeps_everything(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_spool(home, server.url)
    server.away = True
    assert run(["capture", "upload", "--home", str(home), "--tries", "1"]) == 3
    server.away = False
    assert folder.exists()
    assert run(["capture", "upload", "--home", str(home)]) == 0


def test_upload_says_once_why_a_recording_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_spool(home, "http://other.example")
    assert run(["capture", "upload", "--home", str(home)]) == 2
    text = said(capsys)
    assert (text.count("belongs to"), "Error: 1 recording stays on this machine" in text) == (1, True)


@pytest.mark.parametrize(("is_recorded", "advice"), [(True, "press Stop in the panel"), (False, "capture upload")])
def test_status_says_how_a_recording_is_sent(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str], is_recorded: bool, advice: str
) -> None:
    folder = make_spool(home, server.url, whole=not is_recorded)
    with claimed(home, folder.name, "records") if is_recorded else nullcontext():
        assert run(["capture", "status", "--home", str(home)]) == 0
    text = said(capsys)
    assert (advice in text, "capture upload" in text) == (True, not is_recorded)


def test_a_browser_that_is_closed_before_start_recorded_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def closed_at_once(*_: object) -> None:
        """Record nothing."""

    monkeypatch.setattr(recording, "require_chromium", lambda path: None)
    monkeypatch.setattr(recording, "_record", closed_at_once)
    assert run(["capture", "start", "t1", "--home", str(home), "--headless"]) == 0
    assert "Nothing was recorded" in said(capsys)


def test_the_first_line_says_that_start_begins_it() -> None:
    assert recording._first_line("t1", goes_on=False).startswith("For task t1: press Start in the panel.")


def test_a_damaged_recording_holds_up_no_other(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good = make_spool(home, server.url, session="s0"), make_spool(home, server.url)
    (bad / "events.jsonl").write_text('{"broken"}\n' * 3)
    assert run(["capture", "upload", "--home", str(home)]) == 2
    assert (bad.exists(), good.exists()) == (True, False)
    assert "damaged at line 1" in said(capsys)


def test_a_recording_for_another_server_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_spool(home, "http://other.example")
    assert run(["capture", "upload", "--home", str(home)]) == 2
    assert (folder.exists(), "belongs to http://other.example" in said(capsys)) == (True, True)


def test_status_lists_what_waits(home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]) -> None:
    make_spool(home, server.url)
    assert run(["capture", "status", "--home", str(home), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["user"], found["recordings"]) == (
        "ada",
        [{"session": "s1", "task": "t1", "events": 7, "state": "waits"}],
    )


def test_status_goes_into_a_file(home: Path, server: CaptureServer, tmp_path: Path) -> None:
    assert run(["capture", "status", "--home", str(home), "--json", str(tmp_path / "status.json")]) == 0
    assert json.loads((tmp_path / "status.json").read_text()) == {
        "server": server.url, "user": "ada", "recordings": [], "jots": 0
    }  # fmt: skip


def test_status_of_a_new_machine_names_the_first_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "status", "--home", str(tmp_path)]) == 0
    assert "trailbench capture login" in said(capsys)


def test_login_tells_programs_whose_machine_it_is_and_keeps_the_token_to_itself(
    tmp_path: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["capture", "login", server.url, "--code", CODE, "--home", str(tmp_path), "--json"]) == 0
    text = capsys.readouterr().out
    assert json.loads(text) == {"server": server.url, "user": "ada", "project": "demo"}


def test_upload_tells_programs_what_became_of_each(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str]
) -> None:
    make_spool(home, "http://other.example", session="s0")
    make_spool(home, server.url)
    assert run(["capture", "upload", "--home", str(home), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["recordings"]
    assert [(item["session"], item["state"]) for item in found] == [("s0", "kept"), ("s1", "complete")]
    assert "belongs to http://other.example" in found[0]["reason"]


def test_upload_of_nothing_is_an_empty_list(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "upload", "--home", str(home), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["recordings"] == []


DAMAGED = ["[]", "7", "{}", '{"server":7,"token":"t","user":"u"}', '{"server":"http://a","token":"t"}', "\x00"]


@pytest.mark.parametrize("content", DAMAGED)
@pytest.mark.parametrize("words", [["upload"], ["start", "t1"], ["resume"]])
def test_a_damaged_pairing_is_a_sentence_wherever_it_is_needed(
    home: Path, server: CaptureServer, capsys: pytest.CaptureFixture[str], words: list[str], content: str
) -> None:
    make_spool(home, server.url)
    (home / "credentials.json").write_text(content)
    assert run(["capture", *words, "--home", str(home)]) == 2
    assert "credentials.json cannot be read" in said(capsys)
