"""The tasks of the demo's own web: what they ask is on its pages, and the paths lead there."""

from __future__ import annotations

import pytest

from exports.demo.demo_tasks import DemoTask, demo_tasks
from exports.demo.web import DemoWeb
from tests.exports.demo import task_claims
from tests.exports.demo.reading import read_page

TASKS = demo_tasks("own")
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task.task_id)


def test_each_answer_type_has_one_task() -> None:
    types = [task.task.answer_format.type for task in TASKS if task.task.answer_format]
    assert sorted(types) == ["item", "list", "set", "table"]


@each_task
def test_every_cell_stands_on_the_page_that_proves_it(task: DemoTask, own_demo_web: DemoWeb) -> None:
    assert task_claims.unproven_cells(own_demo_web, task) == []


@each_task
def test_every_cell_has_a_proof(task: DemoTask) -> None:
    assert task_claims.cells_without_proof(task) == set()


@each_task
def test_answer_is_written_in_the_published_layout(task: DemoTask) -> None:
    assert task_claims.rewritten(task) == task.gold_csv


@each_task
def test_path_leads_where_it_says(task: DemoTask, own_demo_web: DemoWeb) -> None:
    assert task_claims.first_wrong_step(own_demo_web, task) is None


@each_task
def test_path_sees_every_page_the_answer_needs(task: DemoTask) -> None:
    assert task_claims.pages_never_seen(task) == set()


@each_task
def test_question_needs_more_than_one_page(task: DemoTask) -> None:
    assert len({proof.url for proof in task.proofs} | set(task.also_needed)) > 1


def test_paths_use_every_way_to_move() -> None:
    used = {step.do for task in TASKS for step in task.path}
    assert used == {"search", "click", "open_tab", "close_tab", "back", "reload", "type_address"}


def test_outdated_page_ranks_first_and_says_otherwise(own_demo_web: DemoWeb) -> None:
    hits, _ = own_demo_web.engine.search("tallest lighthouse of the Merrow Isles")
    assert hits[0].document.url == "https://wanderer.example/merrow-2009.html"
    assert "Gannet Rock\t41 m" in read_page(own_demo_web, hits[0].document.url).text
