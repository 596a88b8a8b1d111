"""Structured answers: what shape a task asks for, how replies and files are read, how cells are normalised."""
