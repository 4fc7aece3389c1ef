"""Feeds and sitemaps that are followed, so that a corpus grows by itself."""
