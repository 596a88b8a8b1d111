"""A download that is over comes in; the entries of the log that tell of it go out. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from browser_capture.event_log import Entry
from browser_capture.snapshots import snapshot_data
from browser_capture.sources.downloads import Download

_LONGEST_OWN = 100


def download_entries(download: Download, tab: str | None, visit: str | None, mono: int) -> Iterator[Entry]:
    """Yield what the log says of a download: first the page it is kept as, where it is, then the file.

    A file that a page made itself (`blob:`, `data:`) keeps only the beginning of its address: the rest is the file.
    """
    page = download.page
    url = download.url if page is not None or download.url.startswith("http") else download.url[:_LONGEST_OWN]
    if page is not None:
        data = {**snapshot_data(page, "download"), "ms": 0}
        yield Entry("snapshot", "net", data, tab=tab, url=url, mono=mono)
    data = {
        "url": url,
        "name": download.name,
        "state": download.state,
        "bytes": download.bytes,
        "sha": download.sha,
        "mime": page.page.parts[0].mime if page is not None else None,
        "snapshot": page.page_id if page is not None else None,
    }
    yield Entry("download", "net", data, tab=tab, visit=visit, url=url, mono=mono)
