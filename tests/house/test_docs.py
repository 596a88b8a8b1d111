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
CHECK_NAME = re.compile(r'^CHECK, VERSION = "(\w+)"', re.MULTILINE)
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


THINGS: dict[str, set[str]] = {
    "command": set(COMMANDS),
    "agent": set(ROSTER),
    "setting": set(re.findall(r"^#? ?(\w+) = ", STARTING_CONFIG, re.MULTILINE)),
    "variable": set(re.findall(r"TRAILBENCH_[A-Z_]+", SOURCES)),
    "schema": {path.name.partition(".")[0] + "/1" for path in ROOT.glob("*/schemas/*.schema.json")},
    "check": {found[1] for path in CHECKS if (found := CHECK_NAME.search(path.read_text(encoding="utf-8")))},
}
"""What the docs must name, by kind."""
EVERY_KIND = pytest.mark.parametrize("kind", THINGS)


def unnamed(kind: str, text: str) -> list[str]:
    """Return the things of a kind that a text does not name: in code marks, or commands anywhere."""
    form = "{}" if kind == "command" else r"`[^`\n]*\b{}\b[^`\n]*`"
    return sorted(name for name in THINGS[kind] if not re.search(form.format(re.escape(name)), text))


def broken_links(page: Path) -> list[str]:
    """Return the links of a page to files that are not there."""
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [target for target in targets if not (page.parent / target).exists()]


def failing_examples(page: Path) -> int:
    """Return how many Python examples of a page do not do what they show."""
    return doctest.testfile(str(page), module_relative=False, report=False, verbose=False).failed


@EVERY_KIND
def test_docs_name_everything(kind: str) -> None:
    assert unnamed(kind, TEXT) == []


@EVERY_KIND
def test_planted_gap_in_the_docs_is_seen(kind: str) -> None:
    name = max(THINGS[kind])
    assert name in unnamed(kind, TEXT.replace(name, "..."))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_an_example(name: str) -> None:
    with click.Context(COMMANDS[name], info_name=name) as context:
        assert f"Example: {name}" in " ".join(COMMANDS[name].get_help(context).split())


@PAGE
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_planted_broken_link_is_seen(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("See [there](nowhere.md) and [here](page.md#part).", encoding="utf-8")
    assert broken_links(tmp_path / "page.md") == ["nowhere.md"]


@PAGE
def test_python_in_the_docs_runs(page: Path) -> None:
    assert failing_examples(page) == 0


def test_planted_wrong_example_is_seen(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(">>> 1 + 1\n3\n", encoding="utf-8")
    assert failing_examples(tmp_path / "page.md") == 1
