"""A person who copies values on the pages they read and pastes them into the panel, with real keys."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from browser_capture.urls import strict_key
from exports.demo.demo_tasks import DemoTask
from verifier.answers.csv_files import read_answer_csv

MOST = 5
"""Values copied for one answer: enough to show how it is done. The rest is typed."""

_MARK = """([value, words]) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const fold = text => text.replace(/\\s+/g, " ");
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const at = node.data.indexOf(value);
    if (at < 0 || !words.includes(fold(node.data).trim()) && !fold(node.data).includes(words)) continue;
    getSelection().setBaseAndExtent(node, at, node, at + value.length);
    return getSelection().toString().trim() === value;
  }
  return false;
}"""
"""Marks a value in the text that holds it: among the words a cell is proven by, or around them."""


class Copyist:
    """Copies what proves cells of a task's answer, wherever it is read, into their rows of the panel, keys first."""

    def __init__(self, panel: Page, demo: DemoTask) -> None:
        answer_format = demo.task.answer_format
        assert answer_format is not None  # noqa: S101 - every task of the demo is structured
        self._panel = panel
        self._header = answer_format.header
        self._rows = read_answer_csv(demo.gold_csv, answer_format).rows
        self._left = list(demo.proofs)
        self._begun: list[int] = []
        self._done = 0

    def copy_from(self, tab: Page) -> None:
        """Copy what the page in front says of cells that are not copied yet."""
        here = strict_key(tab.url)
        for proof in [proof for proof in self._left if strict_key(proof.url) == here]:
            if self._done == MOST:
                return
            value = self._rows[proof.row][self._header.index(proof.column)]
            words = next((words for words in proof.quote.split("\t") if value and value in words), None)
            if words is None or not tab.evaluate(_MARK, [value, words]):
                continue
            tab.keyboard.press("Control+c")
            self._left.remove(proof)
            self._done += 1
            self._paste(proof.row, proof.column)
            tab.bring_to_front()

    def _paste(self, row: int, column: str) -> None:
        self._panel.bring_to_front()
        if row not in self._begun:
            self._begun.append(row)
            if column != self._header[0]:
                self._cell(row, self._header[0]).fill(self._rows[row][0])
        self._cell(row, column).click()
        self._panel.keyboard.press("ControlOrMeta+a")
        self._panel.keyboard.press("Control+v")

    def _cell(self, row: int, column: str) -> Locator:
        return self._panel.get_by_label(f"{column}, row {self._begun.index(row) + 1}", exact=True)
