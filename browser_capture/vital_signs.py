"""How the recorder fares: room on the disk, and how long its own event loop keeps pages waiting. Says, does nothing."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Literal

LEAST_FREE = 50_000_000
"""Bytes of disk below which a recording waits: a page with its pictures takes up to 60 MB before it is compressed."""
ENOUGH_FREE = 80_000_000
"""Bytes of disk from which a recording that waited goes on."""
_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
LAG_MS = 200
LONG_LAG_MS = 1_000
CALM_MS = 1_000


def is_full(error: OSError) -> bool:
    """Tell whether a write failed for want of room: on the disk, in a quota, or under a limit for one file."""
    return error.errno in _FULL


def disk_free(folder: Path) -> int | None:
    """Return the bytes free where a folder is, None where the system does not say."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


class LagWatch:
    """Tells when pages should no longer wait for the recorder, and when they may again.

    Each document's answer is held until the recorder lets it go, so a loop that hangs for a second makes a page wait
    for one. One short hang is over once it is seen; a second one soon after, or a long one, is a recorder that is ill.
    """

    def __init__(self) -> None:
        self.is_ill = False
        self.worst_ms = 0
        """Longest hang since `worst_ms` was last set to 0."""
        self._last: int | None = None

    def beat(self, lag_ms: int, at: int) -> Literal["ill", "well"] | None:
        """Note how late the loop woke up at this moment, in milliseconds; tells when that changes its state.

        >>> watch = LagWatch()
        >>> [watch.beat(*beat) for beat in [(3, 0), (300, 400), (250, 900), (5, 1_000), (4, 3_000)]]
        [None, None, 'ill', None, 'well']
        """
        self.worst_ms = max(self.worst_ms, lag_ms)
        if lag_ms > LAG_MS:
            is_again = self._last is not None and at - self._last <= CALM_MS
            self._last = at
            if not self.is_ill and (is_again or lag_ms > LONG_LAG_MS):
                self.is_ill = True
                return "ill"
        elif self.is_ill and self._last is not None and at - self._last >= CALM_MS:
            self.is_ill = False
            return "well"
        return None
