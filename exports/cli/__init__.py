"""The commands of the suite: the root, and a file a group of this floor."""
