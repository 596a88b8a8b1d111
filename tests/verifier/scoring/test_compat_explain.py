"""What the published figures counted adds up to the figures."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verifier.scoring.test_sibling_cases import PUBLISHED, OneCase, scored
from verifier.scoring.compat_explain import PublishedExplanation, explain_as_published
from verifier.scoring.question_file import QuestionRow

COUNTED = {
    "set_precision": "set_recall",
    "table_row_precision": "table_row_recall",
    "table_item_precision": "table_item_recall",
}


def explained(case: dict[str, Any]) -> PublishedExplanation:
    return explain_as_published(QuestionRow(question_id="1", answer_type=case["answer_type"]), OneCase(case))


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_counts_add_up_to_the_figures(case: dict[str, Any]) -> None:
    found = explained(case)
    assert found.metrics == scored(case, "gisa-compat").metrics
    for one in found.comparisons:
        if "global_em" in one.figures or "item_em" in one.figures:
            assert found.metrics[one.figures[0]] == float(not one.missing and not one.extra)
        elif one.figures[0] in COUNTED and (one.matched or one.missing) and (one.matched or one.extra):
            hits = len(one.matched)
            assert found.metrics[one.figures[0]] == hits / (hits + len(one.extra))
            assert found.metrics[COUNTED[one.figures[0]]] == hits / (hits + len(one.missing))


def test_what_does_not_match_is_shown_as_it_is_compared() -> None:
    case = {"answer_type": "table", "truth_csv": "Name,Share\nA,5%\n", "prediction": "```tsv\nName\tShare\nA\t6%\n```"}
    rows, cells, exact = explained(case).comparisons
    assert (rows.missing, rows.extra) == ((("a", "0.05"),), (("a", "0.06"),))
    assert (cells.matched, cells.missing, cells.extra) == ((("name", "a"),), (("share", "0.05"),), (("share", "0.06"),))
    assert exact.figures == ("global_em",)


def test_a_reply_in_which_nothing_is_found_misses_everything() -> None:
    found = explained({"answer_type": "set", "truth_csv": "A\nB\n", "prediction": ""})
    assert [one.missing for one in found.comparisons] == [(("a",), ("b",))] * 2


def test_what_cannot_be_scored_says_why() -> None:
    found = explained({"answer_type": "set", "truth_csv": "", "prediction": "A"})
    assert (found.status, found.comparisons) == ("error", ())
    assert "empty" in found.error
