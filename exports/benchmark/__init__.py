"""Releases: frozen folders of tasks, answers, trajectories and recorded pages."""
