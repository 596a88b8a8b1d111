"""Pairs this machine, lists the recordings that wait on it, and sends them."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from browser_capture.capture_api import CaptureApi
from browser_capture.credentials import Credentials, load_credentials, save_credentials
from browser_capture.errors import IncompleteError, ServerRefused, TrailbenchError, UserError
from browser_capture.event_log import system_clock
from browser_capture.events import Event
from browser_capture.outbox import Outbox
from browser_capture.spool import Spool, is_being_written, read_about, read_lines, remove_spool, spools

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
        yield "Send them with: trailbench capture upload" if self.recordings else "No recording waits on this machine."


async def pair(home: Path, server: str, code: str) -> Credentials:
    """Trade a one-time code for this machine's token and keep it. Raises UserError for a wrong or used code."""
    async with CaptureApi(server) as api:
        try:
            paired = await api.pair(code.strip(), platform.node() or "unnamed machine")
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


async def send_all(home: Path, *, tries: int, say: Callable[[str], None]) -> int:
    """Send every recording that waits, oldest first, and return how many went.

    One that cannot be sent does not hold up the next; at the end the first error is raised again.
    """
    folders = [folder for folder in spools(home) if (folder / "about.json").exists()]
    if not folders:
        return 0
    credentials = load_credentials(home)
    sent, errors = 0, list[TrailbenchError]()
    async with CaptureApi(credentials.server, credentials.token) as api:
        for folder in folders:
            try:
                sent += await _send(folder, api, tries)
                say(f"Recording {folder.name} is complete on the server.")
            except TrailbenchError as error:
                errors.append(error)
                say(f"Recording {folder.name} stays here: {error}")
    if errors:
        raise errors[0] if len(errors) == 1 else IncompleteError(f"{len(errors)} recordings stay here: {errors[0]}")
    return sent


def waiting(home: Path) -> Waiting:
    """Return the pairing of this machine and the recordings that wait on it."""
    recordings = tuple(_describe(folder) for folder in spools(home))
    try:
        paired = load_credentials(home)
    except UserError as error:
        return Waiting("", "", f"Not paired: {error}", recordings)
    return Waiting(paired.server, paired.user, f"Paired with {paired.server} as {paired.user}.", recordings)


async def _send(folder: Path, api: CaptureApi, tries: int) -> int:
    about = read_about(folder)
    if is_being_written(about):
        raise IncompleteError("it is being recorded just now; stop it in its panel first")
    if about.server != api.server:
        raise UserError(f"it belongs to {about.server}, but this machine is paired with {api.server}")
    close_interrupted(folder)
    if not read_lines(folder):
        remove_spool(folder)
        return 0
    await Outbox(folder, api, tries=tries).finish()
    remove_spool(folder)
    return 1


def close_interrupted(folder: Path) -> None:
    """Write the end of a recording whose recorder died: a gap, a stop, an end. A whole one is left alone."""
    lines = read_lines(folder)
    if not lines or lines[-1].event.type == "session_end":
        return
    spool, clock = Spool.reopen(folder), system_clock()
    last, now = lines[-1].event, clock.wall()
    try:
        ends = [("recorder_gap", {"from": last.t_wall, "to": now, "reason": "the recorder ended without a Stop"})]
        if not any(line.event.type == "task_stop" for line in lines):
            ends.append(("task_stop", {"reason": "crash"}))
        ends.append(("session_end", {"reason": "crash"}))
        for kind, data in ends:
            spool.append(
                Event(
                    session=last.session, seq=1, type=kind, src="rec", t_wall=now, t_mono=last.t_mono, task=last.task,
                    data=data,
                )
            )  # fmt: skip
    finally:
        spool.close()


def _describe(folder: Path) -> dict[str, object]:
    try:
        about, lines = read_about(folder), read_lines(folder)
    except UserError as error:
        return {"session": folder.name, "task": "?", "events": 0, "state": str(error)}
    state = "being recorded" if is_being_written(about) else "waits"
    return {"session": about.session, "task": about.task, "events": len(lines), "state": state}
