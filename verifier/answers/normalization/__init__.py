"""How a cell becomes canonical text: one file a column type, each rule with an id and an example."""
