"""Every agent by its name, and what it takes to build one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from browser_capture.urls import is_web
from exports.agents.agent import Agent
from exports.agents.first_result import FirstResult
from exports.agents.replay_human import ReplayHuman
from exports.agents.silent import Silent
from exports.errors import UnknownAgent


class ModelSettings(NamedTuple):
    """How to reach a language model. The key stands in an environment variable, never on a command line."""

    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None


def _model_only(settings: ModelSettings) -> Agent:
    if settings.model is None or settings.base_url is None:
        raise UnknownAgent("model-only needs --model NAME and --base-url ADDRESS of an OpenAI-compatible server")
    if not is_web(settings.base_url):
        raise UnknownAgent(f"{settings.base_url!r} is no address; expected one such as http://127.0.0.1:8000/v1")
    # Imported here: the model SDK is slow to load, and the baselines do without.
    from exports.agents.model_only import ModelOnly
    from verifier.language_model.client import OpenAIModel

    client = OpenAIModel(base_url=settings.base_url, api_key=_api_key(settings), model=settings.model)
    return ModelOnly(client=client, model=settings.model)


ROSTER: Mapping[str, Callable[[ModelSettings], Agent]] = {
    "replay-human": lambda _: ReplayHuman(),
    "first-result": lambda _: FirstResult(),
    "silent": lambda _: Silent(),
    "model-only": _model_only,
}


def build_agent(name: str, settings: ModelSettings) -> Agent:
    """Return an agent ready to try tasks. Raises UnknownAgent for a name that is not on the roster."""
    if name not in ROSTER:
        raise UnknownAgent(f"there is no agent {name!r}; the agents are {', '.join(ROSTER)}")
    return ROSTER[name](settings)


def _api_key(settings: ModelSettings) -> str:
    if settings.api_key_env is None:
        return "none"  # servers on one's own machine ask for no key, but the client wants a text
    key = os.environ.get(settings.api_key_env)
    if not key:
        raise UnknownAgent(f"the environment variable {settings.api_key_env} is not set; it should hold the API key")
    return key
