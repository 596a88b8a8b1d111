"""A visit that begins or ends comes in; the data of its event goes out. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from browser_capture.answers import Arrival
from browser_capture.privacy import Privacy
from browser_capture.sources.wire import Answer
from browser_capture.visits import VisitBegan, VisitEnded


def began_data(began: VisitBegan, arrival: Arrival, privacy: Privacy) -> Mapping[str, Any]:
    """Return the data of a `visit` event; addresses that are not recorded are left out."""
    navigation = began.navigation
    return {
        "visit": began.visit,
        "kind": began.kind,
        "title": navigation.title if navigation.title != navigation.url else "",
        "entry_id": navigation.entry_id,
        "index": navigation.position,
        "transition": navigation.transition,
        "typed_url": privacy.url_or_none(navigation.typed_url),
        "from_visit": began.from_visit,
        "cause": began.cause.cause,
        "cause_seq": began.cause.seq or None,
        "chain": [{"url": hop.url, "status": hop.status} for hop in arrival.hops if privacy.is_recorded(hop.url)],
    }


def ended_data(ended: VisitEnded, snapshots: int, text_sha: str | None) -> Mapping[str, Any]:
    """Return the data of a `visit_end` event; `text_sha` is of the text that was kept last."""
    return {
        "visit": ended.visit,
        "dwell_ms": ended.dwell_ms,
        "active_ms": ended.active_ms,
        "max_scroll_px": ended.max_scroll_px,
        "depth": ended.depth,
        "snapshots": snapshots,
        "text_sha": text_sha,
    }


def answer_data(answer: Answer, privacy: Privacy) -> Mapping[str, Any]:
    """Return the data of a `response` event."""
    return {
        "status": answer.status,
        "mime": answer.mime,
        "length": answer.length,
        "location": privacy.url_or_none(answer.location),
        "chain_id": answer.chain,
    }
