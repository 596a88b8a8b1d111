"""A run in the published layout: a question file, a folder of truths, a folder of predictions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exports.cli.root import run


class RunFolder:
    """A run below `folder`; predictions go into `predictions`."""

    def __init__(self, folder: Path, predictions: str = "predictions") -> None:
        self.folder = folder
        self.answers, self.predictions = folder / "answers", folder / predictions
        self.answers.mkdir(parents=True)
        self.predictions.mkdir(parents=True)
        self.questions = folder / "questions.jsonl"
        self.questions.touch()

    def ask(self, question_id: Any, answer_type: str, truth: bytes | None, **members: Any) -> None:
        """Add a question with its truth file, None for none."""
        with self.questions.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": question_id, "answer_type": answer_type, "question": "q", **members}) + "\n")
        if truth is not None:
            (self.answers / f"{question_id}.csv").write_bytes(truth)

    def answer(self, question_id: Any, prediction: Any) -> None:
        """Add a prediction as the published runner writes it."""
        (self.predictions / f"{question_id}.json").write_text(json.dumps({"prediction": prediction, "steps_taken": 3}))

    def arguments(self, *more: str) -> list[str]:
        """The arguments that name the run, then `more`."""
        folders = {"--questions": self.questions, "--answers": self.answers, "--predictions": self.predictions}
        return [*(word for option, path in folders.items() for word in (option, str(path))), *more]

    def score(self, *more: str) -> tuple[int, dict[str, Any]]:
        """Score the run by the command; return its exit code and its JSON."""
        code = run(["score", "answers", *self.arguments(*more), "--json", str(self.folder / "scores.json")])
        return code, json.loads((self.folder / "scores.json").read_text(encoding="utf-8"))


def a_right_run(folder: Path, ids: Sequence[Any] = (1, 2)) -> RunFolder:
    """A run of items that are all answered right."""
    made = RunFolder(folder)
    for question_id in ids:
        made.ask(question_id, "item", b"Paris\n")
        made.answer(question_id, "<answer>\n```tsv\nValue\nParis\n```\n</answer>")
    return made


def metrics(scored: Mapping[str, Any], question_id: str, profile: str = "strict") -> Mapping[str, float]:
    """The figures of one question."""
    found = scored["questions"][question_id][profile]["metrics"]
    assert isinstance(found, dict)
    return found
