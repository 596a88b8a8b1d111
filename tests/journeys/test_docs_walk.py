"""One reader follows the docs from an empty folder to a report: every command and every step, in order."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from exports.demo import webs
from exports.demo.people.office import open_office
from tests.journeys import doc_pages
from tests.journeys.doc_pages import Command, UnreadableStep, deeds, fits, read_steps
from tests.journeys.reader import Reader

DOCS = Path(__file__).parents[2] / "docs"
RELEASE = "Freeze a release"
WALK: tuple[tuple[str, dict[str, str]], ...] = (
    ("maintainer.md", {"before": RELEASE}),
    ("annotator.md", {}),
    ("reviewer.md", {}),
    ("maintainer.md", {"after": RELEASE}),
    ("researcher.md", {}),
)


@pytest.mark.browser
@pytest.mark.real_docs
def test_every_command_and_step_of_the_docs_works(tmp_path: Path) -> None:
    with webs.real_documents() as web, open_office() as office:
        reader = Reader(tmp_path, office, web)
        try:
            for page, section in WALK:
                for step in read_steps(DOCS / page, **section):
                    reader.do(step)
        finally:
            reader.close()
    assert (tmp_path / "runs/first/report.html").stat().st_size > 10_000


def test_every_page_with_commands_is_walked() -> None:
    walked = {page for page, _ in WALK}
    assert {page.name for page in DOCS.glob("*.md") if list(read_steps(page))} == walked


def test_step_that_nobody_can_do_is_seen() -> None:
    with pytest.raises(UnreadableStep, match="Dream"):
        deeds("Dream of **Submit**.")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (("...",), "", True),
        (("a", "...", "c"), "a\nb\nb\nc\n", True),
        (("Report ... in r",), "Report 12 in r\n", True),
        (("a",), "b", False),
        (("a",), "a\nb", False),
    ],
)
def test_shown_output_is_compared(shown: tuple[str, ...], printed: str, same: bool) -> None:
    assert fits(shown, printed) is same


def test_examples_of_the_reader_hold() -> None:
    assert doctest.testmod(doc_pages).failed == 0


def test_console_block_gives_commands_with_their_output(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ one\nout\n$ two\n```\n")
    assert list(read_steps(page)) == [Command("one", ("out",)), Command("two", ())]
