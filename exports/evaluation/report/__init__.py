"""The report of runs: one self-contained HTML file, a file a section."""
