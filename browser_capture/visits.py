"""Navigations, clicks and looks come in; visits that begin and end go out. A pure state machine: no clock, no browser.

A visit is one stay on one page in one tab. Times are the recorder's monotonic milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from browser_capture.causes import UNKNOWN, Act, Cause, Navigation, cause_of
from browser_capture.result_pages.recognise import recognise
from browser_capture.urls import is_web, strict_key

SETTLE_MS = 400
"""A page that rewrites its own address begins a new visit only once the address has stood this long."""
OPENING_MS = 10_000
"""How long a click that opens a tab waits for the tab."""

VisitKind = Literal["new", "same_document", "back", "forward", "reload", "bfcache", "restore"]

_RELOADS = frozenset({"reload", "reloadBypassingCache"})
_RESTORES = frozenset({"restore", "restoreWithPost"})
_HISTORY = frozenset({"historySameDocument", "historyDifferentDocument"})


class VisitBegan(NamedTuple):
    """A visit that begins, with the one it came from and why."""

    visit: str
    tab: str
    kind: VisitKind
    from_visit: str | None
    cause: Cause
    navigation: Navigation


class VisitEnded(NamedTuple):
    """A visit that is over. `active_ms` is how long it was visible and had the focus."""

    visit: str
    tab: str
    url: str
    dwell_ms: int
    active_ms: int
    max_scroll_px: float
    depth: float


Change = VisitBegan | VisitEnded


class _Opening(NamedTuple):
    act: Act
    visit: str | None
    tab: str


@dataclass(slots=True)
class _Stay:
    visit: str
    url: str
    began: int
    active_ms: int = 0
    max_px: float = 0.0
    depth: float = 0.0


@dataclass(slots=True)
class _Tab:
    opener: str | None = None
    stay: _Stay | None = None
    last: Navigation | None = None
    acts: list[Act] = field(default_factory=list)
    looking_since: int | None = None
    settling: Navigation | None = None


class VisitBook:
    """Keeps the current visit of every tab. `next_id` names visits, `is_recorded` says which addresses may be one."""

    def __init__(self, next_id: Callable[[], str], is_recorded: Callable[[str], bool] = is_web) -> None:
        self._next_id = next_id
        self._is_recorded = is_recorded
        self._tabs: dict[str, _Tab] = {}
        self._openings: list[_Opening] = []

    def current(self, tab: str) -> str | None:
        """Return the visit that stands in a tab, None when there is none."""
        stay = self._tab(tab).stay
        return stay.visit if stay else None

    def url(self, tab: str) -> str:
        """Return the address of the current visit of a tab, empty when there is none."""
        stay = self._tab(tab).stay
        return stay.url if stay else ""

    def opened(self, tab: str, opener: str | None) -> None:
        """Note a new tab and, where the browser says so, the tab it came from."""
        self._tab(tab).opener = opener

    def awaited_by(self, url: str, at: int) -> Act | None:
        """Return what waits for a new tab at this address, a click before a page's own request; None for nothing."""
        waiting = [opening.act for opening in self._openings if 0 <= at - opening.act.at <= OPENING_MS]
        meant = [act for act in waiting if act.url and strict_key(act.url) == strict_key(url)] or waiting[-1:]
        return next((act for act in meant if act.kind == "click"), meant[-1] if meant else None)

    def acted(self, tab: str, act: Act) -> None:
        """Note what may cause the next visit of this tab or, when it opens one, the first of a new tab."""
        if act.opens_tab:
            self._openings = [*self._openings[-20:], _Opening(act, self.current(tab), tab)]
        else:
            acts = self._tab(tab).acts
            acts.append(act)
            del acts[:-20]

    def looked(self, tab: str, *, looking: bool, at: int) -> None:
        """Note whether a tab is visible and has the focus; at most one has."""
        if looking:
            for name, other in self._tabs.items():
                if name != tab:
                    _look_away(other, at)
        state = self._tab(tab)
        if not looking:
            _look_away(state, at)
        elif state.looking_since is None:
            state.looking_since = at

    def scrolled(self, tab: str, max_px: float, depth: float) -> None:
        """Note how far the page was seen."""
        stay = self._tab(tab).stay
        if stay is not None:
            stay.max_px, stay.depth = max(stay.max_px, max_px), max(stay.depth, depth)

    def navigated(self, navigation: Navigation) -> list[Change]:
        """Note a document that now stands in a tab, or a new address of the one that stands there.

        A page that is not recorded, an empty or internal one too, ends the visit before it and begins none.
        """
        state = self._tab(navigation.tab)
        if not navigation.same_document:
            state.settling = None
            return self._replace(state, navigation)
        if state.stay is None or is_same_page(state.stay.url, navigation.url):
            state.settling = None
        elif state.settling is None or not is_same_page(state.settling.url, navigation.url):
            state.settling = navigation
        return []

    def unsettled(self, tab: str, url: str) -> None:
        """Note that an address which has not settled yet was written while the person typed: it begins no visit."""
        state = self._tab(tab)
        if state.settling is not None and is_same_page(state.settling.url, url):
            state.settling = None

    def tick(self, at: int, heard: Mapping[str, int] = {}) -> list[Change]:
        """Let rewritten addresses that have settled become visits.

        In a tab of which everything is `heard` only until an earlier moment, time stands at that moment: what is still
        to be heard may rewrite the address again.
        """
        changes: list[Change] = []
        for tab, state in self._tabs.items():
            if state.settling is not None and heard.get(tab, at) - state.settling.at >= SETTLE_MS:
                settled, state.settling = state.settling, None
                changes += self._replace(state, settled)
        return changes

    def closed(self, tab: str, at: int) -> list[Change]:
        """End the visit of a tab that is gone."""
        state = self._tabs.pop(tab, _Tab())
        return _end(tab, state, at)

    def end_all(self, at: int) -> list[Change]:
        """End every visit and forget what might have caused a next one; the tabs stay known."""
        self._openings = []
        for state in self._tabs.values():
            state.acts, state.settling = [], None
        return [change for tab, state in self._tabs.items() for change in _end(tab, state, at)]

    def _tab(self, tab: str) -> _Tab:
        return self._tabs.setdefault(tab, _Tab())

    def _replace(self, state: _Tab, navigation: Navigation) -> list[Change]:
        from_visit = state.stay.visit if state.stay else None
        ended = _end(navigation.tab, state, navigation.at)
        if not self._is_recorded(navigation.url):
            return ended
        kind = _kind(navigation, state.last)
        if state.last is None:
            from_visit, cause = self._opening_of(state, navigation, kind)
        else:
            cause = cause_of(navigation, kind, state.acts)
        state.stay = _Stay(self._next_id(), navigation.url, navigation.at)
        state.last, state.acts = navigation, []
        return [*ended, VisitBegan(state.stay.visit, navigation.tab, kind, from_visit, cause, navigation)]

    def _opening_of(self, state: _Tab, navigation: Navigation, kind: VisitKind) -> tuple[str | None, Cause]:
        """Tell which visit and act opened a tab, by the address wanted; the browser often names no opener."""
        waiting = [opening for opening in self._openings if 0 <= navigation.at - opening.act.at <= OPENING_MS]
        goals = {strict_key(url) for url in (navigation.url, *navigation.chain)}
        meant = [opening for opening in waiting if opening.act.url and strict_key(opening.act.url) in goals]
        openers = dict.fromkeys(opening.tab for opening in meant)
        before = [act for tab in openers if tab in self._tabs for act in self._tabs[tab].acts]
        cause = cause_of(navigation, kind, [*before, *(opening.act for opening in meant), *state.acts])
        if meant:
            self._openings = [opening for opening in self._openings if opening not in meant]
            return meant[-1].visit, cause
        if state.opener is not None and state.opener in self._tabs:
            opener = self._tabs[state.opener]
            return self.current(state.opener), cause_of(navigation, kind, opener.acts)
        if waiting and cause == UNKNOWN:
            # Redirected on the way: the address that was clicked is not the one that came.
            self._openings.remove(waiting[-1])
            return waiting[-1].visit, Cause("click", waiting[-1].act.seq)
        return None, cause


def is_same_page(url: str, other: str) -> bool:
    """Tell whether two addresses of one document are one page: equal but for trackers and fragment, or one search.

    >>> is_same_page("https://www.google.com/search?q=a&sei=1", "https://www.google.com/search?q=a")
    True
    """
    search = recognise(url)
    return strict_key(url) == strict_key(other) or (search is not None and search == recognise(other))


def _kind(navigation: Navigation, last: Navigation | None) -> VisitKind:
    if navigation.restored:
        return "bfcache"
    if navigation.started in _RELOADS:
        return "reload"
    if navigation.started in _RESTORES or (last is None and navigation.transition == "reload"):
        return "restore"
    if navigation.started in _HISTORY:
        behind = last is not None and (navigation.position or 0) > (last.position or 0)
        return "forward" if behind else "back"
    return "same_document" if navigation.same_document else "new"


def _end(tab: str, state: _Tab, at: int) -> list[Change]:
    stay, state.stay = state.stay, None
    if stay is None:
        return []
    if state.looking_since is not None:
        stay.active_ms += max(0, at - max(state.looking_since, stay.began))
        state.looking_since = at
    dwell = max(0, at - stay.began)
    return [VisitEnded(stay.visit, tab, stay.url, dwell, min(stay.active_ms, dwell), stay.max_px, stay.depth)]


def _look_away(state: _Tab, at: int) -> None:
    if state.looking_since is not None and state.stay is not None:
        state.stay.active_ms += max(0, at - max(state.looking_since, state.stay.began))
    state.looking_since = None
