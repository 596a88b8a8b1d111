"""Each demo is driven once; every journey test looks at what it left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exports.benchmark.reader import Release, load_release
from exports.demo.run import DemoResult, run_demo


@pytest.fixture(scope="session")
def own_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoResult]:
    result = run_demo("own", tmp_path_factory.mktemp("own") / "demo", keep=True)
    yield result
    assert result.server is not None
    result.server.end()


@pytest.fixture(scope="session")
def own_release(own_demo: DemoResult) -> Release:
    return load_release(own_demo.folder.release)


@pytest.fixture(scope="session")
def real_docs_demo(tmp_path_factory: pytest.TempPathFactory) -> DemoResult:
    return run_demo("real-docs", tmp_path_factory.mktemp("real-docs") / "demo")
