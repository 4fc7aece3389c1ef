"""The background work of a corpus, as its admins follow and steer it."""
