"""Runs: attempts planned, made, stored, scored and reported."""
