"""Numbers about text nodes and blocks that several extractors share."""
