"""Scripts that hold the project's budgets: each prints its figures, its repetitions and the machine's load."""
