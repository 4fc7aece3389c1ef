"""Rounds: opened with their slots and arms, and opened again for another version of the guideline."""
