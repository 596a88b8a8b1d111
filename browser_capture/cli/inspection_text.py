"""A look at a recording comes in; what a person reads about it before it is sent goes out, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from browser_capture.cli.plain import clock, counted, day, duration, plain, size
from browser_capture.events import iso_utc
from browser_capture.inspection import Download, Inspection, SeenPage
from browser_capture.looked_at import asks_for_a_look
from browser_capture.looking import Look, PageText, Searched
from browser_capture.outbox import ALL, read_sent
from browser_capture.private_places import PRIVATE_HOSTS

_MOMENTS = frozenset({"at", "began", "ended", "oldest_waiting"})
_STATES = {
    "empty": "nothing is recorded in it yet",
    "being recorded": "it is being recorded now",
    "being sent": "it is being sent now",
    "interrupted": "it was cut short; go on with it: trailbench capture resume {session}",
    "waits": "it is stopped and waits to be sent",
}
_NAMES = {
    "click": "clicks (what was clicked, not what was typed)",
    "enter": "times Enter was pressed in a field (the field's kind and the length, not the text)",
    "response": "answers of servers (address, state, kind)",
    "nav_request": "addresses that pages asked for",
    "tab_active": "changes to another tab",
    "tab_open": "tabs opened",
    "tab_close": "tabs closed",
    "visit_end": "times of stay",
    "scroll": "times scrolled",
    "submit": "forms sent (where to, not what)",
    "visibility": "times a page came to the front or left it",
    "health": "notes on how the recorder fares (its counts, how busy the machine is, free space of its disk)",
    "dialog": "dialogs of pages (their kind)",
    "interstitial": "walls before a page, such as a captcha",
    "answer": "answers handed in (their fingerprint)",
}
_OF_MACHINE = {
    "platform": "system",
    "python": "Python",
    "timezone": "time zone",
    "screen": "screen",
    "clock_offset_ms": "clock",
    "rtt_ms": "server",
    "browser_lived": "browser lived on",
}
"""What members of a note on the machine are called; the others are called as they are."""
MOST_HITS = 50


def sentences(look: Look) -> Iterator[str]:
    """Yield what would be sent, line by line."""
    about, found = look.about, look.found
    yield f"Recording {about.session} of task {plain(about.task)}, for {plain(about.server)}"
    yield f"State: {_STATES[look.state].format(session=about.session)}."
    if found is None:
        yield "Nothing would be sent."
        return
    yield from _when(found)
    yield from _searches(found)
    yield from _pages(found)
    yield from _passages(found)
    yield from _machine(found)
    yield from _rest(found)
    yield from _left_out(look, found)
    yield from _where_it_is(look, found)
    if found.pages:
        yield f"Read a page as it goes: trailbench capture inspect {about.session} --page 1"
    yield f"Look for a word in all of it: trailbench capture inspect {about.session} --search WORD"
    if found.sent < found.events and look.state in {"waits", "interrupted"}:
        yield f"Take events back before they are sent: trailbench capture forget {about.session} FROM-TO"


def page_sentences(page: SeenPage, texts: Sequence[PageText]) -> Iterator[str]:
    """Yield the text of a page as it goes; of snapshots with the same text one."""
    yield f"Page {page.number}: {plain(page.title) or '(no title)'}"
    yield plain(page.url, 2000)
    if not texts:
        yield "Nothing of this page is kept: its address, title and times go, no text."
    before = None
    for text in texts:
        if text.text is None:
            yield f"-- {clock(text.at)}: its text cannot be read: {text.problem}"
        elif text.text == before:
            yield f"-- {clock(text.at)}: the same text again"
        else:
            yield f"-- {clock(text.at)} ({text.trigger}), {counted(len(text.text), 'letter')}:"
            yield from (_line(line) for line in text.text.split("\n"))
        before = text.text


def hit_sentences(look: Look, word: str, searched: Searched) -> Iterator[str]:
    """Yield where a word stands, or that it stands nowhere."""
    shown = plain(word, 100)
    for what in searched.unread:
        yield f"Not looked through: {plain(what)}"
    if not searched.hits:
        parts = "the parts that could be read" if searched.unread else "the log, the texts and every part of the pages"
        yield f"“{shown}” stands nowhere in {parts} of recording {look.about.session}."
        return
    yield f"“{shown}” stands in {counted(len(searched.hits), 'place')} of recording {look.about.session}:"
    for hit in searched.hits[:MOST_HITS]:
        place = "has left" if hit.sent else "waits here"
        yield f"  event {hit.seq} ({place}), {plain(hit.where)}: {plain(hit.excerpt, 160)}"
    if len(searched.hits) > MOST_HITS:
        yield f"  ... and {len(searched.hits) - MOST_HITS} more"


def as_data(look: Look) -> Mapping[str, Any]:
    """Return a look for programs."""
    about, found = look.about, look.found
    data: dict[str, Any] = {} if found is None else _with_moments(asdict(found))
    for name in ("blobs", "waiting_blobs"):
        data[name] = len(data.get(name, ()))
    return {
        **data,
        "session": about.session,
        "task": about.task,
        "server": about.server,
        "state": look.state,
        "events": found.events if found else 0,
        "bytes": look.bytes,
        "waiting_bytes": look.waiting_bytes,
        "torn_bytes": look.torn,
        "forget_minutes": _forget_minutes(look),
        "must_be_looked_at": look.needs_look,
    }


def _when(found: Inspection) -> Iterator[str]:
    span = f"{day(found.began)} {clock(found.began)} to {clock(found.ended)}"
    paused = f", {duration(found.paused_ms)} of it paused" if found.paused_ms else ""
    yield f"When: {span} ({duration(found.lasted_ms)}{paused}), by {plain(found.who)}"


def _searches(found: Inspection) -> Iterator[str]:
    yield ""
    yield f"Searches: {len(found.searches) or 'none'}"
    for search in found.searches:
        results = "results not read" if search.results is None else counted(search.results, "result")
        engine = plain(search.engine, 40)
        yield f"  {clock(search.at)}  “{plain(search.text)}”  {engine}, {results} (event {search.seq})"


def _pages(found: Inspection) -> Iterator[str]:
    yield ""
    yield f"Pages: {len(found.pages) or 'none'}"
    for page in found.pages:
        title = plain(page.title, 120) or "(no title)"
        yield f"  {page.number:>3}  {clock(page.at)}  {title}"
        yield f"       {plain(page.url)}"
        first, last = page.seqs
        yield f"       {_what_goes(page)} (event{f's {first} to {last}' if last > first else f' {first}'})"


def _what_goes(page: SeenPage) -> str:
    visits = counted(page.visits, "visit")
    if not page.snapshots:
        return f"{visits}; only address, title and times go: no text or picture of it was kept"
    documents, pictures, others = (
        sum(part)
        for part in zip(*((kept.documents, kept.pictures, kept.others) for kept in page.snapshots), strict=True)
    )
    names = ["text" if any(kept.text_sha for kept in page.snapshots) else "no text"]
    names += [counted(documents, "document (HTML or PDF)", "documents (HTML or PDF)")] if documents else ["no HTML"]
    names += [counted(pictures, "picture")] if pictures else ["no pictures"]
    names += [counted(others, "other part")] if others else []
    cut = "; what was too large is left out" if any(kept.partial for kept in page.snapshots) else ""
    sent = sum(kept.sent for kept in page.snapshots)
    place = {0: "waits here", len(page.snapshots): "has left"}.get(sent, f"{sent} of them left, the rest waits here")
    return f"{visits}, {counted(len(page.snapshots), 'snapshot')}: {', '.join(names)}; {size(page.bytes)}{cut}; {place}"


def _passages(found: Inspection) -> Iterator[str]:
    if found.passages:
        yield ""
        yield f"Copied, marked and jotted down: {len(found.passages)}"
    for passage in found.passages:
        yield f"  {clock(passage.at)}  {passage.how} “{plain(passage.text, 160)}”"
        yield f"            from {plain(passage.url)} (event {passage.seq})"
    if found.downloads:
        yield ""
        yield f"Downloads (a PDF goes whole; of other files the name, address, size and hash): {len(found.downloads)}"
    for download in found.downloads:
        yield f"  {clock(download.at)}  {plain(download.name, 120) or '(no name)'}"
        yield f"            {plain(download.url)}"
        yield f"            {_what_goes_of(download)} (event {download.seq})"


def _what_goes_of(download: Download) -> str:
    """Say whether a file goes."""
    much = "" if download.bytes is None else f", {size(download.bytes)}"
    ended = "" if download.state == "completed" else f", {plain(download.state)}"
    if download.page is not None:
        return f"a PDF, kept whole as page {download.page}{much}{ended}"
    return f"{'a PDF whose page was forgotten' if download.snapshot else 'the file stays here'}{much}{ended}"


def _machine(found: Inspection) -> Iterator[str]:
    yield ""
    yield f"Noted of your machine:{'' if found.machine else ' nothing'}"
    for noted in found.machine:
        if noted is not found.machine[0]:
            yield f"  Again at {clock(noted.at)}, when it went on (event {noted.seq}):"
        names = {name: _OF_MACHINE.get(name, plain(name, 40)) for name in sorted(noted.said, key=_place_of)}
        width = max(map(len, names.values()))
        yield from (f"  {called:<{width}}  {_said_of(name, noted.said[name])}" for name, called in names.items())


def _place_of(name: str) -> int:
    """Put browser and recorder first, the clock last."""
    order = ["recorder", "browser", *_OF_MACHINE]
    return order.index(name) if name in order else len(order)


def _said_of(name: str, value: Any) -> str:
    if name == "clock_offset_ms":
        return "not compared with the server's" if value is None else f"{abs(value):,.0f} ms apart from the server's"
    if name == "rtt_ms":
        return "did not answer" if value is None else f"answered within {value:,.0f} ms"
    if name == "screen" and isinstance(value, Mapping):
        return "{width:,.0f} x {height:,.0f} pixels, scale {scale:g}".format(**value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value if isinstance(value, str) else json.dumps(value))


def _rest(found: Inspection) -> Iterator[str]:
    if found.beside:
        yield ""
        yield "Beside these, with their times:"
    for kind, count in found.beside.items():
        yield f"  {count:>5}  {_NAMES.get(kind, kind)}"


def _left_out(look: Look, found: Inspection) -> Iterator[str]:
    yield ""
    yield "Left out or noted:"
    for part in found.left_out:
        span = clock(part.began) if part.began == part.ended else f"{clock(part.began)} to {clock(part.ended)}"
        yield f"  {span}  {plain(part.words)}"
    if found.forgotten:
        yield f"  {counted(found.forgotten, 'event')} forgotten in all; their pages are deleted here"
    if look.torn and look.state not in {"being recorded", "being sent"}:
        yield f"  a last line that was cut short ({size(look.torn)}) does not go"
    yield "  never recorded: what is typed into fields (they are emptied in kept pages too), keys, passwords, cookies;"
    yield "    what a page writes elsewhere while you type, into its text, title or address, is part of the page"
    yield f"  never recorded: {len(PRIVATE_HOSTS)} hosts of mail, payment, messengers and accounts; hosts named for"
    yield "    banking, webmail or sign-in; sign-in pages; this machine and its network; the annotation server;"
    yield "    other windows"
    yield "  what such a list does not know is recorded: look for yours with --search, take it back with capture forget"


def _where_it_is(look: Look, found: Inspection) -> Iterator[str]:
    yield ""
    parts = f"{counted(found.events, 'event')} and {counted(len(look.sizes), 'part')}"
    yield f"Size: {size(look.bytes)} in {parts}, unpacked"
    if look.missing:
        yield f"Missing: {counted(look.missing, 'part')} of its pages cannot be found here and cannot go"
    waiting = found.events - found.sent
    if found.sent == found.events and _is_unknown(look):
        yield "How much of it is at the server is not known here; all of it may be."
    else:
        sent = f"events 1 to {found.sent} (or on the way)" if found.sent else "nothing yet"
        yield f"At the server: {sent}"
    yield f"Waits here: {counted(waiting, 'event')}, {size(look.waiting_bytes)}" if waiting else "Waits here: nothing"
    if waiting or look.state != "being sent":
        yield _until(look, found)


def _until(look: Look, found: Inspection) -> str:
    if look.needs_look and look.state == "being recorded":
        return "Nothing leaves before you have pressed Stop and looked at it with this command."
    if look.state == "being recorded":
        minutes = _forget_minutes(look)
        oldest = found.oldest_waiting
        first = "" if oldest is None else f"; the oldest at {clock(oldest + round(minutes * 60_000))}"
        return (
            f"It leaves {minutes:g} minutes after it happened{first}, or when you press Stop or close the browser, "
            "unless you press Forget in the panel before."
        )
    if look.state == "interrupted":
        return "It leaves when you go on (trailbench capture resume), or end and send it (trailbench capture upload)."
    if asks_for_a_look(look.about):
        return "Its project asks for this look before it is sent. It leaves with: trailbench capture upload"
    return "It leaves with: trailbench capture upload"


def _is_unknown(look: Look) -> bool:
    return read_sent(look.folder) == ALL


def _forget_minutes(look: Look) -> float:
    policy = look.about.policy
    minutes = policy.get("forget_minutes", 10) if isinstance(policy, Mapping) else 10
    return float(minutes) if isinstance(minutes, (int, float)) else 10.0


def _with_moments(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _with_moments(member, key) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_moments(member) for member in value]
    return iso_utc(value) if name in _MOMENTS and isinstance(value, int) else value


def _line(text: str) -> str:
    return "\t".join(plain(cell, 100_000) for cell in text.split("\t"))
