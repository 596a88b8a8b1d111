"""Floor 3: people, questions, recordings, answers and reviews, as web pages and an API over one database."""
