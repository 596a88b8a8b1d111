"""The examples in the server's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import annotator_server

MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(annotator_server.__path__, "annotator_server.")
    if ".migrations" not in found.name  # Alembic runs those, nobody imports them
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
