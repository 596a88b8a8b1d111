"""A number in, that many random answers with their scores out, a line each; the same answers in whatever order.

`python -m tests.verifier.scoring.random_answers COUNT ORDER` scores them in the order that the number ORDER shuffles
them into, and prints the lines sorted.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from verifier.answers.answer_format import AnswerFormat, Column, SortKey
from verifier.answers.answer_version import AnswerVersion
from verifier.errors import AnswerUnreadable
from verifier.scoring.answer_score import PROFILES, Scorer

TEXT, NUMBER = Column(name="Name"), Column(name="Mass", type="number", tolerance="0.5")
CITY = Column(name="City", type="text", aliases=(("Rome", "Roma"), ("Köln", "Cologne")))
DAY = Column(name="Day", type="date", date_format="YYYY-MM-DD")

FORMATS = (
    AnswerFormat(type="item", columns=(TEXT,)),
    AnswerFormat(type="set", columns=(CITY,)),
    AnswerFormat(type="set", columns=(NUMBER,)),
    AnswerFormat(type="list", columns=(TEXT,)),
    AnswerFormat(type="list", columns=(NUMBER,)),
    AnswerFormat(type="table", columns=(TEXT, NUMBER, DAY)),
    AnswerFormat(type="table", columns=(CITY, TEXT, NUMBER), keys=("City", "Name"), sort=()),
    AnswerFormat(type="table", columns=(CITY, NUMBER, Column(name="Size", tolerance="1")), sort=()),
    AnswerFormat(type="table", columns=(CITY, DAY), sort=(SortKey(column="Day", collation="date"),)),
)

CELLS = (
    "Rome", "roma", "Köln", "Koln", "Cologne", "**Bonn**", "Bonn", "A&amp;B", "1", "1.2", "1,6", "2", "1,000", "1000",
    "12%", "0.12", "-", "N/A", "", "2001-01-05", "2001/1/5", "5 Jan 2001", "New  York", "new york", "\u200bOslo", "A*",
    "“x”", '"x', "007", "7", "Großstadt", "GROSSSTADT",
)  # fmt: skip
HOSTILE = ("\ud800", "\0", '"', "``")
"""Cells only replies have."""


def answers(count: int) -> Iterator[tuple[int, AnswerFormat, AnswerVersion, str]]:
    """Yield an id, a format, a gold answer and a reply each."""
    for number in range(count):
        chance = random.Random(number)
        asked = FORMATS[number % len(FORMATS)]
        width = len(asked.columns)
        truth = [tuple(chance.choice(CELLS) for _ in range(width)) for _ in range(chance.randrange(1, 8))]
        rows = [list(row) for row in truth if chance.random() < 0.9]
        chance.shuffle(rows)
        for row in rows:
            if chance.random() < 0.3:
                row[chance.randrange(width)] = chance.choice(CELLS + HOSTILE)
            if chance.random() < 0.05:
                row.append(chance.choice(CELLS))
        header = list(asked.header) if chance.random() < 0.9 else ["Note", *asked.header[1:]]
        body = "\n".join("\t".join(row) for row in (header, *rows))
        fence = chance.choice(["tsv", "csv", ""])
        gold = AnswerVersion(task_id="t", task_version=1, version=1, valid_from="2026-01-01", rows=tuple(truth))
        yield number, asked, gold, f"<answer>\n```{fence}\n{body}\n```\n</answer>"


def scored(count: int, order: int) -> Iterator[str]:
    """Yield the scores of random answers under every profile, cells and all, sorted by id."""
    shuffled = list(answers(count))
    random.Random(order).shuffle(shuffled)
    lines = {
        (number, profile): json.dumps([number, _score(gold, asked, profile, reply)])
        for number, asked, gold, reply in shuffled
        for profile in PROFILES
    }
    for key in sorted(lines):
        yield lines[key]


def _score(gold: AnswerVersion, asked: AnswerFormat, profile: str, reply: str) -> dict[str, Any] | str:
    try:
        return asdict(Scorer(gold, asked, profile).score(reply))
    except AnswerUnreadable as error:
        return str(error)


if __name__ == "__main__":
    for line in scored(int(sys.argv[1]), int(sys.argv[2])):
        print(line)
