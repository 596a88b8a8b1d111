"""A question that a model answers from memory is found; a model that cannot be asked never passes it."""

from __future__ import annotations

import asyncio

import pytest

from tests.verifier.builders import gold, one_column, task
from tests.verifier.scripted_server import Answer, fails, says, scripted
from verifier.answers.answer_format import AnswerFormat, Column
from verifier.answers.reply_text import format_reply
from verifier.checks.check_result import CheckResult
from verifier.checks.memorization import check_memorization, memorization_prompt
from verifier.language_model.client import OpenAIModel

PLANETS = AnswerFormat(type="table", columns=(Column(name="Planet", type="text"), Column(name="Moons", type="integer")))
TASK = task("Which planets of the solar system have fewer than three moons?", PLANETS)
TRUTH = gold(["Mercury", "0"], ["Venus", "0"], ["Earth", "1"], ["Mars", "2"])
RIGHT = says(format_reply(PLANETS.header, TRUTH.rows))
WRONG = says(format_reply(PLANETS.header, TRUTH.rows[:2]))


def check(*answers: Answer, tries: int = 3) -> tuple[CheckResult, list[dict[str, object]]]:
    async def ask(base_url: str) -> CheckResult:
        async with OpenAIModel(base_url, "key", "scripted") as model:
            return await check_memorization(TASK, TRUTH, model, tries=tries)

    with scripted(*answers) as server:
        return asyncio.run(ask(server.base_url)), server.requests


def test_one_exact_try_fails_the_task_and_ends_the_asking() -> None:
    result, requests = check(WRONG, RIGHT)
    assert (result.verdict, result.figures["exact"], len(requests)) == ("fail", 1, 2)


def test_a_model_that_never_gets_it_passes_the_task() -> None:
    result, requests = check(WRONG)
    assert (result.verdict, len(requests)) == ("pass", 3)
    assert result.figures["content"] == pytest.approx(2 / 3)


FORM_FAULTS = {
    "other headers": "Name\tNumber\nMercury\t0\nVenus\t0\nEarth\t1\nMars\t2",
    "columns swapped": "Moons\tPlanet\n0\tMercury\n0\tVenus\n1\tEarth\n2\tMars",
    "rows in another order": "Planet\tMoons\nMars\t2\nVenus\t0\nEarth\t1\nMercury\t0",
    "numbered": "No.\tPlanet\tMoons\n1\tMercury\t0\n2\tVenus\t0\n3\tEarth\t1\n4\tMars\t2",
    "no header": "Mercury\t0\nVenus\t0\nEarth\t1\nMars\t2",
}


@pytest.mark.parametrize("block", FORM_FAULTS.values(), ids=FORM_FAULTS.keys())
def test_faults_of_form_hide_no_memory(block: str) -> None:
    assert check(says(f"From memory:\n```\n{block}\n```"))[0].verdict == "fail"


@pytest.mark.parametrize("answers", [(fails(401, "bad key"),), (fails(503, "busy"),), (WRONG, fails(429, "slow down"))])
def test_a_model_that_cannot_be_asked_skips_the_check(answers: tuple[Answer, ...]) -> None:
    result, _ = check(*answers)
    assert result.verdict == "skipped"
    assert f"{len(answers) - 1} of 3 tries were answered" in result.summary


def test_raw_replies_settings_and_usage_are_kept() -> None:
    result, requests = check(says("I do not know", prompt_tokens=90, completion_tokens=4), tries=2)
    kept = [finding.data for finding in result.findings]
    assert [one["reply"] for one in kept] == ["I do not know"] * 2
    assert [one["temperature"] for one in kept] == [0.0, None]
    assert [request.get("temperature") for request in requests] == [0.0, None]
    assert kept[0]["usage"] == {"input": 90, "output": 4}


def test_the_prompt_tells_the_question_and_the_form_but_nothing_of_the_answer() -> None:
    prompt = memorization_prompt(TASK.question, PLANETS)
    assert TASK.question in prompt
    assert "Planet <tab> Moons" in prompt
    assert not any(cell in prompt for row in TRUTH.rows for cell in row if cell.isalpha())


def test_a_yes_or_no_question_needs_a_look_even_when_missed() -> None:
    asked = one_column("item", column_type="boolean")

    async def ask(base_url: str) -> CheckResult:
        async with OpenAIModel(base_url, "key", "scripted") as model:
            return await check_memorization(task("Is it? Yes or no.", asked), gold(["Yes"]), model)

    with scripted(says("<answer>\nNo\n</answer>")) as server:
        result = asyncio.run(ask(server.base_url))
    assert (result.verdict, result.figures["chance"]) == ("warn", 0.5)
