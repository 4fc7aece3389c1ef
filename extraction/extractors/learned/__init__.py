"""Models that are learned from gold, and how they are learned."""
