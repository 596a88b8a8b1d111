"""What agents may use: tools with one budget, every call recorded."""
