"""Floor 1: a person's search in a real Chromium becomes an event log, page snapshots and one trajectory."""
