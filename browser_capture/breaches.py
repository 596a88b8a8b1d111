"""Notes where a search touches the project's rules: another engine, a chat assistant, an AI summary that was used.

Each touch is a `policy` event for the reviewer; nothing is left out of the recording for it. The person is told while
on such a page, or until a search is asked as the project wants. That a result page showed a summary is no touch: its
`serp` event counts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from browser_capture.banned import banned_place
from browser_capture.event_log import Entry, EventLog
from browser_capture.policy import Policy, engine_warning
from browser_capture.urls import host


class Place(NamedTuple):
    """Where the person is."""

    tab: str
    visit: str | None
    url: str


class _Told(NamedTuple):
    """A sentence that the person sees, and the tab it speaks of."""

    tab: str
    rule: str
    sentence: str


class PolicyWatch:
    """Watches one recording. `warn` gets the sentences for the person, `unwarn` those that are over."""

    def __init__(
        self, event_log: EventLog, policy: Policy, warn: Callable[[str], None], unwarn: Callable[[str], None]
    ) -> None:
        self._log = event_log
        self._policy = policy
        self._warn = warn
        self._unwarn = unwarn
        self._standing: set[_Told] = set()

    def visited(self, place: Place) -> None:
        """Note a page that began to be shown."""
        self.left(place.tab)
        banned = banned_place(place.url, self._policy.banned_hosts)
        if banned is not None:
            mode = "" if "/" not in banned and "?" not in banned else f" ({banned})"
            name = host(place.url) + mode
            sentence = f"This is {name}. The project allows no chat assistants and no AI modes: go back to the results."
            self._touched("banned_host", name, sentence, place)

    def left(self, tab: str) -> None:
        """Note that a tab shows its page no more: what was said of that page is over."""
        self._take_back({told for told in self._standing if told.tab == tab})

    def asked(self, engine: str, place: Place) -> None:
        """Note a query."""
        sentence = engine_warning(self._policy, engine)
        if sentence is not None:
            self._touched("engine", engine, sentence, place)
        else:
            self._take_back({told for told in self._standing if told.rule == "engine"})

    def acted_on_results(self, kind: str, data: Mapping[str, Any], place: Place) -> None:
        """Note what a person did on a result page: `kind` and data are those of a click or a copy."""
        if kind == "click" and data.get("opens_summary") and data.get("trusted", True):
            sentence = "You opened an AI summary. The project wants values from pages: open the pages it names."
            self._touched("ai_summary_expanded", "an AI summary was opened", sentence, place)
        elif kind == "copy" and data.get("in_summary"):
            sentence = "You copied from an AI summary. The project wants values from pages: copy them there."
            detail = f"copied from an AI summary: {' '.join(str(data.get('text', '')).split())[:200]}"
            self._touched("ai_summary_copied", detail, sentence, place)

    def _touched(self, rule: str, detail: str, sentence: str, place: Place) -> None:
        data = {"rule": rule, "detail": detail}
        self._log.put(Entry("policy", "rec", data, tab=place.tab, visit=place.visit, url=place.url))
        told = _Told(place.tab, rule, sentence)
        if told not in self._standing:
            self._standing.add(told)
            self._warn(sentence)

    def _take_back(self, over: set[_Told]) -> None:
        self._standing -= over
        for sentence in {told.sentence for told in over} - {told.sentence for told in self._standing}:
            self._unwarn(sentence)
