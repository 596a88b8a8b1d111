"""The database's history: one file a revision, run by `trailbench server init` and `trailbench server upgrade`."""
