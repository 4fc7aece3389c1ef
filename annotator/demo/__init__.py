"""The demo corpus: ten pages written for it, and their manifest."""
