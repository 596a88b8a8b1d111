"""What counts as a visit, why it came about, and how long it was looked at: no browser, no clock."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from browser_capture.causes import Act, Navigation, cause_of
from browser_capture.visits import Change, VisitBegan, VisitBook, VisitEnded, is_same_page

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


def new_book() -> VisitBook:
    """Return a book that names visits v1, v2, ..."""
    ids = itertools.count(1)
    return VisitBook(lambda: f"v{next(ids)}")


def began(changes: list[Change]) -> VisitBegan:
    """Return the visit that began."""
    return next(change for change in changes if isinstance(change, VisitBegan))


def ended(changes: list[Change]) -> VisitEnded:
    """Return the visit that ended."""
    return next(change for change in changes if isinstance(change, VisitEnded))


KINDS = [
    ({"started": "differentDocument", "position": 2}, "new"),
    ({"started": "reload", "position": 1}, "reload"),
    ({"started": "reloadBypassingCache", "position": 1}, "reload"),
    ({"started": "historyDifferentDocument", "position": 0}, "back"),
    ({"started": "historyDifferentDocument", "position": 2}, "forward"),
    ({"restored": True, "position": 0}, "bfcache"),
    ({"started": "restore", "position": 1}, "restore"),
    ({"position": 2}, "new"),
]


@pytest.mark.parametrize(("facts", "kind"), KINDS)
def test_the_browsers_words_give_the_kind(facts: dict[str, Any], kind: str) -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0, position=1))
    assert began(book.navigated(Navigation("t1", B, 10, **facts))).kind == kind


def test_a_tab_reopened_by_the_browser_is_a_restore() -> None:
    assert began(new_book().navigated(Navigation("t1", A, 0, transition="reload"))).kind == "restore"


def test_a_visit_ends_where_the_next_begins() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 100))
    changes = book.navigated(Navigation("t1", B, 350))
    assert (ended(changes).visit, ended(changes).dwell_ms) == ("v1", 250)
    assert began(changes).from_visit == "v1"


def test_internal_pages_end_a_visit_and_begin_none() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    assert [type(change) for change in book.navigated(Navigation("t1", "chrome://newtab/", 5))] == [VisitEnded]
    assert book.current("t1") is None


def test_thirty_rewrites_of_an_address_are_one_visit() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    for n in range(30):
        assert book.navigated(Navigation("t1", f"{A}?n={n}", 10 * n, same_document=True)) == []
    assert book.tick(400) == []
    changes = book.tick(700)
    assert (began(changes).kind, began(changes).navigation.url) == ("same_document", f"{A}?n=29")


def test_an_address_does_not_settle_while_the_recorder_is_behind_its_page() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    book.navigated(Navigation("t1", f"{A}?n=1", 10, same_document=True))
    assert book.tick(900, {"t1": 11}) == []
    book.navigated(Navigation("t1", f"{A}?n=2", 11, same_document=True))
    assert began(book.tick(1_000, {"t1": 1_000})).navigation.url == f"{A}?n=2"


@pytest.mark.parametrize("url", [f"{A}#part", f"{A}?utm_source=x"])
def test_a_fragment_or_tracker_is_no_new_visit(url: str) -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    book.navigated(Navigation("t1", url, 10, same_document=True))
    assert book.tick(10_000) == []


def test_an_engine_that_decorates_its_address_shows_the_same_page() -> None:
    assert is_same_page("https://www.google.com/search?q=a&ei=1", "https://www.google.com/search?q=a&sei=2")
    assert not is_same_page("https://www.google.com/search?q=a", "https://www.google.com/search?q=a&start=10")


def test_time_counts_as_active_only_while_looked_at() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    book.looked("t1", looking=True, at=100)
    book.looked("t2", looking=True, at=300)
    book.looked("t1", looking=True, at=900)
    visit = ended(book.closed("t1", 1000))
    assert (visit.active_ms, visit.dwell_ms) == (300, 1000)


def test_the_deepest_scroll_stays_with_the_visit() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    book.scrolled("t1", 500, 0.6)
    book.scrolled("t1", 100, 0.2)
    assert (ended(book.end_all(9)).max_scroll_px, new_book().end_all(9)) == (500, [])


def test_a_click_that_opens_a_tab_is_found_by_its_address() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    for seq, url in ((7, B), (8, C)):
        book.acted("t1", Act(seq, 10, "click", url, opens_tab=True))
    other = began(book.navigated(Navigation("t2", B, 500)))
    assert (other.from_visit, other.cause) == ("v1", ("click", 7))


def test_a_click_on_a_redirect_opens_the_tab_it_leads_to() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    book.acted("t1", Act(7, 10, "click", f"{A}go?to=b", opens_tab=True))
    assert began(book.navigated(Navigation("t2", B, 500))).cause == ("click", 7)


def test_a_tab_with_a_typed_address_comes_from_nowhere() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    other = began(book.navigated(Navigation("t2", B, 500, transition="typed")))
    assert (other.from_visit, other.cause.cause) == (None, "address_bar")


def test_what_was_done_before_a_pause_causes_nothing_after_it() -> None:
    book = new_book()
    book.navigated(Navigation("t1", A, 0))
    book.acted("t1", Act(7, 10, "click", B))
    book.end_all(20)
    assert began(book.navigated(Navigation("t1", B, 30))).cause.cause == "unknown"


CAUSES = [
    ([Act(3, 10, "click", B), Act(4, 11, "request", B, "anchorClick")], {}, ("click", 3)),
    ([Act(4, 11, "request", B, "anchorClick")], {}, ("click", 4)),
    ([Act(3, 10, "form"), Act(4, 11, "request", B, "formSubmissionGet")], {}, ("form", 3)),
    ([Act(4, 11, "request", B, "metaTagRefresh")], {}, ("redirect", 4)),
    ([Act(4, 11, "request", B, "scriptInitiated")], {}, ("script", 4)),
    ([Act(3, 10, "click", B), Act(4, 11, "request", B, "scriptInitiated")], {}, ("click", 3)),
    ([Act(3, 10, "form"), Act(4, 11, "request", B, "scriptInitiated")], {}, ("form", 3)),
    ([Act(3, 10, "click"), Act(4, 11, "request", B, "scriptInitiated")], {}, ("script", 3)),
    ([Act(3, 10, "click", B)], {}, ("click", 3)),
    ([Act(3, 10, "click", C)], {"transition": "typed"}, ("address_bar", None)),
    ([Act(3, 10, "click", C), Act(4, 11, "request", C, "anchorClick")], {"chain": (C,)}, ("click", 3)),
    ([Act(3, 10, "click", C), Act(4, 11, "request", C, "anchorClick")], {}, ("click", 3)),
    ([Act(3, -60_000, "click", B)], {}, ("unknown", None)),
    ([], {"transition": "form_submit"}, ("form", None)),
    ([], {"same_document": True}, ("script", None)),
    ([Act(3, 10, "form")], {"same_document": True, "transition": "typed"}, ("form", 3)),
    ([], {}, ("unknown", None)),
]


@pytest.mark.parametrize(("acts", "facts", "cause"), CAUSES)
def test_the_cause_is_what_led_to_this_address(acts: list[Act], facts: dict[str, Any], cause: object) -> None:
    assert cause_of(Navigation("t1", B, 100, **facts), "new", acts) == cause


@pytest.mark.parametrize(("kind", "cause"), [("back", "history"), ("bfcache", "history"), ("reload", "reload")])
def test_history_and_reload_need_no_act(kind: str, cause: str) -> None:
    assert cause_of(Navigation("t1", B, 100), kind, [Act(3, 99, "click", B)]).cause == cause
