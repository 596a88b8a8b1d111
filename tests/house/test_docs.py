"""The docs name every command, option, setting, schema, check and agent there is; what they link to exists."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from annotator_server.config import STARTING_CONFIG
from exports.agents.roster import ROSTER
from exports.cli.root import trailbench
from tests.house.imports import modules

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
CHECKS = sorted((ROOT / "verifier" / "checks").glob("*.py"))
SOURCES = "\n".join(path.read_text(encoding="utf-8") for _, path in modules(ROOT))
PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the full name of every command below a group, with the command."""
    with click.Context(group) as context:
        for member in group.list_commands(context):
            command = group.get_command(context, member)
            assert command is not None
            if isinstance(command, click.Group) and not command.invoke_without_command:
                yield from commands(command, f"{name} {member}")
            else:
                yield f"{name} {member}", command


COMMANDS = dict(commands(trailbench, "trailbench"))


def test_docs_name_every_agent() -> None:
    assert [name for name in ROSTER if f"`{name}`" not in TEXT] == []


def test_docs_name_every_setting() -> None:
    settings = re.findall(r"^#? ?(\w+) = ", STARTING_CONFIG, re.MULTILINE)
    variables = re.findall(r"TRAILBENCH_[A-Z_]+", SOURCES)
    assert [name for name in {*settings, *variables} if not re.search(rf"`[^`\n]*\b{name}`", TEXT)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_docs_name_every_command(name: str) -> None:
    assert name in TEXT


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_an_example(name: str) -> None:
    with click.Context(COMMANDS[name], info_name=name) as context:
        assert f"Example: {name}" in " ".join(COMMANDS[name].get_help(context).split())


def test_docs_name_every_schema() -> None:
    schemas = [path.name.partition(".")[0] + "/1" for path in ROOT.glob("*/schemas/*.schema.json")]
    assert [name for name in schemas if f"`{name}`" not in TEXT] == []


def test_docs_name_every_check() -> None:
    checks = [re.search(r'^CHECK, VERSION = "(\w+)"', path.read_text(), re.MULTILINE) for path in CHECKS]
    assert [found[1] for found in checks if found and f"`{found[1]}`" not in TEXT] == []


@PAGE
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@PAGE
def test_python_in_the_docs_runs(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0
