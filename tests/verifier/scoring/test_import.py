"""The Python door of the scorer opens without the heavy libraries of the other floors."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "pandas", "numpy", "scipy", "matplotlib", "flask", "sqlalchemy", "playwright", "openai", "httpx2", "click", "rich",
    "jsonschema", "cattrs", "attrs", "lxml", "babel", "rapidfuzz", "asyncio", "multiprocessing", "annotator_server",
    "exports",
)  # fmt: skip
"""Libraries the scorer must not load before it needs them."""

CODE = """
import sys
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.answer_version import AnswerVersion
from verifier.scoring.answer_score import score_answer
gold = AnswerVersion(task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=(("Paris",),))
asked = AnswerFormat(type="item", columns=(Column(name="Value"),))
assert score_answer(gold, "Value\\nPARIS", asked, diff=False).exact
assert not score_answer(gold, "Value\\nLondon", asked, "gisa-compat", diff=False).exact
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_scoring_loads_no_heavy_library() -> None:
    loaded = subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True).stdout.split()
    assert "verifier" in loaded
    assert sorted(set(HEAVY) & set(loaded)) == []
