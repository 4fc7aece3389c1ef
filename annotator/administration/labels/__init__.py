"""The labels of a corpus, as its admins change them."""
