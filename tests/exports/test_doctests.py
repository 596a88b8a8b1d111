"""The examples in the docstrings of exports are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import exports

MODULES = sorted(
    found.name for found in pkgutil.walk_packages(exports.__path__, "exports.") if not found.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_hold(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0
