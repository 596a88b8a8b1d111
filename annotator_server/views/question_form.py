"""The question editor's fields come in, a `QuestionText` goes out; what cannot be read is told at its field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from werkzeug.datastructures import MultiDict

from annotator_server.models.questions import QuestionVersion
from annotator_server.models.seeds import Seed
from annotator_server.records.question_record import ANSWER_TYPES, COLUMN_TYPES
from annotator_server.workflow.writing import QuestionText

MOST_COLUMNS, MOST_KEYS = 40, 5


def read_question_form(form: MultiDict[str, str]) -> QuestionText:
    """Read the editor. Nothing is refused here: a draft may be unfinished."""
    problems: dict[str, str] = {}
    kind = form.get("type", "")
    return QuestionText(
        text=form.get("text", "").replace("\r\n", "\n").strip(),
        form={
            "type": kind if kind in ANSWER_TYPES else "",
            "columns": [column for number in range(MOST_COLUMNS) if (column := _column(form, number))],
            "order": "as_asked" if form.get("order") == "as_asked" else "any",
            "sort": [key for number in range(MOST_KEYS) if (key := _sort_key(form, number))],
        },
        language=form.get("language", "en").strip()[:20] or "en",
        topic=form.get("topic", "").strip()[:200],
        temporal="live" if form.get("temporal") == "live" else "stable",
        cadence_days=_days(form.get("cadence_days", ""), problems),
        seed_url=form.get("seed_url", "").strip(),
        seed_quote=form.get("seed_quote", "").replace("\r\n", "\n").strip(),
        problems=problems,
    )


def stored_question(version: QuestionVersion) -> QuestionText:
    """Return a stored version as the editor shows it."""
    return QuestionText(
        text=version.text,
        form=version.form,
        language=version.language,
        topic=version.topic,
        temporal=version.temporal,
        cadence_days=version.cadence_days,
        seed_url=version.seed_url,
        seed_quote=version.seed_quote,
    )


def empty_question() -> QuestionText:
    """Return what the editor shows for a new question."""
    return QuestionText(text="", form={"type": "table", "columns": [], "order": "any", "sort": []})


def seeded_question(seed: Seed) -> QuestionText:
    """Return what the editor shows for a question that begins with a seed."""
    return replace(empty_question(), text=seed.question, topic=seed.topic, seed_url=seed.url, seed_quote=seed.quote)


def with_free_lines(form: Mapping[str, Any], extra: int = 0) -> dict[str, Any]:
    """Return a form with empty lines to fill in: three columns at least, one free column and one free sort key."""
    columns = list(form.get("columns", []))
    columns += [{} for _ in range(max(3 - len(columns), 1) + extra)]
    return {**form, "columns": columns[:MOST_COLUMNS], "sort": [*form.get("sort", []), {}][:MOST_KEYS]}


def _column(form: MultiDict[str, str], number: int) -> dict[str, Any]:
    name = form.get(f"column-{number}-name", "").strip()
    kind = form.get(f"column-{number}-type", "untyped")
    typed = {
        "name": name[:200],
        "type": kind if kind in COLUMN_TYPES else "untyped",
        "key": form.get(f"column-{number}-key") == "1",
        "date_format": form.get(f"column-{number}-date_format", "").strip()[:60],
        "null_marker": form.get(f"column-{number}-null_marker", "").strip()[:60],
    }
    return typed if name or (number == 0 and typed["type"] != "untyped") else {}


def _sort_key(form: MultiDict[str, str], number: int) -> dict[str, str]:
    column = form.get(f"sort-{number}-column", "").strip()
    direction = form.get(f"sort-{number}-direction", "ascending")
    return (
        {"column": column[:200], "direction": "descending" if direction == "descending" else "ascending"}
        if column
        else {}
    )


def _days(text: str, problems: dict[str, str]) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:6]) <= 3650:
        problems["cadence_days"] = "Days are a whole number from 1 to 3650."
        return None
    return int(text)
