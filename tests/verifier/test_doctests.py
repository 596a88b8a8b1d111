"""The examples in the verifier's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import verifier

MODULES = sorted(found.name for found in pkgutil.walk_packages(verifier.__path__, "verifier."))


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_hold(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0
