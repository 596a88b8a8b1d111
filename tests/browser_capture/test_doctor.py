"""`trailbench capture doctor`: each check says what it found and how to mend it, and none holds up the others."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from browser_capture import checkup_machine, checkup_server
from browser_capture.checkup import Check, check_up, verdict_of_late
from browser_capture.checkup_browser import BrowserTrial, version_finding
from browser_capture.checkup_machine import check_disk, check_display, check_leftovers, check_recordings
from browser_capture.checkup_server import check_server, clock_finding
from browser_capture.claims import claimed
from browser_capture.clock import Offset
from browser_capture.credentials import Credentials, save_credentials
from browser_capture.findings import Finding, worst
from exports.cli.root import run
from tests.browser_capture.capture_server import CaptureServer
from tests.browser_capture.recordings import make_spool


def verdicts(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.name, finding.verdict) for finding in findings]


def needs_mending_without_saying_how(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.verdict == "fail" and not (finding.mend and finding.expected)]


@pytest.mark.browser
def test_a_machine_that_is_fit_is_told_so(
    home: Path, server: CaptureServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = [Finding("display", "ok", "X, :0")]
    monkeypatch.setattr("browser_capture.cli.doctor.check_display", lambda: shown)
    began = time.monotonic()
    code = run(["capture", "doctor", "--home", str(home), "--json"])
    found = json.loads(capsys.readouterr().out)
    by_name = {finding["name"]: finding["verdict"] for finding in found["findings"]}
    # On a busy machine a browser may be late; what it may not do is hold the command up.
    assert (code, by_name["server"], {by_name["browser"], by_name.get("recorder", "ok")} <= {"ok", "warn"}) == (
        0, "ok", True,
    ), found  # fmt: skip
    assert time.monotonic() - began < 20
    assert not list(home.glob(".doctor-*"))


def test_a_machine_that_is_not_is_left_with_code_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["capture", "doctor", "--home", str(tmp_path), "--browser", "/no/such/browser"])
    text = capsys.readouterr().out
    assert (code, "fail browser: --browser names /no/such/browser" in text) == (4, True)
    assert "to mend: trailbench capture login" in text


def test_the_help_names_the_code_that_a_failure_leaves_with(capsys: pytest.CaptureFixture[str]) -> None:
    run(["capture", "doctor", "--help"])
    assert "with 4 when something would keep you from recording" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("load", "verdict"), [(0.5, "fail"), (100.0, "warn")])
def test_being_late_on_a_busy_machine_is_no_failure(monkeypatch: pytest.MonkeyPatch, load: float, verdict: str) -> None:
    monkeypatch.setattr("psutil.getloadavg", lambda: (load, 0, 0))
    assert verdict_of_late() == verdict


def test_a_program_that_is_no_browser_is_not_taken_for_a_second_one(tmp_path: Path) -> None:
    fake = tmp_path / "browser"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    assert "left at once, without an error" in BrowserTrial(tmp_path, fake).run()[0].found


def test_a_check_that_hangs_or_falls_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("psutil.getloadavg", lambda: (0.0, 0.0, 0.0))

    def fall() -> Sequence[Finding]:
        raise RuntimeError("oh")

    def wait() -> Sequence[Finding]:
        time.sleep(5)
        return []

    checks = [
        Check("slow", "waiting", 0.1, wait),
        Check("broken", "falling", 1, fall),
        Check("good", "being well", 1, lambda: [Finding("good", "ok", "it is")]),
    ]
    began = time.monotonic()
    assert verdicts(list(check_up(checks))) == [("slow", "fail"), ("broken", "fail"), ("good", "ok")]
    assert time.monotonic() - began < 2


def test_a_server_that_takes_the_call_and_says_nothing_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup_server, "ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        save_credentials(tmp_path, Credentials(server=address, token="t", user="ada"))
        findings = check_server(tmp_path)
    assert verdicts(findings) == [("server", "ok"), ("server", "warn"), ("clock", "warn")]
    assert f"{address} gave no answer within 0.2 seconds" in findings[1].found


def test_a_server_that_is_away_is_named(home: Path, server: CaptureServer) -> None:
    server.away = True
    findings = check_server(home)
    assert verdicts(findings) == [("server", "ok"), ("server", "warn"), ("clock", "warn")]
    assert "a recording can begin without it" in findings[1].mend


def test_a_token_that_ran_out_is_told_from_a_server_that_is_away(home: Path, server: CaptureServer) -> None:
    save_credentials(home, Credentials(server=server.url, token="old", user="ada"))
    finding = check_server(home)[1]
    assert (finding.verdict, finding.mend) == ("fail", f"trailbench capture login {server.url} --code CODE")


def test_another_server_than_the_paired_one_fails(home: Path) -> None:
    assert check_server(home, "http://other.example")[0].verdict == "fail"


def test_a_recording_for_another_server_is_named(home: Path, server: CaptureServer) -> None:
    make_spool(home, "http://other.example")
    assert "belongs to http://other.example" in check_server(home)[-1].found


def test_the_clock_is_compared_with_the_servers(home: Path, server: CaptureServer) -> None:
    server.ahead_ms = 30_000
    finding = check_server(home)[2]
    assert (finding.name, finding.verdict, "behind the server's" in finding.found) == ("clock", "warn", True)


CLOCKS = [(0, "ok"), (-1_900, "ok"), (2_100, "warn"), (-601_000, "fail")]


@pytest.mark.parametrize(("offset", "verdict"), CLOCKS)
def test_a_clock_is_judged_by_how_far_it_is_off(offset: float, verdict: str) -> None:
    assert clock_finding(Offset(offset, 10)).verdict == verdict


VERSIONS = [("Chrome/156.0.1", "ok"), ("HeadlessChrome/119.0", "warn"), ("", "warn"), ("Chrome/x", "warn")]


@pytest.mark.parametrize(("said", "verdict"), VERSIONS)
def test_a_browser_is_judged_by_its_version(said: str, verdict: str) -> None:
    assert version_finding(Path("chromium"), {"Browser": said}).verdict == verdict


def test_a_browser_that_does_not_start_says_why(tmp_path: Path) -> None:
    fake = tmp_path / "browser"
    fake.write_text("#!/bin/sh\necho 'FATAL no library' >&2\nexit 3\n")
    fake.chmod(0o755)
    findings = BrowserTrial(tmp_path, fake).run()
    assert ("ended with code 3: FATAL no library" in findings[0].found, findings[0].verdict) == (True, "fail")
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]


DISPLAYS = [
    ({}, "linux", "fail"),
    ({"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/no/such/folder"}, "linux", "warn"),
    ({"DISPLAY": ":4711"}, "linux", "warn"),
    ({"DISPLAY": "127.0.0.1:4711"}, "linux", "warn"),
    ({}, "darwin", "ok"),
    ({}, "win32", "ok"),
]


@pytest.mark.parametrize(("environment", "platform", "verdict"), DISPLAYS)
def test_a_display_must_be_there_and_answer(environment: dict[str, str], platform: str, verdict: str) -> None:
    assert check_display(environment, platform)[0].verdict == verdict


def test_a_file_in_the_place_of_the_home_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert check_disk(tmp_path / "file")[0].verdict == "fail"


@pytest.mark.parametrize(("free", "verdict"), [(10_000_000, "fail"), (500_000_000, "warn"), (2_000_000_000, "ok")])
def test_a_disk_is_judged_by_its_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, verdict: str) -> None:
    monkeypatch.setattr(checkup_machine, "disk_free", lambda folder: free)
    assert check_disk(tmp_path)[0].verdict == verdict


@pytest.mark.skipif(os.name != "posix", reason="folders of users are guarded by other means there")
def test_a_home_that_others_can_read_is_named(home: Path) -> None:
    home.chmod(0o755)
    findings = [finding for finding in check_disk(home) if finding.verdict == "warn"]
    assert [finding.mend for finding in findings] == [f"chmod 700 '{home}'"]


def test_a_profile_that_no_recording_needs_is_named(tmp_path: Path) -> None:
    (tmp_path / "profile").mkdir()
    assert "may hold cookies" in check_leftovers(tmp_path)[0].found


def test_a_recorder_at_work_is_no_trouble(tmp_path: Path) -> None:
    with claimed(tmp_path, "profile", "has the capture browser"):
        assert check_leftovers(tmp_path)[0].verdict == "ok"


def test_each_recording_is_looked_at(tmp_path: Path) -> None:
    make_spool(tmp_path, "http://server.example", session="waits")
    make_spool(tmp_path, "http://server.example", session="short", whole=False)
    broken = make_spool(tmp_path, "http://server.example", session="broken")
    (broken / "events.jsonl").write_text('{"broken"}\n' * 3)
    lacks = make_spool(tmp_path, "http://server.example", session="lacks")
    next(lacks.glob("pages/??/*.zst")).unlink()
    found = {finding.found.split()[0]: (finding.verdict, finding.mend) for finding in check_recordings(tmp_path)}
    assert {name: verdict for name, (verdict, _) in found.items()} == {
        "waits": "warn", "short": "warn", "broken": "fail", "lacks": "warn"
    }  # fmt: skip
    assert found["short"][1].startswith("trailbench capture resume short")


def test_every_failure_says_what_was_expected_and_how_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    findings = [
        *check_disk(tmp_path / "file"),
        *check_server(tmp_path),
        *BrowserTrial(tmp_path, Path("/no/such/browser")).run(),
        clock_finding(Offset(10_000_000, 1)),
    ]
    assert (worst(findings), needs_mending_without_saying_how(findings)) == ("fail", [])
