"""How the recorder fares: room on the disk, and how long its own event loop keeps pages waiting. Says, does nothing."""

from __future__ import annotations

import errno
import shutil
from collections import deque
from pathlib import Path
from typing import Literal

LEAST_FREE = 50_000_000
"""Bytes of disk below which a recording waits: a page with its pictures takes up to 60 MB before it is compressed."""
ENOUGH_FREE = 80_000_000
"""Bytes of disk from which a recording that waited goes on."""
_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
LAG_MS = 200
"""A loop that wakes up this much too late hung."""
WINDOW_MS = 2_000
MOST_HUNG_MS = 1_000
"""Hung for half of the window: pages wait for the recorder more than for the web."""
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
    for one. But what passes unseen is lost: an answer's status, the bytes of a PDF. On a busy machine the loop hangs
    for 300 ms now and then, which is over once it is seen; only one that hangs half of the time is ill.
    """

    def __init__(self) -> None:
        self.is_ill = False
        self.worst_ms = 0
        """Longest hang since `worst_ms` was last set to 0."""
        self._hangs: deque[tuple[int, int]] = deque()

    def beat(self, lag_ms: int, at: int) -> Literal["ill", "well"] | None:
        """Note how late the loop woke up at this moment, in milliseconds; tells when that changes its state.

        >>> watch = LagWatch()
        >>> [watch.beat(*beat) for beat in [(3, 0), (600, 700), (450, 1_300), (5, 1_400), (4, 2_400)]]
        [None, None, 'ill', None, 'well']
        """
        self.worst_ms = max(self.worst_ms, lag_ms)
        if lag_ms > LAG_MS:
            self._hangs.append((at, lag_ms))
        while self._hangs and at - self._hangs[0][0] >= WINDOW_MS:
            self._hangs.popleft()
        if not self.is_ill and sum(lag for _, lag in self._hangs) > MOST_HUNG_MS:
            self.is_ill = True
            return "ill"
        if self.is_ill and (not self._hangs or at - self._hangs[-1][0] >= CALM_MS):
            self.is_ill = False
            self._hangs.clear()
            return "well"
        return None
