"""A navigation and what happened before it come in; why the visit came about goes out. Pure.

The browser's own words (the reason of a request, the transition of the history entry) lead; the person's clicks say
which of them it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from browser_capture.urls import strict_key

CAUSE_MS = 30_000
"""How long after a click or request a visit may still come of it: slow servers answer late."""
SCRIPT_MS = 1_500
"""How long after a click a script's navigation is still taken for the click's doing."""
TYPED = frozenset({"typed", "address_bar", "generated", "keyword", "keyword_generated", "auto_bookmark"})
_REASONS = {
    "anchorClick": "click",
    "formSubmissionGet": "form",
    "formSubmissionPost": "form",
    "scriptInitiated": "script",
    "metaTagRefresh": "redirect",
    "httpHeaderRefresh": "redirect",
    "reload": "reload",
    "windowOpen": "script",
}
_KINDS = {"back": "history", "forward": "history", "bfcache": "history", "restore": "history", "reload": "reload"}


class Navigation(NamedTuple):
    """A document that now stands in a tab. `started` is the browser's word for how it began, where it was seen."""

    tab: str
    url: str
    at: int
    started: str | None = None
    restored: bool = False
    """It came back from the back/forward cache as it was left."""
    same_document: bool = False
    position: int | None = None
    """Where it stands in the tab's history."""
    entry_id: int | None = None
    transition: str | None = None
    typed_url: str | None = None
    title: str = ""
    chain: tuple[str, ...] = ()
    """Addresses that redirected here, the first one first."""


class Act(NamedTuple):
    """What may cause a visit: a click, a form sent, a page's request to navigate. `url` is where it wants to go."""

    seq: int
    at: int
    kind: Literal["click", "form", "request"]
    url: str | None = None
    reason: str = ""
    opens_tab: bool = False


class Cause(NamedTuple):
    """Why a visit came about: click, form, script, redirect, reload, history, address_bar or unknown."""

    cause: str
    seq: int | None = None


UNKNOWN = Cause("unknown")


def cause_of(navigation: Navigation, kind: str, acts: Sequence[Act]) -> Cause:
    """Tell why a visit of this kind came about, from what was done in its tab (or in the one that opened it).

    >>> cause_of(Navigation("t1", "https://a.example/", 9), "new", [Act(4, 5, "click", "https://a.example/")])
    Cause(cause='click', seq=4)
    """
    if kind in _KINDS:
        return Cause(_KINDS[kind])
    recent = [act for act in acts if 0 <= navigation.at - act.at <= CAUSE_MS]
    goals = {strict_key(url) for url in (navigation.url, *navigation.chain)}
    meant = [act for act in recent if act.url is not None and strict_key(act.url) in goals]
    requests = [act for act in meant if act.kind == "request"]
    if requests:
        return _of_request(requests[-1], recent, goals)
    # A page that writes its own address anew keeps the entry it had, and that entry's transition.
    if navigation.transition in TYPED and not navigation.same_document:
        return Cause("address_bar")
    clicks = [act for act in meant if act.kind == "click"]
    if clicks:
        return Cause("click", clicks[-1].seq)
    # A redirect that was not seen hides the address that was asked for: the last request is then the best guess.
    others = [act for act in recent if act.kind == "request"]
    return _of_request(others[-1], recent, goals) if others else _of_script(navigation, recent)


def _of_request(request: Act, acts: Sequence[Act], goals: Iterable[str]) -> Cause:
    cause = _REASONS.get(request.reason, "unknown")
    before = [act for act in acts if act.kind != "request" and request.at - act.at <= CAUSE_MS]
    if cause == "click":
        wanted = {strict_key(request.url or ""), *goals}
        clicks = [act for act in before if act.kind == "click" and act.url and strict_key(act.url) in wanted]
        return Cause(cause, clicks[-1].seq if clicks else request.seq)
    if cause == "form":
        return Cause(cause, before[-1].seq if before else request.seq)
    if cause == "script":
        near = [act for act in before if abs(request.at - act.at) <= SCRIPT_MS]
        if near:
            return _of_near(near[-1], goals)
    return Cause(cause, request.seq)


def _of_script(navigation: Navigation, acts: Sequence[Act]) -> Cause:
    near = [act for act in acts if navigation.at - act.at <= SCRIPT_MS]
    if near:
        return _of_near(near[-1], ())
    if navigation.same_document:
        return Cause("script")
    return Cause("form") if navigation.transition == "form_submit" else UNKNOWN


def _of_near(act: Act, goals: Iterable[str]) -> Cause:
    # A script that follows a link or sends a form in the page's stead did what the person asked for.
    if act.kind == "form":
        return Cause("form", act.seq)
    follows = act.url is not None and strict_key(act.url) in set(goals)
    return Cause("click" if follows else "script", act.seq)
