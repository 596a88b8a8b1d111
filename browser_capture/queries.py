"""A visit to a result page comes in; the query it sends, and the way it was asked, go to the event log."""

from __future__ import annotations

from browser_capture.breaches import Place, PolicyWatch
from browser_capture.event_log import Entry, EventLog
from browser_capture.result_pages.recognise import SearchAddress, recognise, request_locale
from browser_capture.visits import VisitBegan

_LOOKED_AT_AGAIN = frozenset({"back", "forward", "bfcache", "reload", "restore"})


class QueryBook:
    """Knows which visits show the results of which search. `known` gives the event of each search that was asked."""

    def __init__(self, event_log: EventLog, rules: PolicyWatch) -> None:
        self._log = event_log
        self._rules = rules
        self._searches: dict[str, SearchAddress | None] = {}
        self.known: dict[SearchAddress, int] = {}

    def is_search(self, visit: str | None) -> bool:
        """Tell whether a visit shows results."""
        return self._searches.get(visit or "") is not None

    def began(self, began: VisitBegan) -> int | None:
        """Note a visit; write its query where it sends one. Returns the query's event, None for no result page."""
        search = self._searches[began.visit] = recognise(began.navigation.url)
        return self._ask(began, search) if search is not None else None

    def _ask(self, began: VisitBegan, search: SearchAddress) -> int | None:
        before = self._searches.get(began.from_visit or "")
        if not is_new_query(began, search, before) and search in self.known:
            return self.known[search]
        url = began.navigation.url
        data = {
            "engine": search.engine,
            "q": search.query,
            "start": search.start,
            "how": query_how(began, search, before),
            "visit": began.visit,
            **request_locale(url),
        }
        event = self._log.put(Entry("query", "nav", data, tab=began.tab, visit=began.visit, url=url))
        self._rules.asked(search.engine, Place(began.tab, began.visit, url))
        if event is not None:
            self.known[search] = event.seq
        return event.seq if event else None


def is_new_query(began: VisitBegan, search: SearchAddress, before: SearchAddress | None) -> bool:
    """Tell whether a visit to a result page sends a query: not when it only shows again what was asked before."""
    return began.kind not in _LOOKED_AT_AGAIN and not (began.kind == "same_document" and search == before)


def query_how(began: VisitBegan, search: SearchAddress, before: SearchAddress | None) -> str:
    """Tell how a query was sent; `before` is the search of the page it came from, if that was one.

    box: a form; edit: the form of a result page; page: a further page of the same query; related: a link with another
    query; address_bar; unknown.
    """
    cause = began.cause.cause
    if cause == "address_bar":
        return "address_bar"
    if before is not None and before.query == search.query and before.start != search.start:
        return "page"
    if cause in {"form", "script"}:
        return "box" if before is None else "edit"
    return "related" if cause == "click" and before is not None else "unknown"
