"""Where a browser is looked for, and what is said when there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from browser_capture.browser_profile import prepare_profile
from browser_capture.chromium import find_chromium, require_chromium
from browser_capture.chromium_fetch import NODE_VARIABLE, driver_environment
from browser_capture.errors import BrowserNotFound
from browser_capture.folders import capture_home


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home of a person on a machine without any browser."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("TRAILBENCH_CHROMIUM", "PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME", NODE_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def program(path: Path) -> Path:
    """Make a file that can be started."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


PLACES = [
    "bin/chromium",
    "bin/google-chrome-stable",
    "bin/microsoft-edge",
    ".cache/ms-playwright/chromium-1200/chrome-linux/chrome",
    ".cache/ms-playwright/chromium-1300/chrome-linux64/chrome",
    ".cache/trailbench/headless-shell/chromium",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_browser_is_found_in_each_usual_place(bare: Path, place: str) -> None:
    path = program(bare / place)
    found = find_chromium()
    assert found is not None
    assert (found.path, found.headless_only) == (path, "headless-shell" in place)


def test_what_is_named_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "bin" / "chromium")
    mine, other = program(bare / "mine"), program(bare / "other")
    monkeypatch.setenv("TRAILBENCH_CHROMIUM", str(other))
    assert [require_chromium(mine).path, require_chromium().path] == [mine, other]


def test_no_browser_names_the_ways_to_one(bare: Path) -> None:
    with pytest.raises(BrowserNotFound, match=r"install one .* --browser or TRAILBENCH_CHROMIUM"):
        require_chromium()


def test_a_named_browser_that_is_not_there_is_said_with_who_named_it(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAILBENCH_CHROMIUM", "/no/such")
    with pytest.raises(BrowserNotFound, match="TRAILBENCH_CHROMIUM names /no/such"):
        require_chromium()


def test_a_driver_that_runs_needs_nothing(bare: Path) -> None:
    assert driver_environment() == {}


def test_the_profile_has_google_and_nothing_that_remembers(tmp_path: Path) -> None:
    path = prepare_profile(tmp_path / "profile") / "Default" / "Preferences"
    found = json.loads(path.read_text())
    assert found["default_search_provider_data"]["template_url_data"]["keyword"] == "google.com"
    assert (found["credentials_enable_service"], found["translate"]["enabled"]) == (False, False)


@pytest.mark.parametrize(
    ("before", "kept"), [('{"mine": 1, "profile": {"name": "x"}}', 1), ("{broken", None), ("[]", None)]
)
def test_a_profile_keeps_what_the_browser_wrote(tmp_path: Path, before: str, kept: int | None) -> None:
    path = tmp_path / "Default" / "Preferences"
    path.parent.mkdir()
    path.write_text(before)
    prepare_profile(tmp_path)
    found = json.loads(path.read_text())
    assert (found.get("mine"), found["profile"]["exit_type"]) == (kept, "Normal")


def test_the_home_is_as_given_else_as_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAILBENCH_CAPTURE_HOME", str(tmp_path / "env"))
    assert [capture_home(tmp_path / "given"), capture_home()] == [tmp_path / "given", tmp_path / "env"]
