"""Attempts: one try of one agent at one task, stored so that a run can be resumed and explained."""
