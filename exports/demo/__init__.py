"""The demo: two small webs, a search site over them, tasks with a hand-made answer, and scripted people."""
