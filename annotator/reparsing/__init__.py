"""A corpus's pages, moved to another parser version with their gold (law 2)."""
