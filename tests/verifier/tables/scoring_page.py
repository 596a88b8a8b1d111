"""Writes docs/scoring.md from the tables that the tests check: `python -m tests.verifier.tables.scoring_page`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any
from unicodedata import combining

from tests.verifier.tables.normalising import DIFFERENT, NEAR, SAME
from tests.verifier.tables.parsing import FILES, REPLIES
from tests.verifier.tables.published import WHY
from tests.verifier.tables.scoring import METRIC_EXAMPLES
from verifier.answers.answer_format import DEFAULT_HEADERS, AnswerFormat, SortKey
from verifier.answers.columns import Column
from verifier.answers.faults import FAULTS
from verifier.answers.normalization.rule_table import RULES
from verifier.answers.written_cells import MAX_CELLS, MAX_COLUMNS, MAX_ROWS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "scoring.md"
TEMPLATE = Path(__file__).with_suffix(".md")
CASES = ROOT / "tests" / "cases" / "answer_scoring.jsonl"
WIDEST = 160


def scoring_page() -> str:
    """Return the whole page."""
    return re.sub(r"^\{(\w+)\}$", lambda found: _PARTS[found[1]](), TEMPLATE.read_text("utf-8"), flags=re.MULTILINE)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def code(text: str) -> str:
    """Write a text as a code span of a Markdown table; what cannot be seen is named, what repeats is said once.

    >>> code("a|b"), code(""), code("a\\tb"), code("x," * 100)
    ('`a\\\\|b`', '(nothing)', '`a⇥b`', '`x,` 100 times')
    """
    if len(text) > WIDEST and (repeated := re.fullmatch(r"(.*?)(.{1,40}?)\2{9,}(.*)", text, re.DOTALL)):
        before, part, after = repeated.groups()
        times = (len(text) - len(before) - len(after)) // len(part)
        parts = [code(before) + ", then " if before else "", f"{code(part)} {times:,} times", f", then {code(after)}"]
        return "".join(parts[: 3 if after else 2])
    shown = text.replace("\t", "⇥").replace("\n", "⏎")
    # An accent that is a sign of its own looks as if it were none.
    shown = "".join(sign if sign.isprintable() and not combining(sign) else f"\\u{ord(sign):04x}" for sign in shown)
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
    parts: list[str] = [column.type]
    if "%" in column.name:
        parts.append(f'"{column.name}"')
    for name in ("date_format", "unit", "null_marker", "tolerance"):
        if value := getattr(column, name):
            parts.append(f"{name.replace('_', ' ')} {value}")
    parts += [" = ".join(spellings) for spellings in column.aliases]
    return ", ".join(parts)


def rows_words(rows: Iterable[Sequence[str]]) -> str:
    """Write rows as their cells, so that a tab inside of one is not taken for its end.

    >>> rows_words([["A\\tB", "2000"], ["C", ""]])
    '`A⇥B`, `2000` / `C`, (nothing)'
    """
    return " / ".join(", ".join(_few(row)) for row in rows) or "(nothing)"


def _few(row: Sequence[str]) -> list[str]:
    # Thousands of equal cells, as an example of the limits has them, are counted.
    if len(row) > 20 and len(set(row[2:])) == 1:
        return [*map(code, row[:2]), f"{code(row[2])} in {len(row) - 2:,} cells"]
    return list(map(code, row))


def schema_of(asked: AnswerFormat) -> dict[str, Any]:
    """Return the `schema` of a question whose answer has this format; what needs no word is left out.

    >>> schema_of(AnswerFormat(type="table", columns=(Column(name="A"), Column(name="B", type="text")), sort=()))
    {'types': {'B': 'text'}, 'sort': []}
    """
    types = {column.name: said for column in asked.columns if (said := _said_of(column)) != "untyped"}
    if asked.header[0] != DEFAULT_HEADERS.get(asked.type, asked.header[0]):
        types = {asked.header[0]: _said_of(asked.columns[0])}
    sort = None if asked.sort is None else [_said_of(key) for key in asked.sort]
    said = {"types": types or None, "key": list(asked.keys) or None, "sort": sort}
    return {name: value for name, value in said.items() if value is not None}


def _said_of(one: Column | SortKey) -> Any:
    name, usual = ("name", "type") if isinstance(one, Column) else ("column", "column")
    plain = type(one)(**{name: getattr(one, name)})
    said = {field.name: getattr(one, field.name) for field in fields(one)}
    said = {member: value for member, value in said.items()
            if member == usual or (value != getattr(plain, member) and member != name)}  # fmt: skip
    return said[usual] if len(said) == 1 else said


def _settings(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {code(json.dumps(value, ensure_ascii=False))}" for name, value in settings.items())


def _faults() -> str:
    return _table(("fault", "what it means"), ([code(name), text] for name, text in FAULTS.items()))


def _replies() -> str:
    rows = (
        [_asked(one.asked), code(one.reply), rows_words(one.rows), _fault_words(one.faults), one.note]
        for one in REPLIES
    )
    return _table(("asked", "reply", "what is read", "faults", "why"), rows)


def _files() -> str:
    rows = (
        [
            _asked(one.asked),
            code(one.data.decode("utf-8", "backslashreplace").removeprefix("\ufeff")),
            f"refused: {one.refusal}" if one.refusal else rows_words(one.rows),
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

    rows = ([one.type, _settings(schema_of(one.answer_format)), code(one.truth_file.strip("\n")), code(one.block),
             figures(one.figures), one.note] for one in METRIC_EXAMPLES)  # fmt: skip
    return _table(("type", "schema", "`ID.csv`", "block of the reply", "figures", "why"), rows)


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
            settings = {member: case[member] for member in ("schema", "truth_encoding") if member in case}
            rows.append([case["answer_type"], _settings(settings), code(case["truth_csv"].strip("\n")),
                         _reply(case["prediction"].replace("{TRUTH_PATH}", "answers/ID.csv")),
                         f"{name} {published[name]:.4g} → {right[name]:.4g}", WHY[case["id"]]])  # fmt: skip
    return _table(("type", "settings", "`ID.csv`", "reply", "gisa-compat → strict", "what gisa-compat does"), rows)


def _reply(prediction: str) -> str:
    found = re.fullmatch(r"<answer>\n```tsv\n(((?!```).)*?)\n?```\n</answer>", prediction, re.DOTALL)
    return code(found[1]) if found else f"whole reply: {code(prediction)}"


def _limits() -> str:
    return (
        "Replies of any size are read in time that grows with their length and nothing else. Of an answer at most "
        f"{MAX_ROWS:,} rows,\n{MAX_COLUMNS:,} columns and {MAX_CELLS:,} cells are read; what is beyond is left out and "
        "named `oversized`. NUL, lone surrogates\nand control signs never stop a score."
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
