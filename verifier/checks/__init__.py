"""Checks: each gives a verdict with evidence that a reviewer can click."""
