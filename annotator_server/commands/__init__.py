"""The commands of `trailbench server`."""
