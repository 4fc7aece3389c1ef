"""Feeds and sitemaps of strangers: which pages they list. Parsed in a child process (`reading`)."""
