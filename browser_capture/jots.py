"""What was jotted down on this machine and is not at the server yet: kept as one small file each, sent when it answers.

A jot is an event of its own, before any recording. A file names the server it belongs to.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from browser_capture.capture_api import CaptureApi
from browser_capture.errors import RecordError, ServerAway, ServerRefused
from browser_capture.events import Event
from browser_capture.folders import make_private
from browser_capture.json_records import from_json, to_json
from browser_capture.start_sites import START_SITES, StartSites, read_start_sites

log = logging.getLogger(__name__)

FOLDER = "jots"
_DRAFT, _SITES = "draft.json", "start_sites.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A jot that waits."""

    server: str
    event: Event
    path: Path


class Jots:
    """The jots of a home folder."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def keep(self, server: str, event: Event) -> None:
        """Keep a jot until its server has it. Raises OSError."""
        self._write(f"{event.session}.json", {"server": server, "event": to_json(event)})
        self.drop_draft()

    def waiting(self, server: str | None = None) -> list[Waiting]:
        """Return what waits, the oldest first, for one server or for all. A file that cannot be read is left alone."""
        found = (self._waiting(path) for path in self._folder.glob("jot-*.json"))
        wanted = [jot for jot in found if jot is not None and server in (None, jot.server)]
        return sorted(wanted, key=lambda jot: jot.event.t_wall)

    def keep_draft(self, draft: Mapping[str, Any]) -> None:
        """Keep the page and the words of a jot that is being written. Raises OSError."""
        self._write(_DRAFT, draft)

    def draft(self) -> Mapping[str, Any]:
        """Return what was being written when the browser closed, empty for nothing."""
        found = self._read(_DRAFT)
        return found if isinstance(found, dict) and isinstance(found.get("page"), dict) else {}

    def drop_draft(self) -> None:
        """Forget it: it was kept, or dropped by its person."""
        (self._folder / _DRAFT).unlink(missing_ok=True)

    def keep_start_sites(self, sites: StartSites) -> None:
        """Keep the project's start sites for days on which the server is away. Raises OSError."""
        self._write(_SITES, sites)

    def start_sites(self) -> StartSites:
        """Return the start sites the server named last, empty before."""
        return read_start_sites(self._read(_SITES))

    def _waiting(self, path: Path) -> Waiting | None:
        found = self._read(path.name)
        try:
            return Waiting(server=str(found["server"]), event=from_json(Event, found["event"]), path=path)
        except (RecordError, KeyError, TypeError):
            return None

    def _read(self, name: str) -> Any:
        try:
            return json.loads((self._folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def _write(self, name: str, data: object) -> None:
        make_private(self._folder)
        path = self._folder / name
        temporary = path.with_suffix(".new")
        with temporary.open("w", encoding="utf-8") as file:
            file.write(json.dumps(data))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)


async def send_jots(home: Path, api: CaptureApi) -> tuple[int, str | None]:
    """Send what waits for this server; return how many it took, and a sentence about what stays, if any does.

    Sending again is no harm: the server knows a jot by its name.
    """
    sent, problem = 0, None
    for jot in Jots(home).waiting(api.server):
        try:
            await api.send_jot(to_json(jot.event))
        except ServerAway:
            return sent, f"the server {api.server} is away"
        except ServerRefused as error:
            problem = f"a jot of {jot.event.url} was refused: {error}"
        else:
            jot.path.unlink(missing_ok=True)
            sent += 1
    return sent, problem


async def project_start_sites(home: Path, api: CaptureApi) -> StartSites:
    """Return the project's start sites; while the server is away those it named last, else the built-in ones."""
    jots = Jots(home)
    try:
        sites = await api.start_sites()
    except (ServerAway, ServerRefused) as error:
        log.info("the start sites are those known before: %s", error)
        return jots.start_sites() or START_SITES
    try:
        jots.keep_start_sites(sites)
    except OSError as error:
        log.info("the start sites were not kept: %s", error)
    return sites or START_SITES
