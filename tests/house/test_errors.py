"""Every error class stands in its floor's `errors.py`, and in the tree that file opens with."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.imports import FLOORS

ROOT = Path(__file__).parents[2]


def classes(path: Path) -> list[ast.ClassDef]:
    """Return the classes of a file."""
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ClassDef)]


ERRORS = {found.name for floor in FLOORS for found in classes(ROOT / floor / "errors.py")}


@pytest.mark.parametrize("floor", FLOORS)
def test_the_tree_names_every_error_and_no_other(floor: str) -> None:
    path = ROOT / floor / "errors.py"
    tree = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    drawn = set(re.findall(r"^[│├└─ ]*(?:\w+\.)*([A-Z]\w+)(?: {2,}|$)", tree, re.MULTILINE))
    assert {found.name for found in classes(path)} <= drawn <= ERRORS


def strays(root: Path, floor: str) -> list[str]:
    """Return the error classes of a floor that stand outside its `errors.py`."""
    return [
        f"{path.name}: {found.name}"
        for path in (root / floor).rglob("*.py")
        if path != root / floor / "errors.py"
        for found in classes(path)
        if any(ast.unparse(base) in ERRORS | {"Exception", "ValueError", "RuntimeError"} for base in found.bases)
    ]


@pytest.mark.parametrize("floor", FLOORS)
def test_no_error_is_made_elsewhere(floor: str) -> None:
    assert strays(ROOT, floor) == []


def test_planted_stray_is_seen(tmp_path: Path) -> None:
    (tmp_path / "verifier").mkdir()
    (tmp_path / "verifier" / "planted.py").write_text("class Lost(UserError):\n    pass\n", encoding="utf-8")
    assert strays(tmp_path, "verifier") == ["planted.py: Lost"]
