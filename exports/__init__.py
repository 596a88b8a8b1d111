"""Floor 4: approved tasks become releases; agents run on them over the recorded web; runs become reports."""
