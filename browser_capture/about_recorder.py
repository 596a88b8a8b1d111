"""What a log says of the recorder that wrote it: versions, clock, machine and who searched."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from typing import Any

from browser_capture.clock import Offset
from browser_capture.trajectory import Actor
from browser_capture.version import VERSION


def about_recorder(browser: str, offset: Offset | None) -> Mapping[str, Any]:
    """Return versions and the clock's distance from the server's in milliseconds, None where it is not known."""
    return {
        "recorder": f"trailbench {VERSION}",
        "browser": browser,
        "clock_offset_ms": offset.offset_ms if offset else None,
        "rtt_ms": offset.rtt_ms if offset else None,
    }


def about_machine(actor: Actor) -> Mapping[str, Any]:
    """Return what else the start of a session says: the machine's platform and time zone, and who searches."""
    return {
        "python": platform.python_version(),
        "platform": platform.system(),
        "timezone": time.strftime("%z"),
        "actor": {"kind": actor.kind, "name": actor.name},
    }
