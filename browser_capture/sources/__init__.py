"""Where events come from: the page itself, its navigations, the tabs, the documents. CDP stands behind a Protocol."""
