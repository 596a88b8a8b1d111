"""The memorization check against a real, small language model."""

from __future__ import annotations

import asyncio

import pytest

from tests.verifier.builders import gold, one_column, task
from verifier.checks.check_result import CheckResult
from verifier.checks.memorization import check_memorization
from verifier.language_model.client import OpenAIModel
from verifier.language_model.local_server import LocalServer

CAPITAL = one_column("item", column_type="text")


@pytest.mark.llm
def test_a_real_model_is_asked_and_its_replies_are_judged(local_model: LocalServer) -> None:
    async def ask() -> CheckResult:
        async with OpenAIModel(local_model.base_url, local_model.api_key, local_model.model, timeout=180) as model:
            asked = task("What is the third word of the diary of Lord Fenwick of Merrow?", CAPITAL)
            return await check_memorization(asked, gold(["zymurgy"]), model, tries=2, max_output_tokens=40)

    result = asyncio.run(ask())
    assert (result.verdict, result.figures["tries"]) == ("pass", 2)
    assert all(finding.data["model"] == local_model.model and finding.data["reply"] for finding in result.findings)


@pytest.mark.llm
def test_a_real_server_refuses_a_wrong_key(local_model: LocalServer) -> None:
    async def ask() -> CheckResult:
        async with OpenAIModel(local_model.base_url, "wrong", local_model.model, timeout=60) as model:
            return await check_memorization(task("Anything at all?", CAPITAL), gold(["x"]), model, tries=1)

    result = asyncio.run(ask())
    assert result.verdict == "skipped"
    assert "check the API key" in result.summary
