"""Takes back a part of a recording that lies on this machine, before it is sent: what the panel's Forget does later on.

Only what has not left can be taken back, and only while nobody records or sends. The recording keeps the fact that
something was forgotten, and when; a reviewer sees that.
"""

from __future__ import annotations

from pathlib import Path

from browser_capture.claims import claimed
from browser_capture.errors import IncompleteError, UserError
from browser_capture.event_log import Entry, EventLog
from browser_capture.log_lines import read_lines
from browser_capture.outbox import read_sent
from browser_capture.past import read_past
from browser_capture.spool import KEPT_WHEN_FORGETTING, Spool, is_stopped
from browser_capture.taking_up import resumed_clock


def forgettable(folder: Path, first: int, last: int) -> int:
    """Return how many events from `first` to `last` would be forgotten; the frame of a recording stays.

    Raises UserError when some of them are not there, or may have left the machine, and SpoolDamaged.
    """
    lines, sent = read_lines(folder), read_sent(folder)
    if first > last:
        raise UserError(f"{first}-{last} has its order reversed; expected the smaller number first: {last}-{first}")
    if not 1 <= first <= last <= len(lines):
        raise UserError(f"the recording {folder.name} has events 1 to {len(lines)}, not {first} to {last}")
    if first <= sent:
        may = (
            f"{sent + 1} to {len(lines)} can be forgotten here" if sent < len(lines) else "nothing waits here any more"
        )
        raise UserError(
            f"events up to {min(sent, len(lines))} are at the server or may be; {may}. Ask the maintainer of the "
            "server about what it has"
        )
    return sum(line.event.type not in KEPT_WHEN_FORGETTING for line in lines[first - 1 : last])


def already_forgotten(folder: Path, first: int, last: int) -> int:
    """Return how many events from `first` to `last` were forgotten before."""
    return sum(line.event.type == "forgotten" for line in read_lines(folder)[max(0, first - 1) : last])


def forget_events(home: Path, folder: Path, first: int, last: int) -> int:
    """Forget the events from `first` to `last` for ever and return how many that were.

    Raises UserError as `forgettable` does, and IncompleteError while somebody works on the recording.
    """
    with claimed(home, folder.name, "forgets in this recording") as other:
        if other is not None:
            raise IncompleteError(f"it is in the hands of {other}; stop it in its panel and close its browser first")
        if forgettable(folder, first, last) == 0:
            return 0
        is_over = is_stopped(folder)
        spool, lines = Spool.reopen(folder)
        past = read_past(lines)
        log = EventLog(lambda: spool, past.session, spool.about.task, resumed_clock(past))
        log.take_up(spool, past.started_at)
        try:
            count = spool.forget(first, last)
            log.put(Entry("forget", "rec", {"from_seq": first, "to_seq": last, "minutes": None}))
            if is_over:
                # The last line tells that it was stopped: it goes on saying so.
                log.put(Entry("session_end", "rec", {"reason": "forget"}))
        finally:
            spool.close()
        return count
