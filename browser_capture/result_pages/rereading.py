"""A recorded search and the snapshots it kept come in; its result pages as today's parsers read them go out.

Nothing of the log is rewritten: what a newer parser reads is a new `serp` event at its end that names the event it
reads again, and a trajectory that is derived with it shows the newer results at the old place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from browser_capture.errors import TrailbenchError
from browser_capture.events import Event
from browser_capture.page_store import PageStore
from browser_capture.result_pages.reading import read_result_page
from browser_capture.result_pages.serp_event import serp_data
from browser_capture.trajectory import Trajectory


class Document(NamedTuple):
    """The HTML of a snapshot and the address it was taken at."""

    url: str
    html: bytes


def serp_events_again(
    trajectory: Trajectory, document: Callable[[str], Document | None], *, t_wall: int
) -> Iterator[Event]:
    """Yield a `serp` event for each result page that an older parser had read, numbered on from the log's end.

    `document` gives the snapshot with an id, None where it is no longer kept; such a page stays as it was read.
    `t_wall` is the moment of the reading, in milliseconds since the epoch.
    """
    seq = trajectory.last_seq
    for old in trajectory.result_pages:
        found = document(old.snapshot) if old.snapshot is not None else None
        page = None if found is None else read_result_page(found.html, found.url)
        if found is None or page is None or page.parser_version == old.parser_version:
            continue
        seq += 1
        data = {**serp_data(page, snapshot=old.snapshot, query=old.query), "rereads": old.seq}
        yield Event(
            session=trajectory.id,
            seq=seq,
            type="serp",
            src="rec",
            t_wall=t_wall,
            t_mono=0,
            task=trajectory.task,
            visit=old.visit,
            url=found.url,
            data=data,
        )


def kept_documents(store: PageStore) -> Callable[[str], Document | None]:
    """Return the look-up of documents in a page store; what is missing or damaged there is None."""

    def document(snapshot: str) -> Document | None:
        try:
            page = store.page(snapshot)
            return None if page.root is None else Document(page.url, store.get(page.root))
        except TrailbenchError:
            return None

    return document
