"""Pages and API: read the form, call one verb, show or redirect. A file a page area."""
