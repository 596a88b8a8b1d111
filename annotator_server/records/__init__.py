"""Where rows become records, a file a record, and only here."""
