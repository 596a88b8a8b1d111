"""The `trailbench capture` commands, thin over the recorder."""
