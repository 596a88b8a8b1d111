"""Each outside library has one door: the file, or the folder, that may import it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.imports import FLOORS, imports

ROOT = Path(__file__).parents[2]

DOORS: dict[str, tuple[str, ...]] = {
    "playwright": ("browser_capture.browser", "exports.demo.people"),
    "jsonschema": ("browser_capture.json_records",),
    "cattrs": ("browser_capture.json_records",),
    "openai": ("verifier.language_model.client",),
    "xllamacpp": ("verifier.language_model.local_server",),
    "flask": ("annotator_server",),
    "flask_sqlalchemy": ("annotator_server",),
    "flask_login": ("annotator_server",),
    "flask_wtf": ("annotator_server",),
    "flask_migrate": ("annotator_server",),
    "sqlalchemy": ("annotator_server",),
    "huey": ("annotator_server",),
    "pandas": ("exports.evaluation.report", "exports.benchmark"),
    "matplotlib": ("exports.evaluation.report",),
    "ray": ("exports.evaluation.ray_executor",),
    "annotator_server": ("annotator_server", "exports.benchmark.approved_tasks"),
}
"""Library -> the modules and packages that may import it."""


def forced_doors(root: Path) -> list[str]:
    """Return the imports of a library outside its door."""
    return [
        f"{edge.importer} imports {edge.imported}"
        for edge in imports(root)
        if (doors := DOORS.get(edge.imported.partition(".")[0]))
        and not any(edge.importer == door or edge.importer.startswith(f"{door}.") for door in doors)
    ]


def test_each_library_has_one_door() -> None:
    assert forced_doors(ROOT) == []


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("import flask", "verifier"),
        ("from playwright.async_api import Page", "verifier"),
        ("from jsonschema import validate", "exports"),
        ("from annotator_server import app", "exports"),
    ],
)
def test_planted_forced_door_is_seen(tmp_path: Path, line: str, place: str) -> None:
    for floor in FLOORS:
        (tmp_path / floor).mkdir()
    (tmp_path / place / "planted.py").write_text(line + "\n")
    assert len(forced_doors(tmp_path)) == 1
