"""The tasks on real documents: every cell was read there, and a missing package is said in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser_capture.errors import UserError
from exports.demo import real_docs
from exports.demo.demo_tasks import DemoTask, demo_tasks
from exports.demo.web import DemoWeb
from tests.exports.demo import task_claims
from tests.exports.demo.reading import read_page

TASKS = demo_tasks("real_docs")
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task.task_id)


@pytest.mark.real_docs
@each_task
def test_every_cell_stands_on_the_page_that_proves_it(task: DemoTask, real_docs_web: DemoWeb) -> None:
    assert task_claims.unproven_cells(real_docs_web, task) == []


@each_task
def test_every_cell_has_a_proof(task: DemoTask) -> None:
    assert task_claims.cells_without_proof(task) == set()


@each_task
def test_answer_is_written_in_the_published_layout(task: DemoTask) -> None:
    assert task_claims.rewritten(task) == task.gold_csv


@pytest.mark.real_docs
@each_task
def test_path_leads_where_it_says(task: DemoTask, real_docs_web: DemoWeb) -> None:
    assert task_claims.first_wrong_step(real_docs_web, task) is None


@each_task
def test_path_sees_every_page_the_answer_needs(task: DemoTask) -> None:
    assert task_claims.pages_never_seen(task) == set()


@pytest.mark.real_docs
@pytest.mark.parametrize("module", ["nntplib", "optparse"])
def test_blank_cells_are_modules_whose_page_states_no_removal(module: str, real_docs_web: DemoWeb) -> None:
    text = read_page(real_docs_web, f"https://docs.python.org/3.11/library/{module}.html").text
    assert f"The {module} module is deprecated" in text
    assert "will be removed in version" not in text


@pytest.mark.real_docs
def test_table_holds_every_module_of_the_chapter(real_docs_web: DemoWeb) -> None:
    gold = task_claims.gold_of(next(task for task in TASKS if task.task.task_id == "python-superseded-modules"))[1]
    chapter = read_page(real_docs_web, "https://docs.python.org/3.11/library/superseded.html").links
    listed = sorted({link.url.rpartition("/")[2] for link in chapter if " — " in link.text and "#" not in link.url})
    assert [f"{row[0]}.html" for row in gold.rows] == [name for name in listed if name != "syslog.html"]


@pytest.mark.real_docs
def test_about_six_hundred_pages_are_searched(real_docs_web: DemoWeb) -> None:
    assert 500 < len(real_docs_web.engine.documents) < 700


def test_folder_without_the_documents_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(real_docs.VARIABLE, str(tmp_path))
    with pytest.raises(UserError, match="does not hold the documents of debian-history"):
        real_docs.real_docs(tmp_path / "cache")


def test_machine_without_apt_is_told_where_to_put_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(real_docs.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"apt-get is not on this machine. Put the .deb files .* into .*cache"):
        real_docs.real_docs(tmp_path / "cache")
