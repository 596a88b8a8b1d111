"""The id of a release: a hash over its manifest, so that two equal releases have one id, whatever they are called."""

from __future__ import annotations

from browser_capture.json_records import dumps, sha256, to_json
from exports.benchmark.manifest import ReleaseManifest


def release_id(manifest: ReleaseManifest) -> str:
    """Return the id a manifest ought to have: a hash over all its members but the name and the id itself."""
    data = to_json(manifest)
    return sha256(dumps({key: value for key, value in data.items() if key not in ("name", "release_id")}))
