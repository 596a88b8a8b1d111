"""`python -m exports` is the command `trailbench`, also where the wheel is not installed."""

from __future__ import annotations

from exports.cli.root import main

main()
