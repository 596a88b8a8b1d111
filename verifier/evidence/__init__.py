"""Where in the recorded pages each cell of an answer stands."""
