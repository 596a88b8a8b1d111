"""What must hold for every task of a demo web; each function is one claim about one task."""

from __future__ import annotations

from browser_capture.page_store import PageLink
from exports.demo.demo_tasks import DemoTask, Step
from exports.demo.web import DemoWeb
from tests.exports.demo.reading import read_page
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.csv_files import read_answer_csv, write_answer_csv
from verifier.answers.parsing import ParsedAnswer


def gold_of(task: DemoTask) -> tuple[AnswerFormat, ParsedAnswer]:
    """Read a task's answer as a person's CSV is read."""
    answer_format = task.task.answer_format
    assert answer_format is not None
    return answer_format, read_answer_csv(task.gold_csv, answer_format)


def unproven_cells(web: DemoWeb, task: DemoTask) -> list[str]:
    """Return the cells whose page does not hold the quote, or whose quote does not hold the cell."""
    answer_format, gold = gold_of(task)
    faults = []
    for proof in task.proofs:
        cell = gold.rows[proof.row][answer_format.header.index(proof.column)]
        if proof.quote not in read_page(web, proof.url).text or cell not in proof.quote:
            faults.append(f"row {proof.row}, {proof.column}: {cell!r} in {proof.url}")
    return faults


def cells_without_proof(task: DemoTask) -> set[tuple[int, str]]:
    """Return the cells that `proof.json` forgets, and the proofs that belong to no cell."""
    answer_format, gold = gold_of(task)
    cells = {(row, column) for row in range(len(gold.rows)) for column in answer_format.header}
    return cells ^ {(proof.row, proof.column) for proof in task.proofs}


def rewritten(task: DemoTask) -> bytes:
    """Return the answer as our own writer writes it."""
    answer_format, gold = gold_of(task)
    return write_answer_csv(gold.header, gold.rows, answer_format)


def first_wrong_step(web: DemoWeb, task: DemoTask) -> Step | None:
    """Walk a path by the links of the pages the web serves; return the first step that does not lead where it says."""
    history: list[list[str]] = [["https://www.google.com/"]]
    for step in task.path:
        here = history[-1]
        if step.do in ("click", "open_tab"):
            link = chosen_link(read_page(web, here[-1]).links, step.text)
            if link is None or link.url.partition("#")[0] != step.url:
                return step
        if step.do == "back":
            here.pop()
        elif step.do == "close_tab":
            history.pop()
        elif step.do == "open_tab":
            history.append([step.url])
        elif step.do != "reload":
            here.append(step.url)
        if history[-1][-1] != step.url:
            return step
    return None


def chosen_link(links: tuple[PageLink, ...], text: str) -> PageLink | None:
    """Return the link a person would click: the one that reads so, else the first that begins so."""
    exact = [link for link in links if link.text == text]
    return next(iter(exact or [link for link in links if link.text.startswith(text)]), None)


def pages_never_seen(task: DemoTask) -> set[str]:
    """Return the pages needed for the answer that the path leaves out."""
    needed = {proof.url for proof in task.proofs} | set(task.also_needed)
    return needed - {step.url for step in task.path}
