"""The shell panel that works when the annotation server is away."""
