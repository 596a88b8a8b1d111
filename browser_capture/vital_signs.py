"""How much room the disk has for a recording. Says, does nothing."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

LEAST_FREE = 50_000_000
"""Bytes of disk below which a recording waits: a page with its pictures takes up to 60 MB before it is compressed."""
ENOUGH_FREE = 80_000_000
"""Bytes of disk from which a recording that waited goes on."""
_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})


def is_full(error: OSError) -> bool:
    """Tell whether a write failed for want of room: on the disk, in a quota, or under a limit for one file."""
    return error.errno in _FULL


def disk_free(folder: Path) -> int | None:
    """Return the bytes free where a folder is, None where the system does not say."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
