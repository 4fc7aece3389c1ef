"""Bytes to a document: the encoding, the tree that a browser builds, repairs and limits."""
