"""What claiming must know of practice: whether a corpus requires it, and who has qualified."""
