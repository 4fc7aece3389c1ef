"""What home shows each role of a corpus."""
