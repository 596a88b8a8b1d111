"""Makes spools by hand: a recording as it lies on a machine, with a page in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser_capture.events import Event
from browser_capture.page_store import Page, PagePart, PageStore
from browser_capture.spool import About, Spool


def event(kind: str, /, *, t_mono: int = 1_000, **data: Any) -> Event:
    """Return an event that the spool will number."""
    return Event(session="s1", seq=1, type=kind, src="rec", t_wall=1_000, t_mono=t_mono, task="t1", data=data)


def put_page(store: PageStore, text: str = "page") -> dict[str, Any]:
    """Keep a page and return the data of its snapshot event."""
    part = PagePart(sha=store.put(f"<p>{text}".encode()), mime="text/html", bytes=len(text) + 3)
    text_sha = store.put(text.encode())
    page = Page(url="http://a.example/", captured_at="2026-01-01T00:00:00.000Z", title="", text_sha=text_sha,
                root=part.sha, parts=(part,))  # fmt: skip
    parts = [{"sha": part.sha, "mime": part.mime, "bytes": part.bytes}]
    return {"id": store.put_page(page), "trigger": "load", "text_sha": text_sha, "parts": parts}


def make_spool(home: Path, server: str, *, whole: bool = True, session: str = "s1") -> Path:
    """Make a recording of five or seven events that nobody writes to any more, and return its folder."""
    about = About(session=session, task="t1", server=server, created_at="2026-01-01T00:00:00.000Z")
    folder = home / "spool" / session
    spool = Spool.create(folder, about)
    kinds = [
        event("session_start", recorder="r", browser="b"),
        event("task_start", task="t1"),
        event("visit", visit="v1", kind="new"),
        event("snapshot", **put_page(spool.pages)),
        event("snapshot", **put_page(spool.pages, "another")),
    ]
    if whole:
        kinds += [event("task_stop", reason="user"), event("session_end", reason="user")]
    for each in kinds:
        spool.append(each)
    spool.close()
    return folder
