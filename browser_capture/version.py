"""The version of the whole suite, as it stands in releases, reports and recordings."""

from __future__ import annotations

VERSION = "0.1.0"
