"""How a query came to be sent: a visit to a result page comes in, the way it was asked goes out. Pure."""

from __future__ import annotations

from browser_capture.result_pages.recognise import SearchAddress
from browser_capture.visits import VisitBegan

_LOOKED_AT_AGAIN = frozenset({"back", "forward", "bfcache", "reload", "restore"})


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
