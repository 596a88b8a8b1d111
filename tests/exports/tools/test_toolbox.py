"""The toolbox: one budget, every call on record, and a path in the shape people's recordings have."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from browser_capture.json_records import from_json, sha256, to_json
from browser_capture.trajectory import Actor, SearchResult, Trajectory
from exports.recorded_web.resolve import FetchAnswer, RecordedWeb
from exports.tools.tool import Clock, Toolbox, ToolReply
from exports.tools.web_fetch import MISSING, OVERLAP, PART, page_part
from exports.tools.web_search import results_text
from exports.tools.web_tools import recorded_toolbox
from tests.exports.small_release import DAY, LIGHTS, NOON


def _tools(web: RecordedWeb, budget: int | None = None) -> Toolbox:
    seconds = iter(range(1000))
    return recorded_toolbox(web, DAY, budget, Clock(now=lambda: NOON, seconds=lambda: float(next(seconds))))


def _use(tools: Toolbox, *calls: tuple[str, Mapping[str, Any]]) -> list[ToolReply]:
    async def use() -> list[ToolReply]:
        return [await tools.call(name, arguments) for name, arguments in calls]

    return asyncio.run(use())


def test_call_is_recorded_with_its_result_and_match(web: RecordedWeb) -> None:
    tools = _tools(web)
    reply = _use(tools, ("search", {"query": "coast lights list"}))[0]
    call = tools.calls[0]
    assert (call.kind, call.matched, call.ms, call.ok) == ("search", "exact", 1000.0, True)
    assert call.result_sha == sha256(reply.text)


def test_how_it_was_matched_is_hidden_from_the_agent(web: RecordedWeb) -> None:
    ranked = _use(_tools(web), ("search", {"query": "heights of the coast lights"}))[0]
    assert ranked.matched == "ranked"
    assert "ranked" not in ranked.text


def test_calls_beyond_the_budget_are_refused_and_not_counted(web: RecordedWeb) -> None:
    tools = _tools(web, budget=1)
    replies = _use(tools, ("search", {"query": "lights"}), ("web_fetch", {"url": LIGHTS}))
    assert "budget of 1 tool calls is used up" in replies[1].text
    assert (tools.spent, tools.left(), tools.calls[1].error) == (1, 0, "refused")


def test_unknown_tool_is_refused_by_name(web: RecordedWeb) -> None:
    reply = _use(_tools(web), ("telephone", {}))[0]
    assert "no tool 'telephone'; the tools are: search, web_fetch" in reply.text


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("search", {}, "needs a query"),
        ("search", {"query": "  "}, "needs a query"),
        ("search", {"query": 7}, "needs a query"),
        ("web_fetch", {}, "needs a url"),
        ("web_fetch", {"url": "file:///etc/passwd"}, "needs a url"),
        ("web_fetch", {"url": ["https://a.example"]}, "needs a url"),
        ("web_fetch", {"url": "https://nowhere.example/"}, MISSING),
    ],
)
def test_unusable_arguments_get_a_sentence(web: RecordedWeb, name: str, arguments: dict[str, Any], says: str) -> None:
    assert says in _use(_tools(web), (name, arguments))[0].text


@pytest.mark.parametrize("start", [-1, "3", True, None, 2.5])
def test_odd_start_means_the_beginning(web: RecordedWeb, start: object) -> None:
    reply = _use(_tools(web), ("web_fetch", {"url": LIGHTS, "start": start}))[0]
    assert reply.body.startswith("Lights of the coast")


def test_long_page_comes_in_parts_that_overlap() -> None:
    text = "".join(f"{number:07d}\n" for number in range(PART // 4))
    page, read, start = FetchAnswer("https://a.example/", "Long", text, "exact"), "", 0
    while True:
        part = page_part(page, start)
        read = read[:start] + part.body
        if part.next_start is None:
            break
        assert part.next_start == len(read) - OVERLAP
        start = part.next_start
    assert read == text


def test_path_of_an_agent_has_the_shape_of_a_recording(web: RecordedWeb) -> None:
    tools = _tools(web)
    _use(tools, ("search", {"query": "coast lights list"}), ("web_fetch", {"url": LIGHTS}))
    path = tools.trajectory("a-1", "4-table", Actor(kind="agent", name="x"), NOON, NOON)
    assert from_json(Trajectory, to_json(path)) == path
    assert (path.queries[0].text, path.visits[0].url) == ("coast lights list", LIGHTS)
    assert path.visits[0].reached_from == path.queries[0].seq
    assert path.visits[0].snapshots == (path.snapshots[0].id,)


def test_page_that_no_search_showed_descends_from_nothing(web: RecordedWeb) -> None:
    tools = _tools(web)
    _use(tools, ("web_fetch", {"url": LIGHTS}), ("search", {"query": "coast lights list"}))
    path = tools.trajectory("a-1", "4-table", Actor(kind="agent", name="x"), NOON, NOON)
    assert path.visits[0].reached_from is None


def test_every_result_that_was_asked_for_is_shown() -> None:
    results = [SearchResult(rank=n, abs_rank=n, title=f"Page {n}", url=f"https://a.example/{n}") for n in range(1, 31)]
    assert "30. Page 30" in results_text(results)
