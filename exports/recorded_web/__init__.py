"""The web of a release, offline: what was searched and read while recording, found again for agents."""
