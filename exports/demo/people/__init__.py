"""Scripted people who do what real ones do, in a real browser: type, click, wait, hand in, approve."""
