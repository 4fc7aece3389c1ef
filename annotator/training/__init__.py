"""Models: extractors that learn from a release of the corpus, in the background."""
