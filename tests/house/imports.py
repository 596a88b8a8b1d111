"""Read the imports of a source tree without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FLOORS = ("browser_capture", "verifier", "annotator_server", "exports")
"""Bottom first: a floor may import itself and those before it."""


class Import(NamedTuple):
    """`importer` imports `imported`; both are dotted module names. `lazy` stands inside a function."""

    importer: str
    imported: str
    lazy: bool


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the dotted name and the file of every module of the four packages, by name."""
    for floor in FLOORS:
        for path in sorted((root / floor).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(root: Path) -> list[Import]:
    """Return every import of the four packages, `TYPE_CHECKING` ones and those inside functions included."""
    known = {name for name, _ in modules(root)}
    found: list[Import] = []
    for name, path in modules(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        outer = set(map(id, tree.body))
        for node in ast.walk(tree):
            for target in _targets(node, known):
                found.append(Import(name, target, id(node) not in outer))
    return found


def _targets(node: ast.AST, known: set[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        inner = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if name in known else node.module for name in inner]
    return []
