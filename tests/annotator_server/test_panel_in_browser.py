"""The panel in a real browser: the grid, what is pasted into it, its drafts, its lint, its talk with the recorder."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from annotator_server.policy import Actor
from annotator_server.workflow import claiming
from annotator_server.workflow import writing as questions
from annotator_server.workflow.once import new_key
from browser_capture.capture_session import SHELL
from tests.annotator_server.conftest import A_QUESTION, Visit
from tests.annotator_server.recorded_search import ANSWER, RecordedSearch

pytestmark = pytest.mark.browser

AT = "2026-09-21T14:13:20Z"
NARROW = {"width": 380, "height": 900}


def tell(page: Page, **detail: Any) -> None:
    """Say something to the panel as the recorder does."""
    whole: dict[str, Any] = {"session": "s-1", "task": "t", "started_at": None, "events": 0, "uploaded_seq": 0}
    message = {**whole, "queue": 0, "last": [], "warnings": [], "uploading": False, "problem": None, **detail}
    page.evaluate("detail => window.dispatchEvent(new CustomEvent('trailbench:state', {detail}))", message)


def copied(*texts: str, first: int = 7, at: str = AT) -> dict[str, Any]:
    """What the recorder tells of copies, numbered from `first` on."""
    url = "https://docs.example.org/aifc.html"
    last = [{"seq": first + n, "kind": "copy", "text": text, "url": url, "at": at} for n, text in enumerate(texts)]
    return {"count": len(last), "last": last, "forgotten": []}


def copy(page: Page, html: str) -> None:
    """Put a piece of a page on the clipboard, the way a person does: mark all of it and press Ctrl+C."""
    other = page.context.new_page()
    other.set_content(f"<body>{html}</body>")
    other.evaluate("getSelection().selectAllChildren(document.body)")
    other.keyboard.press("Control+c")
    other.close()
    page.bring_to_front()


def cell(page: Page, column: str, row: int) -> Locator:
    return page.get_by_label(f"{column}, row {row}", exact=True)


def rows(page: Page) -> list[list[str]]:
    """What the grid holds, without the blank row at its end."""
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#grid tbody tr')].map(row => [...row.querySelectorAll('textarea')]"
        ".map(field => field.value)).filter(row => row.some(Boolean))"
    )
    return found


def standings(page: Page) -> list[list[str]]:
    """Where the cells of the grid came from."""
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('#grid tbody tr')].map(row => [...row.querySelectorAll('td')]"
        ".map(cell => cell.dataset.from)).filter(row => row.some(word => word !== 'blank'))"
    )
    return found


@pytest.fixture
def panel(visit: Visit, a_claimed_task: str) -> Page:
    """The panel of the question Ana holds, as wide as it opens, while something is recorded."""
    page = visit("ana", f"/panel/{a_claimed_task}", viewport=NARROW)
    tell(page, state="recording", started_at=AT, passages=copied())
    return page


def test_what_is_typed_is_saved_by_itself_and_survives(panel: Page) -> None:
    cell(panel, "Module", 1).press_sequentially("aifc")
    cell(panel, "Since", 1).press_sequentially("3.11")
    expect(panel.locator("#save-mark")).to_contain_text("Saved")
    panel.reload()
    assert rows(panel) == [["aifc", "3.11", ""]]
    assert standings(panel) == [["typed", "typed", "blank"]]
    expect(panel.locator("#save-mark")).to_have_text(re.compile(r"^Saved \d\d:\d\d:\d\d, version \d+$"))


def test_typing_back_what_is_saved_is_not_called_unsaved(panel: Page) -> None:
    field, mark = cell(panel, "Module", 1), panel.locator("#save-mark")
    field.fill("aifc")
    expect(mark).to_contain_text("version 1")
    field.press_sequentially("x")
    field.press("Backspace")
    expect(mark).to_contain_text("Saved")


def test_a_server_that_is_away_is_said_loudly_and_the_text_comes_back(panel: Page) -> None:
    panel.route("**/draft", lambda route: route.abort())
    cell(panel, "Module", 1).fill("aifc")
    expect(panel.locator("#save-mark")).to_have_text("Not saved: server away, kept on this machine")
    panel.unroute("**/draft")
    panel.reload()
    expect(cell(panel, "Module", 1)).to_have_value("aifc")
    expect(panel.locator("#save-mark")).to_contain_text("Saved")


def test_what_was_written_in_the_shell_comes_back_with_its_links(panel: Page) -> None:
    paste_since(panel)
    expect(panel.locator("#save-mark")).to_contain_text("Saved")
    body = "Module,Since,Removed\naifc,3.9,\noptparse,3.11,\n"
    origins = panel.evaluate("JSON.parse(document.querySelector('#known').textContent).origins")
    origins += [
        {"row": 0, "column": "Since", "value": "3.11", "how": "paste", "session": "s-1", "seq": 7, "text": "3.11"}
    ]
    panel.reload()
    base = int(panel.locator("#base_seq").input_value())
    tell(panel, state="recording", passages=copied("3.11"), draft={"text": body, "origins": origins, "base": base})
    expect(cell(panel, "Module", 2)).to_have_value("optparse")
    assert standings(panel) == [["typed", "typed", "blank"], ["typed", "page", "blank"]]
    expect(panel.locator("#save-mark")).to_contain_text(f"version {base + 1}")


def test_a_kept_draft_upon_an_older_version_is_shown_beside_the_newer_one(panel: Page) -> None:
    cell(panel, "Module", 1).fill("aifc")
    expect(panel.locator("#save-mark")).to_contain_text("version 1")
    panel.reload()
    tell(panel, state="recording", draft={"text": "Module,Since,Removed\nimp,,\n", "origins": [], "base": 0})
    expect(panel.locator("#stale")).to_contain_text("aifc")
    panel.get_by_role("button", name="Keep what is here").click()
    expect(cell(panel, "Module", 1)).to_have_value("imp")
    expect(panel.locator("#save-mark")).to_contain_text("version 2")


def test_what_the_recorder_kept_goes_before_what_the_window_kept(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    panel.expose_function("__trailbench_panel", lambda text: None)
    older = json.dumps({"body": "Module,Since,Removed\naifc,,\n", "origins": [], "base": 0})
    panel.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"trailbench-draft-{a_claimed_task}", older])
    panel.goto(f"{live}/panel/{a_claimed_task}")
    newer = {"text": "Module,Since,Removed\naifc,,\ncgi,,\n", "origins": [], "base": 0}
    tell(panel, state="recording", draft=newer)
    expect(cell(panel, "Module", 2)).to_have_value("cgi")
    expect(panel.locator("#save-mark")).to_contain_text("version 1")
    panel.wait_for_function("localStorage.length === 0")
    assert rows(panel) == [["aifc", "", ""], ["cgi", "", ""]]


def test_keys_lead_from_cell_to_cell(panel: Page) -> None:
    cell(panel, "Module", 1).focus()
    for key in ("a", "ArrowRight", "b", "Enter", "c", "Home", "ArrowLeft", "d", "Tab", "Tab", "e", "ArrowUp", "f"):
        panel.keyboard.press(key)
    assert rows(panel) == [["a", "b", "f"], ["d", "c", "e"]]


def test_a_cell_that_is_come_to_is_cleared_by_delete_and_undo_brings_it_back(panel: Page) -> None:
    cell(panel, "Module", 1).fill("aifc")
    cell(panel, "Since", 1).focus()
    panel.keyboard.press("ArrowLeft")
    panel.keyboard.press("Delete")
    assert rows(panel) == []
    panel.keyboard.press("Control+z")
    assert rows(panel) == [["aifc", "", ""]]
    panel.keyboard.press("Control+Shift+z")
    panel.get_by_role("button", name="Undo").click()
    assert rows(panel) == [["aifc", "", ""]]


def test_a_table_of_a_spreadsheet_is_pasted_whole_and_rows_are_added(panel: Page) -> None:
    table = "".join(f"<tr><td>m{n}<td>3.{n}<td></tr>" for n in range(30))
    copy(panel, f"<table><tr><th>Module<th>Since<th>Removed</tr>{table}</table>")
    cell(panel, "Since", 1).focus()
    panel.keyboard.press("Control+v")
    assert rows(panel) == [[f"m{n}", f"3.{n}", ""] for n in range(30)]
    panel.keyboard.press("Control+z")
    assert rows(panel) == []


def test_a_row_of_header_cells_that_names_other_columns_is_left_out_and_said_so(panel: Page) -> None:
    copy(panel, "<table><tr><th>Module<th>From<th>Until</tr><tr><th>aifc<td>3.11<td>3.13</tr></table>")
    cell(panel, "Module", 1).focus()
    panel.keyboard.press("Control+v")
    assert rows(panel) == [["aifc", "3.11", "3.13"]]
    expect(panel.locator("#lint")).not_to_be_empty()
    expect(panel.locator("#cell-said")).to_contain_text("The header row (Module, From, Until) was left out.")


def test_tabs_and_lines_are_pasted_from_a_cell_on(panel: Page) -> None:
    copy(panel, "<pre>3.11\t3.13\n3.2\t</pre>")
    cell(panel, "Since", 1).focus()
    panel.keyboard.press("Control+v")
    assert rows(panel) == [["", "3.11", "3.13"], ["", "3.2", ""]]


def test_columns_in_another_order_are_put_in_order(panel: Page) -> None:
    copy(panel, "<table><tr><td>Since<td>Module<td>Removed</tr><tr><td>3.11<td>aifc<td>3.13</tr></table>")
    cell(panel, "Module", 1).focus()
    panel.keyboard.press("Control+v")
    assert rows(panel) == [["aifc", "3.11", "3.13"]]


def test_what_finds_no_room_is_told(panel: Page) -> None:
    copy(panel, "<table><tr><td>a<td>b<td>c<td>d</tr></table>")
    cell(panel, "Module", 1).focus()
    panel.keyboard.press("Control+v")
    expect(panel.locator("#cell-said")).to_contain_text("1 column found no room here")


def test_a_column_nobody_asks_for_is_named_when_it_is_left_out(panel: Page) -> None:
    head = "<tr><th>Module<th>Status<th>Since<th>Removed</tr>"
    copy(panel, f"<table>{head}<tr><td>aifc<td>gone<td>3.11<td>3.13</tr></table>")
    cell(panel, "Module", 1).focus()
    panel.keyboard.press("Control+v")
    assert rows(panel) == [["aifc", "3.11", "3.13"]]
    expect(panel.locator("#cell-said")).to_contain_text("Column Status was left out.")


def test_a_paste_over_evidence_says_that_it_replaced_it(panel: Page) -> None:
    paste_since(panel)
    said = panel.locator("#cell-said")
    expect(said).not_to_contain_text("replaced")
    copy(panel, "<pre>aifc\t3.9\n</pre>")
    cell(panel, "Module", 1).focus()
    panel.keyboard.press("Control+v")
    expect(said).to_contain_text("1 cell had evidence, which was replaced")
    panel.keyboard.press("Control+z")
    assert standings(panel) == [["typed", "page", "blank"]]


def test_a_copy_of_a_recorded_page_is_the_cell_s_evidence_without_a_click(panel: Page) -> None:
    tell(panel, state="recording", passages=copied("Removed in 3.13 ", "\n3.11"))
    copy(panel, "<p>3.11</p>")
    cell(panel, "Since", 1).focus()
    panel.keyboard.press("Control+v")
    assert standings(panel) == [["blank", "page", "blank"]]
    expect(panel.locator("#cell-said")).to_contain_text("docs.example.org/aifc.html “3.11”")
    expect(panel.locator("#tally")).to_have_text("1 row · 1 of 1 cell from pages")


def test_a_paste_quicker_than_the_recorder_is_linked_when_it_speaks(panel: Page) -> None:
    copy(panel, "<p>3.11</p>")
    cell(panel, "Since", 1).focus()
    panel.keyboard.press("Control+v")
    assert standings(panel) == [["blank", "outside", "blank"]]
    tell(panel, state="recording", passages=copied("3.11"))
    assert standings(panel) == [["blank", "page", "blank"]]


def test_a_paste_that_reads_like_an_older_copy_goes_to_the_copy_made_just_before_it(panel: Page) -> None:
    tell(panel, state="recording", passages=copied("3.11"))
    paste_since(panel)
    expect(panel.locator("#cell-said")).to_contain_text("docs.example.org/aifc.html")
    newer, later = (copied("3.11", first=seq)["last"][0] for seq in (9, 12))
    newer |= {"url": "https://docs.example.org/optparse.html"}
    later |= {"at": "2999-01-01T00:00:00Z", "url": "https://docs.example.org/copied-after-the-paste.html"}
    tell(panel, state="recording", passages={"count": 3, "last": [newer, later], "forgotten": []})
    expect(panel.locator("#cell-said")).to_contain_text("docs.example.org/optparse.html")
    assert standings(panel) == [["typed", "page", "blank"]]


def test_of_a_pasted_table_only_copied_cells_have_links(panel: Page) -> None:
    tell(panel, state="recording", passages=copied("aifc", "3.13"))
    copy(panel, "<table><tr><td>aifc<td>3.11<td>3.13</tr></table>")
    cell(panel, "Module", 1).focus()
    panel.keyboard.press("Control+v")
    assert standings(panel) == [["page", "outside", "page"]]


def test_a_table_copied_from_a_page_links_each_cell_to_its_row(panel: Page, a_claimed_task: str) -> None:
    tell(panel, state="recording", passages=copied("aifc\t3.11\t3.13\noptparse\t3.2"))
    copy(panel, "<table><tr><td>aifc<td>3.11<td>3.13</tr><tr><td>optparse<td>3.2<td></tr></table>")
    cell(panel, "Module", 1).focus()
    with panel.expect_request("**/draft") as saved:
        panel.keyboard.press("Control+v")
    assert standings(panel) == [["page"] * 3, ["page", "page", "blank"]]
    origins = json.loads(saved.value.post_data or "")["origins"]
    assert [(one["row"], one["column"], one["seq"], one["line"]) for one in origins][3:] == [
        (1, "Module", 7, "optparse\t3.2"),
        (1, "Since", 7, "optparse\t3.2"),
    ]


def paste_since(panel: Page, at: str = AT) -> None:
    tell(panel, state="recording", passages=copied("3.11", at=at))
    cell(panel, "Module", 1).fill("optparse")
    copy(panel, "<p>3.11</p>")
    cell(panel, "Since", 1).focus()
    panel.keyboard.press("Control+v")


def test_an_edit_keeps_the_link_and_says_so_when_it_says_something_else(panel: Page) -> None:
    paste_since(panel)
    panel.keyboard.press("Backspace")
    assert standings(panel) == [["typed", "page", "blank"]]  # 3.1 still stands in what was copied
    panel.keyboard.press("2")
    assert standings(panel) == [["typed", "edited", "blank"]]
    panel.keyboard.press("Control+z")
    assert standings(panel) == [["typed", "page", "blank"]]


def test_links_move_with_their_rows(panel: Page) -> None:
    paste_since(panel)
    panel.get_by_role("button", name="Add a row").or_(panel.locator("#add-row")).click()
    cell(panel, "Module", 2).fill("aifc")
    expect(panel.locator("#sort")).to_be_enabled()
    panel.locator("#sort").click()
    assert rows(panel) == [["aifc", "", ""], ["optparse", "3.11", ""]]
    assert standings(panel) == [["typed", "blank", "blank"], ["typed", "page", "blank"]]
    cell(panel, "Module", 1).focus()
    panel.locator("#delete-row").click()
    expect(panel.locator("#save-mark")).to_contain_text("Saved")
    panel.reload()
    assert (rows(panel), standings(panel)) == ([["optparse", "3.11", ""]], [["typed", "page", "blank"]])


def test_links_survive_the_way_through_text_and_back(panel: Page) -> None:
    paste_since(panel)
    panel.get_by_role("button", name="Text", exact=True).click()
    box = panel.get_by_label("Answer as text")
    expect(box).to_have_value("Module,Since,Removed\noptparse,3.11,\n")
    box.fill("Module,Since,Removed\naifc,3.9,\noptparse,3.11,\n")
    panel.get_by_role("button", name="Cells").click()
    expect(cell(panel, "Module", 2)).to_have_value("optparse")
    assert standings(panel) == [["typed", "typed", "blank"], ["typed", "page", "blank"]]


def test_links_follow_their_rows_when_the_text_puts_them_in_another_order(panel: Page) -> None:
    tell(panel, state="recording", passages=copied("3.11"))
    copy(panel, "<p>3.11</p>")
    for row, module in enumerate(("optparse", "aifc", "imp"), start=1):
        cell(panel, "Module", row).fill(module)
        cell(panel, "Since", row).focus()
        panel.keyboard.press("Control+v" if module != "imp" else "a")
    panel.get_by_role("button", name="Text", exact=True).click()
    text = "Module,Since,Removed\nasynchat,3.11,\naifc,3.11,3.13\nimp,3.11,\nOptparse,3.11,\n"
    panel.get_by_label("Answer as text").fill(text)
    panel.get_by_role("button", name="Cells").click()
    expect(cell(panel, "Module", 4)).to_have_value("Optparse")
    assert [row[1] for row in standings(panel)] == ["typed", "page", "typed", "page"]


def test_text_of_another_shape_stays_text_with_the_reason(panel: Page) -> None:
    panel.get_by_role("button", name="Text", exact=True).click()
    panel.get_by_label("Answer as text").fill("A,B\n1,2\n")
    panel.get_by_role("button", name="Cells").click()
    expect(panel.locator("#answer-preview")).to_contain_text("The header must be: Module, Since, Removed.")


def test_a_cell_of_a_forgotten_page_says_so_and_proves_nothing(panel: Page) -> None:
    paste_since(panel)
    tell(panel, state="recording", passages={"count": 0, "last": [], "forgotten": [[5, 9]]})
    expect(panel.locator("#cell-said")).to_contain_text("Pasted from a page that was forgotten")
    expect(panel.locator("#tally")).to_contain_text("1 from forgotten pages")
    expect(panel.locator("#save-mark")).to_contain_text("Saved")
    panel.reload()
    assert standings(panel) == [["typed", "forgotten", "blank"]]


@pytest.mark.parametrize(
    ("minutes_ago", "sent", "words"), [(1, 0, "1 cell loses its evidence"), (11, 0, ""), (1, 7, "")]
)
def test_forget_says_first_how_many_cells_lose_their_evidence(
    panel: Page, minutes_ago: int, sent: int, words: str
) -> None:
    panel.evaluate("() => { window.said = []; window.confirm = words => { said.push(words); return false; }; }")
    at = (datetime.now(UTC) - timedelta(minutes=minutes_ago)).isoformat()
    paste_since(panel, at=at)
    tell(panel, state="recording", uploaded_seq=sent, passages=copied())
    panel.locator("#forget").click()
    (said,) = panel.evaluate("said")
    assert "this cannot be undone" in said
    assert ("evidence" in said, words in said) == (bool(words), True)


def test_a_copy_the_panel_missed_is_asked_for(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    heard: list[str] = []
    panel.expose_function("__trailbench_panel", lambda text: heard.append(json.loads(text)["do"]))
    panel.goto(f"{live}/panel/{a_claimed_task}")
    tell(panel, state="recording", passages={**copied("3.11"), "count": 2})
    assert heard.count("hello") == 2


def test_a_marked_selection_goes_to_the_cell_one_is_in(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    heard: list[dict[str, Any]] = []
    panel.expose_function("__trailbench_panel", lambda text: heard.append(json.loads(text)))
    panel.goto(f"{live}/panel/{a_claimed_task}")
    tell(panel, state="recording", passages=copied())
    cell(panel, "Module", 1).fill("optparse")
    cell(panel, "Removed", 1).focus()
    panel.get_by_role("button", name="Mark selection").click()
    (ref,) = [said["ref"] for said in heard if said["do"] == "mark"]
    mark = {"seq": 9, "kind": "evidence", "text": "is not removed", "url": "https://a.example/", "at": AT, "ref": ref}
    tell(panel, state="recording", passages={"count": 1, "last": [mark], "forgotten": []})
    assert standings(panel) == [["typed", "blank", "marked"]]
    expect(panel.locator("#cell-said")).to_contain_text("is not removed")
    expect(panel.locator("#tally")).to_have_text("1 row · 0 of 1 cell from pages · 1 typed · 1 blank cell marked")


def test_cells_the_scorer_objects_to_are_marked_with_its_sentence(panel: Page) -> None:
    cell(panel, "Since", 1).fill("3.11")
    cell(panel, "Module", 1).focus()
    expect(cell(panel, "Module", 1)).to_have_attribute("aria-invalid", "true")
    expect(panel.locator("#cell-said .visually-hidden")).to_contain_text("Row 1 has no Module")  # the lint shows it
    panel.get_by_role("button", name="Row 1 has no Module").click()
    expect(cell(panel, "Module", 1)).to_be_focused()
    panel.keyboard.type("aifc")
    expect(panel.locator("#lint")).to_contain_text("The shape fits")


def test_another_window_s_answer_is_shown_beside_this_one(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}")
    other = panel.context.new_page()
    other.goto(f"{live}/panel/{a_claimed_task}")
    cell(other, "Module", 1).fill("optparse")
    expect(other.locator("#save-mark")).to_contain_text("version 1")
    cell(panel, "Module", 1).fill("aifc")
    sides = panel.locator("#stale")
    expect(sides).to_contain_text("aifc")
    expect(sides).to_contain_text("optparse")
    panel.get_by_role("button", name="Take the other").click()
    expect(cell(panel, "Module", 1)).to_have_value("optparse")
    expect(panel.locator("#save-mark")).to_contain_text("version 1")
    panel.get_by_role("button", name="Undo").click()
    expect(cell(panel, "Module", 1)).to_have_value("aifc")
    expect(panel.locator("#save-mark")).to_contain_text("version 2")


def test_the_panel_says_what_was_clicked_and_shows_what_it_hears(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    heard: list[str] = []
    panel.expose_function("__trailbench_panel", lambda text: heard.append(json.loads(text)["do"]))
    panel.goto(f"{live}/panel/{a_claimed_task}")
    expect(panel.locator("#start")).to_be_disabled()
    tell(panel, state="idle")
    panel.locator("#start").click()
    last = [{"type": "visit", "text": "<b>aifc</b>", "at": AT}]
    tell(panel, state="recording", started_at=AT, events=7, last=last)
    expect(panel.locator("#last-events")).to_contain_text("<b>aifc</b>")
    panel.locator("#widen").click()
    panel.locator("#pause").click()
    tell(panel, state="paused", started_at=AT)
    panel.get_by_role("button", name="Resume").click()
    panel.locator("#stop").click()
    tell(panel, state="stopped", counts={"query": 1, "visit": 3})
    expect(panel.locator("#progress")).to_contain_text("Recorded: 1 query, 3 pages.")
    assert [said for said in heard if said != "draft"] == ["hello", "start", "widen", "pause", "resume", "stop"]


def test_both_panels_say_what_resume_records_where_pause_stands(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/", viewport=NARROW)
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        said = panel.get_by_text("What is open when you press Resume is recorded from then on")
        tell(panel, state="recording", started_at=AT)
        expect(said).to_be_hidden()
        expect(panel.locator("#pause")).to_have_accessible_description(re.compile("While paused nothing is recorded"))
        tell(panel, state="paused", started_at=AT)
        expect(said).to_be_visible()
        assert barriers(panel) == []


def test_what_was_forgotten_is_gone_from_last_seen_at_once(panel: Page) -> None:
    tell(panel, state="recording", last=[{"type": "visit", "text": "Private matters", "at": AT}])
    expect(panel.locator("#last-events")).to_contain_text("Private matters")
    tell(panel, state="recording", last=[], warnings=["Forgotten: 4 events of the last 10 minutes."])
    expect(panel.locator("#last-events")).to_have_text("What you do in the browser appears here while you record.")
    expect(panel.locator("#warnings .good")).to_have_count(1)


def test_what_is_told_is_put_there_once_and_as_what_it_is(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    detail = {"problem": "The disk is full.", "warnings": ["Forgotten: 4 events. <b>Open then</b>.", "This is Bing."]}
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        tell(panel, state="recording", **detail)
        told = panel.locator("#warnings > *, #problem > *")
        panel.evaluate("document.querySelector('#warnings > *, #problem > *').id = 'first'")
        tell(panel, state="recording", **detail)
        assert told.all_inner_texts() == [detail["problem"], *detail["warnings"]]
        kinds = told.evaluate_all("all => all.map(one => ['bad', 'good', 'warn'].find(k => one.classList.contains(k)))")
        assert kinds == ["bad", "good", "warn"]
        expect(panel.locator("#first")).to_have_count(1)
        tell(panel, state="recording")
        expect(told).to_have_count(0)


LACKING = [
    {"text": "2 pages were not kept", "pages": ["https://a.example/<b>", "https://b.example/" + "x" * 180]},
    {"text": "Nothing was recorded for a while", "pages": []},
]


def test_after_stop_both_panels_say_what_is_missing_and_which_pages(
    visit: Visit, a_claimed_task: str, live: str
) -> None:
    panel = visit("ana", "/", viewport=NARROW)
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        missing = panel.locator("#missing")
        tell(panel, state="stopped", missing=LACKING)
        expect(missing).to_contain_text("2 pages were not kept")
        missing.get_by_text("2 pages were not kept").click()
        tell(panel, state="uploaded", missing=LACKING)
        expect(missing.get_by_role("listitem").first).to_have_text("https://a.example/<b>")
        expect(missing.get_by_text("Nothing was recorded for a while")).to_be_visible()
        assert panel.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        assert barriers(panel) == []


def test_a_gap_is_said_with_its_times_and_its_reason(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/", timezone_id="Europe/Athens")
    gap = {"start": "2026-09-21T14:13:20Z", "end": "2026-09-21T14:15:00Z", "why": "the disk was full"}
    several = {"text": "2 times nothing was recorded for a while", "pages": [], "gaps": [gap, {**gap, "start": None}]}
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        tell(panel, state="uploaded", missing=[{**several, "gaps": [gap]}])
        expect(panel.locator("#missing")).to_contain_text(
            "Nothing was recorded from 21/09/2026 17:13:20 to 21/09/2026 17:15:00: the disk was full"
        )
        tell(panel, state="uploaded", missing=[several])
        panel.get_by_text("2 times nothing").click()
        expect(panel.get_by_text("until 21/09/2026 17:15:00: the disk was full")).to_be_visible()


def test_nothing_is_said_where_nothing_is_missing(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        tell(panel, state="uploaded", missing=LACKING)
        tell(panel, state="uploaded", missing=[])
        expect(panel.locator("#missing")).to_be_hidden()


def test_the_panel_says_where_the_events_are_and_when_they_leave(panel: Page) -> None:
    said = panel.locator("#progress")
    tell(panel, state="recording", events=37, forget_minutes=10)
    expect(said).to_have_text("37 events kept here; sent after 10 minutes or at Stop")
    tell(panel, state="paused", events=37, uploaded_seq=30, forget_minutes=10)
    expect(said).to_have_text("30 events sent, 7 kept here; sent after 10 minutes or at Stop")
    tell(panel, state="recording", events=37, forget_minutes=10, inspect_first=True)
    expect(said).to_contain_text("trailbench capture inspect")
    tell(panel, state="uploaded", events=37, uploaded_seq=37)
    expect(said).to_have_text("All 37 events are sent: the recording is complete.")
    panel.evaluate("document.querySelector('#panel').dataset.complete = 'yes'")
    tell(panel, state="idle")
    expect(said).to_contain_text("A complete recording is at the server")


def test_a_recorder_that_fell_silent_is_not_said_to_record(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    panel.clock.install()
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        for state, command in (("stopped", "upload"), ("recording", "resume")):
            tell(panel, state=state, started_at=AT)
            panel.clock.run_for(8000)
            expect(panel.locator("#state")).to_have_text("Recorder silent")
            expect(panel.locator("#stop")).to_be_disabled()
            expect(panel.locator("#warnings, #problem")).to_contain_text(f"trailbench capture {command}")
    tell(panel, state="recording", started_at=AT)
    expect(panel.locator("#state")).to_contain_text("Recording")
    expect(panel.locator("#stop")).to_be_enabled()


def test_the_clock_shows_what_was_recorded(panel: Page) -> None:
    tell(panel, state="paused", started_at=AT, recorded_ms=83_000)
    expect(panel.locator("#state")).to_have_text("Paused 1:23")


def test_an_absent_server_is_said_once_and_not_called_an_upload(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", "/")
    problem = "The server http://a.example is away; everything is kept on this machine."
    for address in (SHELL, f"{live}/panel/{a_claimed_task}"):
        panel.goto(address)
        tell(panel, state="stopped", events=3, away=True, problem=problem)
        expect(panel.locator("#state")).to_have_text("Kept here, the server is away")
        expect(panel.get_by_text(re.compile("server.*is away"))).to_have_count(2)


def test_the_shell_says_once_why_its_buttons_are_grey(visit: Visit) -> None:
    shell = visit("ana", "/")
    shell.goto(SHELL)
    tell(shell, state="idle")
    expect(shell.get_by_text("work once you have pressed Start")).to_have_count(1)
    expect(shell.locator("#stop")).to_have_accessible_description(re.compile("once you have pressed Start"))
    tell(shell, state="recording", started_at=AT)
    expect(shell.locator("#why-grey")).to_be_hidden()


def test_the_guidelines_name_the_engines(panel: Page) -> None:
    panel.get_by_text("Guidelines").click()
    expect(panel.get_by_text("Search with Google only, without chat assistants.")).to_be_visible()


def test_the_head_lies_over_the_table(panel: Page) -> None:
    panel.set_viewport_size({"width": 500, "height": 813})
    top = panel.evaluate(
        """() => { const corner = document.querySelector("#grid thead th");
        document.body.style.paddingBottom = "1000px";
        scrollBy({ top: corner.getBoundingClientRect().top - 12, behavior: "instant" });
        const { left, top } = corner.getBoundingClientRect();
        return document.elementFromPoint(left + 8, top + 8).closest(".recorder") !== null; }"""
    )
    assert top


def test_what_could_not_be_checked_is_checked_when_the_server_is_back(panel: Page) -> None:
    panel.route("**/lint", lambda route: route.abort())
    cell(panel, "Module", 1).fill("aifc")
    expect(panel.locator("#lint")).to_contain_text("Not checked just now")
    panel.unroute("**/lint")
    expect(panel.locator("#lint")).to_contain_text("The shape fits")


def test_a_recording_without_a_search_is_said_before_submit(panel: Page) -> None:
    tell(panel, state="uploaded", counts={"query": 1, "visit": 3})
    expect(panel.locator("#no-search")).to_be_hidden()
    tell(panel, state="uploaded", counts={"visit": 3})
    expect(panel.locator("#no-search")).to_be_visible()
    expect(panel.locator("#submit")).to_be_enabled()


def test_submit_waits_for_the_uploaded_recording_and_hands_in_once(panel: Page, a_recording: RecordedSearch) -> None:
    expect(panel.locator("#submit")).to_be_disabled()
    panel.get_by_role("button", name="Text", exact=True).click()
    panel.get_by_label("Answer as text").fill(ANSWER)
    tell(panel, state="uploaded")
    panel.get_by_role("button", name="Submit").dblclick()
    expect(panel.get_by_text("Answer 1 is handed in")).to_be_visible()


def test_submit_asks_once_where_the_lint_knows_of_a_fault(panel: Page, a_recording: RecordedSearch) -> None:
    tell(panel, state="uploaded")
    for row, module in enumerate(("optparse", "aifc"), start=1):
        cell(panel, "Module", row).fill(module)
    expect(panel.locator("#lint")).to_contain_text("out of order")
    asked = panel.get_by_role("alertdialog")
    panel.locator("#submit").press("Enter")
    expect(asked).to_contain_text("out of order")
    expect(asked).to_contain_text("Hand it in all the same?")
    assert barriers(panel) == []
    panel.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    expect(panel.locator("#submit")).to_be_focused()
    panel.keyboard.press("Enter")
    panel.keyboard.press("Tab")
    panel.keyboard.press("Enter")
    expect(panel.get_by_text("Answer 1 is handed in")).to_be_visible()


def test_without_a_script_the_answer_is_a_text_and_can_be_handed_in(
    visit: Visit, a_claimed_task: str, a_recording: RecordedSearch
) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}", java_script_enabled=False)
    panel.get_by_label("Answer as text").fill("Module,Since,Removed\naifc,3.11,3.13\naifc,3.11,3.13\n")
    panel.get_by_role("button", name="Save answer").click()
    expect(panel.locator("#answer-preview")).to_contain_text("Row 2 repeats an earlier row")
    panel.get_by_label("Answer as text").fill(ANSWER)
    panel.get_by_role("button", name="Submit").click()
    expect(panel.get_by_text("Answer 1 is handed in")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_has_no_barrier(visit: Visit, a_claimed_task: str, scheme: str) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}", viewport=NARROW, color_scheme=scheme)
    paste_since(panel)
    panel.keyboard.press("9")
    cell(panel, "Removed", 2).fill("typed")
    expect(panel.locator("#lint button")).to_have_count(1)
    assert barriers(panel) == []
    panel.get_by_role("button", name="Text", exact=True).click()
    assert barriers(panel) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_shell_has_no_barrier(browser: Browser, scheme: Literal["light", "dark"]) -> None:
    context = browser.new_context(viewport={"width": 380, "height": 900}, color_scheme=scheme)
    shell = context.new_page()
    shell.goto(SHELL)
    tell(shell, state="recording", question="Which?", last=[{"type": "visit", "text": "a page", "at": AT}])
    found = barriers(shell)
    context.close()
    assert found == []


def test_both_sides_of_a_stale_answer_have_no_barrier(visit: Visit, a_claimed_task: str, live: str) -> None:
    panel = visit("ana", f"/panel/{a_claimed_task}", viewport=NARROW)
    other = panel.context.new_page()
    other.goto(f"{live}/panel/{a_claimed_task}")
    cell(other, "Module", 1).fill("optparse")
    expect(other.locator("#save-mark")).to_contain_text("version 1")
    cell(panel, "Module", 1).fill("aifc")
    expect(panel.locator("#stale")).to_contain_text("optparse")
    assert barriers(panel) == []


def barriers(page: Page) -> list[Any]:
    """What keeps people out of a page, by the rules of WCAG."""
    result = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert result.response["passes"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in result.response["violations"]]


@pytest.mark.parametrize("columns", [1, 40])
def test_many_columns_scroll_inside_their_box(
    visit: Visit, app: Flask, actor_of: Callable[[str], Actor], columns: int
) -> None:
    named = [{**A_QUESTION.form["columns"][0], "name": f"C{n}", "key": n == 0} for n in range(columns)]
    form = {**A_QUESTION.form, "columns": named, "sort": [{"column": "C0", "direction": "ascending"}]}
    with app.app_context():
        ana = actor_of("ana")
        names = ", ".join(f"C{n}" for n in range(columns))
        question = replace(A_QUESTION, text=f"List it sorted by C0 ascending. The headers are {names}.", form=form)
        task = questions.write_question(ana, question, new_key())
        questions.mark_ready(ana, task, 1)
        claiming.claim(ana, task, 120)
    panel = visit("ana", f"/panel/{task}", viewport=NARROW)
    assert panel.evaluate("document.documentElement.scrollWidth") <= 380
    box = cell(panel, "C0", 1).bounding_box()
    assert box is not None
    assert box["width"] > 80
