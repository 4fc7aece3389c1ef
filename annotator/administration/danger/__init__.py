"""What an admin rarely does to a corpus, and never by accident."""
