"""Means with intervals and comparisons of runs."""
