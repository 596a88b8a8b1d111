"""`trailbench server` as a person types it: sentences and exit codes, and a server that stops cleanly."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from exports.cli.root import run


def test_setting_up_twice_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert run(["server", "init", "--home", str(home), "--project", "Moon", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["made"] is True
    key = (home / "secret.key").read_text()
    assert run(["server", "init", "--home", str(home), "--project", "Moon", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["made"] is False
    assert (home / "secret.key").read_text() == key
    assert stat.S_IMODE((home / "secret.key").stat().st_mode) == 0o600


def test_a_person_is_added_with_a_password_shown_once(sqlite_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["server", "user", "add", "Mia@Example.org", "--role", "reviewer", "--project", "first"]
    assert run([*arguments, "--home", str(sqlite_home), "--json"]) == 0
    added = json.loads(capsys.readouterr().out)
    assert (added["email"], added["is_new"], len(added["password"]) > 12) == ("mia@example.org", True, True)
    assert run([*arguments, "--home", str(sqlite_home), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["password"] is None


def test_json_goes_into_a_file(sqlite_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "done.jsonl"
    assert run(["server", "upgrade", "--home", str(sqlite_home), "--json", str(out)]) == 0
    assert (json.loads(out.read_text())["changed"], capsys.readouterr().out) == (False, "")


def test_no_password_is_lost_to_a_file_that_cannot_be_written(
    sqlite_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = ["server", "user", "add", "noa@example.org", "--role", "reviewer", "--project", "first"]
    assert run([*person, "--home", str(sqlite_home), "--json", str(tmp_path / "nowhere" / "x")]) == 2
    assert run([*person, "--home", str(sqlite_home), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_new"] is True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["user", "add", "x", "--role", "reviewer", "--project", "first"], "is not an e-mail address"),
        (["user", "add", "x@y", "--role", "reviewer"], "name one with --project: first, "),
        (
            ["user", "add", "x@y", "--role", "reviewer", "--project", "third"],
            "no project 'third'; the projects are: first, ",
        ),
        (["user", "add", "x@y", "--role", "king", "--project", "first"], "king"),
        (["init", "--project", "!!"], "at least one letter"),
        (["run", "--port", "99999"], "99999"),
        (["run", "--host", "256.1.1.1", "--port", "0"], "cannot listen"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(
    sqlite_home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert run(["server", *arguments, "--home", str(sqlite_home)]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


def test_a_home_that_was_never_set_up_is_told_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "run", "--home", str(tmp_path)]) == 2
    assert "trailbench server init" in capsys.readouterr().err


def test_faulty_settings_are_named(sqlite_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sqlite_home / "config.toml").write_text("[tasks]\nlease_minutes = 0\n")
    assert run(["server", "run", "--home", str(sqlite_home)]) == 2
    assert "lease_minutes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("nonsense", 2, "the database's url cannot be read"),
        ("postgresql+nodriver://x/y", 2, "the database's url cannot be read"),
        ("postgresql+psycopg://nobody@127.0.0.1:1/none", 3, "does not answer"),
        ("sqlite:////nowhere/at/all.db", 2, "cannot be read"),
    ],
)
def test_an_unusable_database_is_one_sentence(
    sqlite_home: Path, capsys: pytest.CaptureFixture[str], url: str, code: int, words: str
) -> None:
    (sqlite_home / "config.toml").write_text(f'[database]\nurl = "{url}"\n')
    assert run(["server", "run", "--home", str(sqlite_home)]) == code
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_used_port_is_one_sentence(sqlite_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["server", "run", "--home", str(sqlite_home), "--port", str(port)]) == 2
    assert f"port {port} on 127.0.0.1 is in use" in capsys.readouterr().err


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_running_server_answers_and_stops_at_a_signal(sqlite_home: Path, stop: signal.Signals) -> None:
    command = [sys.executable, "-m", "exports", "server", "run", "--home", str(sqlite_home), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        with urllib.request.urlopen(f"{url}/sign-in", timeout=20) as page:
            assert "Sign in" in page.read().decode()
        server.send_signal(stop)
        out, err = server.communicate(timeout=30)
    assert (server.returncode, json.loads(out)) == (0, {"state": "stopped"})
    assert "Traceback" not in err
