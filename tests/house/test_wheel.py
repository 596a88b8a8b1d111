"""An ordinary wheel brings everything the packages read at run time: schemas, templates, scripts, pages."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.house.imports import FLOORS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("trailbench-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_holds_every_file_of_the_packages(wheel_names: set[str]) -> None:
    listed = subprocess.run(["git", "ls-files", *FLOORS], cwd=ROOT, check=True, capture_output=True, text=True)
    assert set(listed.stdout.split("\n")) - {""} - wheel_names == set()


def test_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    assert {name.partition("/")[0] for name in wheel_names if ".dist-info/" not in name} == set(FLOORS)
