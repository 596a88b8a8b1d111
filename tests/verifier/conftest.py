"""What the verifier's tests share: the small real model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from browser_capture.errors import UserError
from verifier.language_model.local_server import LocalServer, local_server, model_file

# A busy machine makes examples slow, not wrong.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def local_model() -> Iterator[LocalServer]:
    """The small real model, served on this machine; tests that use it are marked `llm`."""
    try:
        model_file()
    except UserError as error:
        pytest.skip(f"kind llm not available: {error}")
    with local_server() as server:
        yield server
