"""What holds for every test: kinds that cannot run here are named; a skip that no kind explains is a failure.

`--long` adds the long suite. With TRAILBENCH_REQUIRE_KINDS=all (as in CI) a kind that cannot run fails the session.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

from tests.kinds import KINDS, unavailable

# A machine that does much else makes any example slow now and then; speed is what benchmarks/ measure.
settings.register_profile("trailbench", deadline=None)
settings.load_profile("trailbench")

_missing = unavailable()
_undeclared: list[str] = []

# A shell ignores Ctrl-C for what it starts in the background, and so would every command that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the long suite: kill, soak, fuzz, load")


def pytest_sessionstart(session: pytest.Session) -> None:
    if os.environ.get("TRAILBENCH_REQUIRE_KINDS") == "all" and _missing:
        lines = "\n".join(f"  {name}: {reason}" for name, reason in _missing.items())
        pytest.exit(f"Every kind of test must run here, but these cannot:\n{lines}", returncode=1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    for item in items:
        for name, reason in _missing.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=f"kind {name} not available: {reason}"))
    # What takes longest begins first, so that no processor waits for another's last file.
    rank = {item.path: _rank(item) for item in reversed(items)}
    items.sort(key=lambda item: rank[item.path])


def _rank(item: pytest.Item) -> int:
    if "journeys" in item.path.parts:
        return 0
    return 1 if item.get_closest_marker("browser") or item.get_closest_marker("llm") else 2


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(f"kind {name} not available" in reason for name in KINDS):
            _undeclared.append(f"{report.nodeid}: {reason}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if _undeclared and exitstatus == 0:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name, reason in _missing.items():
        terminalreporter.write_line(f"Kind {name} could not run: {reason}", yellow=True)
    for line in _undeclared:
        terminalreporter.write_line(f"Skipped without a declared kind: {line}", red=True)
