"""Stored answers come in, their scores go out, on all processors: what a better scorer costs a finished study."""

from __future__ import annotations

import json
import os
import tempfile
import time
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from benchmarks.made_answers import Shape, make_answers
from verifier.answers.answer_version import AnswerVersion
from verifier.scoring.answer_score import Scorer

SHAPE, ANSWERS_A_FILE = Shape("table", 30, 5), 500


def rescore(profile: str, answers: int, repetitions: int) -> dict[str, Any]:
    """Store answers in files, each with its gold answer, and time how long they take to be read and scored again.

    `cpu_seconds` is the time of all processors together: on a machine that does nothing else the wall seconds are its
    share of one processor.
    """
    processors = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name, Pool(processors) as pool:
        sizes = [min(ANSWERS_A_FILE, answers - start) for start in range(0, answers, ANSWERS_A_FILE)]
        files = pool.starmap(_store, [(name, size, seed) for seed, size in enumerate(sizes)])
        seconds, cpu_seconds = [], []
        for _ in range(repetitions):
            start = time.perf_counter()
            scored = list(pool.imap_unordered(_score, [(profile, file) for file in files]))
            seconds.append(time.perf_counter() - start)
            cpu_seconds.append(sum(cpu for _, cpu in scored))
            assert sum(size for size, _ in scored) == answers  # noqa: S101 - the figure would be of something else
    result = {"profile": profile, "answers": answers, "processors": processors}
    return {**result, "seconds": seconds, "cpu_seconds": cpu_seconds}


def _store(folder: str, size: int, seed: int) -> str:
    made = make_answers(SHAPE, size, seed)
    file = Path(folder, f"{seed}.jsonl")
    lines = [json.dumps({"rows": made.rows}), *(json.dumps({"reply": reply}) for reply in made.replies)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def _score(asked: tuple[str, str]) -> tuple[int, float]:
    profile, file = asked
    start = time.process_time()
    with Path(file).open(encoding="utf-8") as lines:
        rows = tuple(map(tuple, json.loads(next(lines))["rows"]))
        gold = AnswerVersion(task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=rows)
        scorer = Scorer(gold, make_answers(SHAPE, 0, 0).answer_format, profile)
        scores = [scorer.score(json.loads(line)["reply"], diff=False).exact for line in lines]
    return len(scores), time.process_time() - start
