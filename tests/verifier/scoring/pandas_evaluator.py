"""The published evaluator told a second time, from spec/gisa.md 3.3 and 3.4 and with pandas: an oracle for profile
`gisa-compat`, which does without pandas.

It is short because pandas brings the faults by itself; nothing here is meant to be right or quick.
"""

from __future__ import annotations

import difflib
import io
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd

FENCED = re.compile("`{3}(?:tsv)?\\s*(?P<inside>.*?)`{3}", re.DOTALL)


def read_reply(reply: str) -> pd.DataFrame | None:
    """Read the table of a reply; None where there is none that pandas can read."""
    fenced = FENCED.search(reply)
    body = fenced["inside"] if fenced else reply
    kept = "\n".join(filter(str.strip, body.split("\n")))
    try:
        return _normalised(pd.read_csv(io.StringIO(kept), sep="\t"))
    except ValueError:
        # Nothing in it, ragged, a quote left open, a lone surrogate.
        return None


def read_file(data: bytes, answer_type: str) -> pd.DataFrame:
    """Read a file of commas. Raises ValueError where the published evaluator ends its run."""
    header = 0 if answer_type.lower() == "table" else None
    try:
        frame = pd.read_csv(io.BytesIO(data), header=header)
    except UnicodeDecodeError:
        frame = pd.read_csv(io.BytesIO(data), header=header, encoding="gbk")
    return _normalised(frame)


def judge(gold: pd.DataFrame, found: pd.DataFrame | None, answer_type: str) -> dict[str, float]:
    """Return the figures of one question."""
    kind = answer_type.lower()
    names, judge_kind = KINDS.get(kind, KINDS["item"])
    if found is None:
        return dict.fromkeys((*names, "global_em"), 0)
    figures = dict.fromkeys(names, 0.0) if found.empty else dict(zip(names, judge_kind(gold, found), strict=True))
    if kind == "set":
        return {**figures, "global_em": set(gold.iloc[:, 0]) == set(found.iloc[:, 0])}
    return {**figures, "global_em": gold.shape == found.shape and bool((gold.to_numpy() == found.to_numpy()).all())}


def normalised(value: Any) -> str:
    """Normalise a cell as pandas typed it."""
    text = str(value).strip()
    if text.lower() in ("", "nan", "none", "null"):
        return ""
    number = re.sub("[,$]", "", text)
    share = number.endswith("%")
    try:
        amount = float(number.removesuffix("%") if share else number)
    except ValueError:
        return re.sub("[ *\n]", "", text.lower())
    amount = amount / 100 if share else amount
    return f"{int(amount)}" if amount.is_integer() else format(amount, ".6f").rstrip("0").rstrip(".")


def _normalised(frame: pd.DataFrame) -> pd.DataFrame:
    cells = [[normalised(value) for value in row] for row in frame.astype(object).to_numpy()]
    names = [str(name).strip().lower().replace(" ", "") for name in frame.columns]
    return pd.DataFrame(cells, columns=names, dtype=object)


def _item(gold: pd.DataFrame, found: pd.DataFrame) -> Iterable[float]:
    yield "".join(gold.iloc[0]) == "".join(found.iloc[0])


def _set(gold: pd.DataFrame, found: pd.DataFrame) -> Iterable[float]:
    return _overlap(Counter(set(gold.iloc[:, -1])), Counter(set(found.iloc[:, -1])))


def _list(gold: pd.DataFrame, found: pd.DataFrame) -> Iterable[float]:
    wanted, given = list(gold.iloc[:, -1]), list(found.iloc[:, -1])
    yield round(_overlap(Counter(wanted), Counter(given))[2], 4)
    yield round(difflib.SequenceMatcher(None, wanted, given).ratio(), 4)


def _table(gold: pd.DataFrame, found: pd.DataFrame) -> Iterable[float]:
    shared = [name for name in gold.columns if name in found.columns]
    # A name that repeats is looked up as often as it stands there, and gives all its columns each time.
    gold_rows, found_rows = (Counter(set(map(tuple, frame[shared].to_numpy()))) for frame in (gold, found))
    yield from _overlap(gold_rows, found_rows) if shared else (0.0, 0.0, 0.0)
    # Going through what stands under a repeated name gives names, not cells.
    gold_cells, found_cells = (
        Counter((name, value) for name in frame.columns for value in frame[name]) for frame in (gold, found)
    )
    yield from _overlap(gold_cells, found_cells)


KINDS = {
    "item": (("item_em",), _item),
    "set": (("set_precision", "set_recall", "set_f1"), _set),
    "list": (("list_content_f1", "list_order_score"), _list),
    "table": (
        tuple(f"table_{what}_{figure}" for what in ("row", "item") for figure in ("precision", "recall", "f1")),
        _table,
    ),
}


def _overlap(gold: Counter[Any], found: Counter[Any]) -> tuple[float, float, float]:
    hits = (gold & found).total()
    precision, recall = (hits / side.total() if side.total() else 0.0 for side in (found, gold))
    both = precision + recall
    return precision, recall, 2 * (precision * recall) / both if both else 0.0
