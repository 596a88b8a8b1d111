"""A recording that was cut short goes on: what is written of the gap, and what of the past the open pages still have.

The same for a recorder that died, a disk that was full, and an upload that ends what nobody went on with.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from browser_capture.causes import Navigation
from browser_capture.clock import Clock, system_clock
from browser_capture.errors import TrailbenchError
from browser_capture.event_log import Entry, EventLog
from browser_capture.events import Event
from browser_capture.page_store import PageStore
from browser_capture.past import Past
from browser_capture.snapshots import Unpacked
from browser_capture.sources.wire import Answer
from browser_capture.urls import strict_key
from browser_capture.visits import is_same_page

DIED = "the recorder ended without a Stop"


def resumed_clock(past: Past) -> Clock:
    """Return clocks whose monotonic one goes on where the log broke off, after the time that passed since."""
    return system_clock(past.mono + max(0, time.time_ns() // 1_000_000 - past.wall))


def write_gap(log: EventLog, past: Past, reason: str, more: Mapping[str, Any] | None = None) -> Event | None:
    """End the visits that stood when the log broke off, and note from when to when nothing was recorded.

    A visit lasted at least until the log's last sign of life; nobody knows how much of it was looked at. Returns None
    when the disk takes nothing yet.
    """
    for stay in past.stays:
        data = {"visit": stay.visit, "dwell_ms": max(0, past.mono - stay.began), "active_ms": None}
        entry = Entry("visit_end", "rec", data, tab=stay.tab, visit=stay.visit, url=stay.url, mono=past.mono)
        if log.put(entry, always=True) is None:
            return None
    data = {"from": past.wall, "to": log.clock.wall(), "reason": reason, **(more or {})}
    if log.spool is not None and log.spool.torn_bytes:
        data["torn_bytes"], log.spool.torn_bytes = log.spool.torn_bytes, 0
    return log.put(Entry("recorder_gap", "rec", data))


def as_before(past: Past, navigation: Navigation) -> Navigation | None:
    """Return an open page as it begins again: one that stood before the gap is marked as looked at again.

    After forgetting, a page the log does not know may be one that was forgotten and still stands open: None, it is left
    alone until the person goes on from it.
    """
    if past.has_forgotten and not _is_any_of(navigation.url, past.pages):
        return None
    stood = _is_any_of(navigation.url, [stay.url for stay in past.stays])
    return navigation._replace(started="restore") if stood else navigation


def _is_any_of(url: str, pages: Iterable[str]) -> bool:
    return any(is_same_page(page, url) for page in pages)


class Known(NamedTuple):
    """What the past knows of a document that stands open: how it came, and its page where the network gave it."""

    answer: Answer
    page: Unpacked | None


def known_documents(past: Past, addresses: Mapping[str, str], pages: PageStore) -> Iterator[Known]:
    """Yield what is known of the open pages; `addresses` by our names of the tabs. Reads the page store."""
    for tab, url in addresses.items():
        key = strict_key(url)
        data = past.answers.get(key)
        if data is not None:
            yield Known(_answer(url, tab, data), _page(past.documents.get(key), pages))


def _answer(url: str, tab: str, data: Mapping[str, Any]) -> Answer:
    return Answer(
        tab=tab,
        url=url,
        status=data.get("status"),
        mime=str(data.get("mime") or ""),
        length=data.get("length"),
        location=None,
        chain=str(data.get("chain_id") or ""),
    )


def _page(page_id: str | None, pages: PageStore) -> Unpacked | None:
    if page_id is None:
        return None
    try:
        return Unpacked(page_id, pages.page(page_id), None)
    except TrailbenchError:
        return None
