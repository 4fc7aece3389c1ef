"""Re-parsing the pages of a corpus with another parser version, with their gold (invariant 2)."""
