"""The demo's webs as the tests see them: the own one everywhere, the real documents where the machine can have them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exports.demo import webs
from exports.demo.web import DemoWeb


@pytest.fixture(scope="session")
def own_demo_web() -> Iterator[DemoWeb]:
    with webs.own() as web:
        yield web


@pytest.fixture(scope="session")
def real_docs_web() -> Iterator[DemoWeb]:
    with webs.real_documents() as web:
        yield web
