"""Imports run down the floors, and no two modules or packages import each other in a circle."""

from __future__ import annotations

import ast
import shutil
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.house.imports import FLOORS, imports, modules

ROOT = Path(__file__).parents[2]


def upward_imports(root: Path) -> list[str]:
    """Return the imports that climb from a floor to one above it."""
    height = {name: number for number, name in enumerate(FLOORS)}
    return [
        f"{edge.importer} imports {edge.imported}"
        for edge in imports(root)
        if height.get(edge.imported.partition(".")[0], -1) > height[edge.importer.partition(".")[0]]
    ]


def circle(root: Path) -> list[str]:
    """Return the modules of one import circle, or nothing."""
    known = {name for name, _ in modules(root)}
    graph: dict[str, set[str]] = {name: set() for name in known}
    for edge in imports(root):
        if edge.imported in known and edge.imported != edge.importer:
            graph[edge.importer].add(edge.imported)
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.fixture
def copied_tree(tmp_path: Path) -> Path:
    for floor in FLOORS:
        shutil.copytree(ROOT / floor, tmp_path / floor, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_imports_run_down_the_floors() -> None:
    assert upward_imports(ROOT) == []


def test_no_import_circle() -> None:
    assert circle(ROOT) == []


@pytest.mark.parametrize(
    ("low", "high"), [("browser_capture", "verifier"), ("verifier", "exports"), ("annotator_server", "exports")]
)
def test_planted_climb_is_seen(copied_tree: Path, low: str, high: str) -> None:
    (copied_tree / low / "planted.py").write_text(f"def late():\n    import {high}\n")
    assert upward_imports(copied_tree) == [f"{low}.planted imports {high}"]


def test_planted_circle_is_seen(copied_tree: Path) -> None:
    (copied_tree / "verifier" / "one.py").write_text("from verifier import two\n")
    (copied_tree / "verifier" / "two.py").write_text("import verifier.one\n")
    assert {"verifier.one", "verifier.two"} <= set(circle(copied_tree))


def talkative_package_files(root: Path) -> list[str]:
    """Return the `__init__.py` files that hold more than a docstring."""
    return [
        name
        for name, path in modules(root)
        if path.name == "__init__.py" and len(ast.parse(path.read_text(encoding="utf-8")).body) != 1
    ]


def test_package_files_hold_a_docstring_and_no_imports() -> None:
    assert talkative_package_files(ROOT) == []


def test_planted_import_in_a_package_file_is_seen(copied_tree: Path) -> None:
    (copied_tree / "verifier" / "__init__.py").write_text('"""Floor 2."""\nfrom verifier import tasks\n')
    assert talkative_package_files(copied_tree) == ["verifier"]
