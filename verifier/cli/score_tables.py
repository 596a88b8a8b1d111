"""The scores of a run, for terminals: one table a profile, then the faults of the replies and what has no score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from verifier.answers.faults import FAULTS
from verifier.cli.plain_text import visible
from verifier.scoring.prediction_files import PREDICTION_ENDINGS
from verifier.scoring.question_file import ANSWER_TYPES

_FIGURES: Mapping[str, str] = {
    "set_precision": "precision",
    "set_recall": "recall",
    "set_f1": "F1",
    "list_content_f1": "content F1",
    "list_order_score": "order",
    "list_lcs_score": "LCS",
    "table_row_f1": "row F1",
    "table_item_f1": "cell F1",
    "table_item_f1_aligned": "aligned cell F1",
}
"""The figures beside exact match that a table shows, by their published names; the JSON holds all."""

_IDS_SHOWN = 8
_STATUS_WORDS = {"error": "Not scored", "agent_failed": "No answer, counts 0"}
_EXPECTED: Mapping[str, str] = {
    "unknown answer_type": f"expected one of {', '.join(ANSWER_TYPES)}",
    "truth file missing": "expected is ID.csv in the folder of --answers",
    "no prediction": f"expected is ID{', ID'.join(PREDICTION_ENDINGS)} in the folder of --predictions",
    "prediction is null": "expected is a text in the member prediction",
}
"""How a reason begins -> what was expected instead."""


def print_run(data: Mapping[str, Any], console: Console | None = None) -> None:
    """Print what `run_data` gave."""
    console = console or Console(highlight=False, markup=False)
    for profile, version in data["profiles"].items():
        summary = data["summary"][profile]
        console.print(_figures_table(profile, version, summary))
        if summary["outcomes"]["error"]:
            low, high = summary["bounds"]
            console.print(
                f"INCOMPLETE: {_questions(summary['outcomes']['error'])} could not be scored; "
                f"with them exact match lies between {_percent(low)} and {_percent(high)}"
            )
        if summary["faults"]:
            console.print(_faults_table(summary["faults"]))
        for line in _without_score(data["questions"], profile):
            console.print(line)
        console.print()


def with_expected(reason: str) -> str:
    """Return a reason why a question has no score, with what was expected where the reason alone does not say it.

    >>> with_expected("unknown answer_type rank")
    'unknown answer_type rank; expected one of item, set, list, table'
    """
    said = next((text for start, text in _EXPECTED.items() if reason.startswith(start)), "")
    return f"{reason}; {said}" if said else reason


def _figures_table(profile: str, version: str, summary: Mapping[str, Any]) -> Table:
    table = Table(title=f"Profile {profile} {version}, coverage {summary['coverage']}", title_justify="left")
    table.add_column("Questions")
    for name in ("n", "Exact match %", "95% interval"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("Other figures %", overflow="fold")
    table.add_row("all", str(summary["interval"]["n"]), _percent(summary["overall_global_em"]),
                  _interval(summary["interval"]), "", end_section=True)  # fmt: skip
    for kind in summary["types"]:
        group = summary[kind]
        table.add_row(visible(kind, 20), str(group["num_samples"]), _percent(group.get("overall_global_em")), "",
                      _others(group))  # fmt: skip
    table.add_section()
    for name, part in summary["by_question_type"].items():
        table.add_row(visible(name, 20), str(part["n"]), _percent(part["overall_global_em"]),
                      _interval(part["interval"]), "")  # fmt: skip
    return table


def _faults_table(faults: Mapping[str, int]) -> Table:
    table = Table(title="Faults of form", title_justify="left")
    table.add_column("Fault", no_wrap=True)
    table.add_column("Replies", justify="right")
    table.add_column("Meaning", overflow="fold")
    for fault, times in sorted(faults.items(), key=lambda pair: (-pair[1], pair[0])):
        table.add_row(fault, str(times), FAULTS.get(fault, ""))
    return table


def _without_score(questions: Mapping[str, Any], profile: str) -> Iterator[str]:
    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for question_id, scored in questions.items():
        if reason := scored[profile].get("error"):
            by_reason[scored[profile]["status"], reason].append(question_id)
    for (status, reason), ids in sorted(by_reason.items(), key=lambda group: (group[0][0] != "error", -len(group[1]))):
        shown = ", ".join(visible(question_id, 40) for question_id in ids[:_IDS_SHOWN])
        more = f" and {len(ids) - _IDS_SHOWN:,} more" if len(ids) > _IDS_SHOWN else ""
        which = "question" if len(ids) == 1 else "questions"
        yield f"{_STATUS_WORDS[status]}, {which} {shown}{more}: {visible(with_expected(reason), 300)}"


def _others(group: Mapping[str, Any]) -> str:
    return ", ".join(f"{label} {_percent(group[key])}" for name, label in _FIGURES.items()
                     if (key := f"overall_{name}") in group)  # fmt: skip


def _interval(figures: Mapping[str, Any]) -> str:
    if figures["low"] is None or figures["high"] is None:
        return "–"
    # Of few questions the interval reaches past what a share can be; what lies outside says nothing.
    return f"[{_percent(max(0.0, figures['low']))}, {_percent(min(1.0, figures['high']))}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count:,} questions"
