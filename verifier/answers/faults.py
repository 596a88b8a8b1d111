"""How a reply or a file may deviate from the asked form: each way has a name, and a score lists them."""

from __future__ import annotations

from collections.abc import Mapping

FAULTS: Mapping[str, str] = {
    "no_answer": "there is no reply, or nothing stands where the answer should be",
    "reasoning": "thoughts stand between think tags; they are left out",
    "no_answer_tag": "the reply has no <answer> tags",
    "multiple_answers": "several <answer> parts; the last one counts",
    "no_fence": "the answer stands in no fenced block",
    "fence_label": "the block is not labelled tsv",
    "multiple_blocks": "several blocks; the last one labelled tsv counts, else the last",
    "truncated": "the block or the answer tag is not closed",
    "oversized": "the answer is longer or wider than is read; the rest is left out",
    "separator": "cells are parted by something else than tabs, in a .csv file than commas",
    "escaped_signs": "tabs or line ends are written as \\t and \\n",
    "json": "the answer is JSON; it is read as a table",
    "html_table": "the answer is a table of HTML; its cells are read",
    "prose": "sentences stand beside the table; they are left out",
    "ruler": "a line of dashes stands below the header; it is left out",
    "header_missing": "the first line is no header",
    "header_mismatch": "a column is missing, unknown or named otherwise",
    "duplicate_header": "two columns have the same name; the first one counts",
    "column_order": "the columns stand in another order",
    "extra_column": "a column beside the answer's only one; it is ignored, except in an item",
    "ragged_row": "a row has more or fewer cells than the header",
    "trailing_separator": "empty cells at the end of a row; they are ignored",
    "numbering": "rows are numbered or bulleted; that is removed",
    "header_row": "a header stands where the layout has none, or again; it is removed",
    "unquoted_comma": "a comma in a one-column file is not quoted; the line is one value",
    "unbalanced_quote": "a quote is opened and never closed; it is read as text",
    "wrong_encoding": "a file of cells is not UTF-8; it was read all the same",
}
"""Every fault a parser may name, with what it means."""
