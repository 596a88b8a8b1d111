"""What a search engine showed: which engine and query an address is, and which results its page holds."""
