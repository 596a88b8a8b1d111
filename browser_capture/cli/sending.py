"""Pairs this machine, lists the recordings that wait on it, and sends them."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from browser_capture.browser_process import find_browser
from browser_capture.browser_profile import wipe_profile
from browser_capture.capture_api import CaptureApi
from browser_capture.claims import claimed
from browser_capture.credentials import Credentials, load_credentials, save_credentials
from browser_capture.errors import IncompleteError, ServerAway, ServerRefused, TrailbenchError, UserError
from browser_capture.event_log import Entry, EventLog
from browser_capture.folders import PROFILE
from browser_capture.kept_draft import kept_drafts
from browser_capture.kept_recordings import state_of, task_of
from browser_capture.log_lines import last_type, read_lines
from browser_capture.looked_at import look_first, must_be_looked_at
from browser_capture.outbox import Outbox
from browser_capture.past import read_past
from browser_capture.spool import Spool, is_ended, is_stopped, read_about, remove_spool, spools
from browser_capture.taking_up import DIED, resumed_clock, write_gap

_NO_SUCH_CALL = {401, 404, 405, 501}
"""What a server that is none of ours answers to pairing, or ours under an address with a path too many."""


class Waiting(NamedTuple):
    """The pairing of a machine, empty where there is none, as a sentence too, and the recordings that wait on it."""

    server: str
    user: str
    pairing: str
    recordings: tuple[Mapping[str, object], ...]

    def as_data(self) -> dict[str, object]:
        """Return it for programs."""
        return {"server": self.server, "user": self.user, "recordings": self.recordings}

    def sentences(self) -> Iterator[str]:
        """Yield it line by line for people."""
        yield self.pairing
        for item in self.recordings:
            yield f"{item['session']}  task {item['task']}  {item['events']} events  {item['state']}"
        states = {item["state"] for item in self.recordings}
        if "interrupted" in states:
            yield "Go on with an interrupted one: trailbench capture resume"
        if not self.recordings:
            yield "No recording waits on this machine."
            return
        yield "See what one holds: trailbench capture inspect SESSION"
        if states & {"being recorded", "being sent"}:
            yield "One that is being recorded is sent by its recorder: press Stop in the panel, or close its browser"
        if states - {"being recorded", "being sent"}:
            yield "Send what waits with: trailbench capture upload"


async def pair(home: Path, server: str, code: str) -> Credentials:
    """Trade a one-time code for this machine's token and keep it. Raises UserError for a wrong or used code."""
    if not code.strip():
        raise UserError(f"a code is missing; show one at {server.rstrip('/')}/account/pair")
    async with CaptureApi(server) as api:
        try:
            paired = await api.pair(code.strip(), platform.node() or "unnamed machine")
        except ServerAway as error:
            raise ServerAway(f"{error}; see whether that address opens in your usual browser") from error
        except ServerRefused as error:
            if error.status in _NO_SUCH_CALL:
                raise UserError(
                    f"{api.server} answers, but not as an annotation server ({error}); give the address that opens its "
                    "sign-in page, without what follows the host and port, such as http://127.0.0.1:8085"
                ) from error
            if error.status in {400, 403, 409, 410, 422}:
                raise UserError(
                    f"{api.server} did not take the code {code!r} ({error}); a code works once, for ten minutes: "
                    f"get a new one at {api.server}/account/pair"
                ) from error
            raise
        credentials = Credentials(server=api.server, token=paired.token, user=paired.user, project=paired.project)
    save_credentials(home, credentials)
    return credentials


class Outcome(NamedTuple):
    """What became of a recording: complete on the server, kept here with the reason, or dropped as it held nothing."""

    session: str
    state: Literal["complete", "kept", "empty"]
    reason: str = ""
    task: str = ""

    def sentence(self) -> str:
        """Return it in words."""
        return {
            "complete": f"Recording {self.session} is complete on the server.",
            "kept": f"Recording {self.session} stays here: {self.reason}",
            "empty": f"Recording {self.session} held nothing and is gone.",
        }[self.state]


async def send_all(home: Path, *, tries: int, tell: Callable[[Outcome], None]) -> None:
    """Send every recording that waits, the one written to last at the end, and tell what became of each.

    One that cannot be sent does not hold up the next. At the end an error says how many stay, of the first one's kind
    and without its reason: that was told.
    """
    folders = [folder for folder in spools(home) if (folder / "about.json").exists()]
    if not folders:
        return
    credentials = load_credentials(home)
    errors = list[TrailbenchError]()
    async with CaptureApi(credentials.server, credentials.token) as api:
        for folder in folders:
            task = task_of(folder)
            try:
                has_gone = await _send(home, folder, api, tries)
                tell(Outcome(folder.name, "complete" if has_gone else "empty", task=task))
            except TrailbenchError as error:
                errors.append(error)
                tell(Outcome(folder.name, "kept", str(error), task))
    if errors:
        kind = UserError if len(errors) == 1 and isinstance(errors[0], UserError) else IncompleteError
        raise kind("1 recording stays on this machine" if len(errors) == 1 else f"{len(errors)} recordings stay here")
    _wipe_what_is_done_with(home)


def next_steps(home: Path, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield what is left to do with what was sent: an answer that is kept here goes by its panel, others by the page.

    Only a panel hands a draft over: it sees what another window saved meanwhile. A draft of a task whose recording
    still waits waits with it.
    """
    wait = {outcome.task for outcome in outcomes if outcome.state == "kept"}
    drafts = [task for task in kept_drafts(home) if task not in wait]
    for task in drafts:
        yield (
            f"The answer to task {task} that you typed while the server was away is still on this machine. Next: "
            f"trailbench capture start {task} shows it in the panel; press Submit there, without Start"
        )
    sent = dict.fromkeys(outcome.task for outcome in outcomes if outcome.state == "complete")
    for task in (task for task in sent if task not in drafts):
        yield f"Next: open {load_credentials(home).server}/panel/{quote(task, safe='')} and press Submit"


def waiting(home: Path) -> Waiting:
    """Return the pairing of this machine and the recordings that wait on it."""
    recordings = tuple(_describe(home, folder) for folder in spools(home))
    try:
        paired = load_credentials(home)
    except UserError as error:
        return Waiting("", "", f"Not paired: {error}", recordings)
    return Waiting(paired.server, paired.user, f"Paired with {paired.server} as {paired.user}.", recordings)


async def _send(home: Path, folder: Path, api: CaptureApi, tries: int) -> bool:
    about = read_about(folder)
    if about.server != api.server:
        raise UserError(f"it belongs to {about.server}, but this machine is paired with {api.server}")
    with claimed(home, folder.name, "sends this recording") as other:
        if other is not None:
            raise IncompleteError(f"it is in the hands of {other}; stop it in its panel, or let it finish")
        if not is_stopped(folder) and last_type(folder) is not None and find_browser(home / PROFILE) is not None:
            raise IncompleteError(
                "it was cut short and its browser is still open; go on with it: trailbench capture resume, or close "
                "that browser and upload again"
            )
        lines = read_lines(folder)
        if must_be_looked_at(folder, about, lines):
            raise IncompleteError(look_first(about.session))
        close_interrupted(folder)
        if not lines:
            remove_spool(folder)
            return False
        await Outbox(folder, api, tries=tries).finish()
        remove_spool(folder)
        return True


def close_interrupted(folder: Path) -> None:
    """Write the end of a recording whose recorder died: a gap, a stop, an end. A whole one is left alone.

    Raises IncompleteError when the disk takes nothing.
    """
    if is_ended(folder) or not read_lines(folder):
        return
    spool, lines = Spool.reopen(folder)
    past = read_past(lines)
    log = EventLog(lambda: spool, past.session, spool.about.task, resumed_clock(past))
    log.take_up(spool, past.started_at)
    try:
        if not past.has_stop and write_gap(log, past, DIED) is not None:
            log.put(Entry("task_stop", "rec", {"reason": "crash"}))
        if log.put(Entry("session_end", "rec", {"reason": "crash"})) is None:
            raise IncompleteError(log.problem or "its end could not be written")
    finally:
        spool.close()


def _wipe_what_is_done_with(home: Path) -> None:
    # The browser of an uploaded recording may still be open, and another recording may be at work in it.
    with claimed(home, PROFILE, "tidies up") as other:
        if other is None and next(spools(home), None) is None and find_browser(home / PROFILE) is None:
            wipe_profile(home / PROFILE)


def _describe(home: Path, folder: Path) -> dict[str, object]:
    try:
        about, lines = read_about(folder), read_lines(folder)
    except UserError as error:
        return {"session": folder.name, "task": "?", "events": 0, "state": str(error)}
    return {
        "session": about.session, "task": about.task, "events": len(lines), "state": state_of(home, folder)
    }  # fmt: skip
