"""Writes docs/scoring.md from the tables that the tests check: `python -m tests.verifier.tables.scoring_page`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.verifier.tables.normalising import DIFFERENT, NEAR, SAME
from tests.verifier.tables.parsing import FILES, REPLIES
from tests.verifier.tables.scoring import METRIC_EXAMPLES
from verifier.answers.answer_format import AnswerFormat
from verifier.answers.columns import Column
from verifier.answers.faults import FAULTS
from verifier.answers.normalization.rule_table import RULES
from verifier.answers.written_cells import MAX_CELLS, MAX_COLUMNS, MAX_ROWS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "scoring.md"
TEMPLATE = Path(__file__).with_suffix(".md")
CASES = ROOT / "tests" / "cases" / "answer_scoring.jsonl"
WIDEST = 160
MOST_ROWS = 6


def scoring_page() -> str:
    """Return the whole page."""
    return re.sub(r"^\{(\w+)\}$", lambda found: _PARTS[found[1]](), TEMPLATE.read_text("utf-8"), flags=re.MULTILINE)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def code(text: str) -> str:
    """Write a text as a code span of a Markdown table; what cannot be seen is named.

    >>> code("a|b"), code(""), code("a\\tb")
    ('`a\\\\|b`', '(nothing)', '`a⇥b`')
    """
    shown = text.replace("\t", "⇥").replace("\n", "⏎")
    shown = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in shown)
    if len(shown) > WIDEST:
        shown = shown[: WIDEST - 2] + " …"
    if not shown:
        return "(nothing)"
    fence = "``" if "`" in shown else "`"
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}".replace("|", "\\|")


def column_words(column: Column) -> str:
    """Say in a few words what a column declares.

    >>> column_words(Column(name="Share (%)", type="percent"))
    'percent, "Share (%)"'
    """
    parts = [column.type]
    if "%" in column.name:
        parts.append(f'"{column.name}"')
    for name in ("date_format", "unit", "null_marker", "tolerance"):
        if value := getattr(column, name):
            parts.append(f"{name.replace('_', ' ')} {value}")
    parts += [" = ".join(spellings) for spellings in column.aliases]
    return ", ".join(parts)


def _rows_words(rows: Iterable[Sequence[str]]) -> str:
    shown = [code("\t".join(row)) for row in rows]
    return " / ".join(shown[:MOST_ROWS]) + (" ..." if len(shown) > MOST_ROWS else "") or "(nothing)"


def _faults() -> str:
    return _table(("fault", "what it means"), ([code(name), text] for name, text in FAULTS.items()))


def _replies() -> str:
    rows = (
        [_asked(one.asked), code(one.reply), _rows_words(one.rows), _fault_words(one.faults), one.note]
        for one in REPLIES
    )
    return _table(("asked", "reply", "what is read", "faults", "why"), rows)


def _files() -> str:
    rows = (
        [
            _asked(one.asked),
            code(one.data.decode("utf-8", "backslashreplace").removeprefix("\ufeff")),
            f"refused: {one.refusal}" if one.refusal else _rows_words(one.rows),
            _fault_words(one.faults),
            one.note,
        ]
        for one in FILES
    )
    return _table(("asked", "file", "what is read", "faults", "why"), rows)


def _asked(asked: AnswerFormat) -> str:
    if asked.type != "table":
        return asked.type
    return "table " + ", ".join(asked.header[:4]) + (", ..." if len(asked.header) > 4 else "")


def _fault_words(faults: Iterable[str]) -> str:
    return ", ".join(map(code, faults))


def _rules() -> str:
    rows = ([code(rule.id), rule.says, code(rule.before), code(rule.after)] for rule in RULES.values())
    return _table(("rule", "what it does", "cell", "equal to"), rows)


def _pairs(pairs: Iterable[Any], third: str) -> str:
    rows = ([column_words(one.column), code(one.one), code(one.other), one.note] for one in pairs)
    return _table(("column", "cell", third, "why"), rows)


def _examples() -> str:
    def figures(values: Any) -> str:
        return ", ".join(f"{name} {value:.4g}" for name, value in values.items())

    rows = (
        [one.type, _rows_words(one.gold), code(one.block), figures(one.figures), one.note] for one in METRIC_EXAMPLES
    )
    return _table(("type", "gold", "reply", "figures", "why"), rows)


def _compat() -> str:
    rows = []
    for line in CASES.read_text(encoding="utf-8").split("\n"):
        case = json.loads(line) if line else {}
        published, right = case.get("reference_result", {}), case.get("right_result", {})
        # Figures of whole runs (overall_...) say nothing about one reply.
        names = [name for name in right if name in published and not name.startswith("overall")]
        differing = [name for name in names if published[name] != right[name]]
        if differing:
            name = min(differing, key=lambda one: (one != "global_em", not one.endswith("f1")))
            rows.append([case["answer_type"], code(case["truth_csv"].strip("\n")), code(_block_of(case["prediction"])),
                         f"{name} {published[name]:.4g} → {right[name]:.4g}"])  # fmt: skip
    return _table(("type", "gold", "reply", "gisa-compat → strict"), rows)


def _block_of(prediction: str) -> str:
    found = re.fullmatch(r"<answer>\n```tsv\n(.*?)\n?```\n</answer>", prediction, re.DOTALL)
    return found[1] if found else prediction


def _limits() -> str:
    return (
        "Replies of any size are read in time that grows with their length and nothing else. Of an answer at most "
        f"{MAX_ROWS:,} rows, {MAX_COLUMNS:,} columns and {MAX_CELLS:,}\ncells are read; what is beyond is left out and "
        "named `oversized`. NUL, lone surrogates and control signs never stop a score."
    )


_PARTS = {
    "faults": _faults,
    "replies": _replies,
    "files": _files,
    "rules": _rules,
    "same": lambda: _pairs(SAME, "the same"),
    "different": lambda: _pairs(DIFFERENT, "not the same"),
    "near": lambda: _pairs(NEAR, "near"),
    "examples": _examples,
    "compat": _compat,
    "limits": _limits,
}

if __name__ == "__main__":
    PAGE.write_text(scoring_page(), encoding="utf-8")
