"""Runs the published evaluator of a folder, in whichever Python has its libraries. Needs the standard library only.

It is asked by lines of JSON on standard input, {"files": FILE}, and answers each with a line: the CPU and wall seconds
of one pass over the file's replies, and the figures. FILE holds {"type", "gold": path of a CSV file, "replies"}.
"""

import contextlib
import io
import json
import sys
import time
from pathlib import Path


def main(folder: str) -> None:
    """Answer until standard input ends."""
    sys.path.insert(0, folder)
    from evaluator import SimpleEvaluator  # the published file, wherever the folder is

    evaluator = SimpleEvaluator()
    for line in sys.stdin:
        asked = json.loads(Path(json.loads(line)["files"]).read_text(encoding="utf-8"))
        with contextlib.redirect_stdout(io.StringIO()):
            cpu, wall = time.process_time(), time.perf_counter()
            figures = [evaluator.evaluate_one(reply, asked["gold"], asked["type"]) for reply in asked["replies"]]
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        plain = [{name: float(value) for name, value in one.items() if _is_figure(value)} for one in figures]
        print(json.dumps({"cpu": cpu, "wall": wall, "figures": plain}), flush=True)


def _is_figure(value: object) -> bool:
    # Among the figures stand the type and the id; figures may be numbers of numpy.
    return value is not None and not isinstance(value, (str, dict, list))


if __name__ == "__main__":
    main(sys.argv[1])
