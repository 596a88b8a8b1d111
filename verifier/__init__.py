"""Floor 2: tasks, answers and scores; the checks that say whether a task is fair, with evidence for every cell."""
