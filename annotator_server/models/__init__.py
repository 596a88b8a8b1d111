"""Rows: columns and relations, a file a table group. Questions about them live in `workflow`."""
