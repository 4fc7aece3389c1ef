"""What claiming must know of practice: whether a corpus asks for it, and who is through."""
