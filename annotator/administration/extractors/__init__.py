"""The extractors of a corpus, as its admins enable and run them."""
