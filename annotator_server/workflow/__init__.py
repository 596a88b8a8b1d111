"""Verbs: a file a verb group, one transaction a verb, and states changed through `lifecycle` alone."""
