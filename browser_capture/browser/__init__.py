"""The browser a person searches in, over Playwright; nothing else of the recorder imports Playwright."""
