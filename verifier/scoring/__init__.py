"""How right an answer is, in named profiles, with a cell-level diff."""
