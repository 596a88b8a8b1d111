"""`trailbench` as a process of its own, for tests that stop it: python -m tests.exports.trailbench_process ..."""

from __future__ import annotations

from exports.cli.root import main

if __name__ == "__main__":
    main()
