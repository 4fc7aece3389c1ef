"""Quality checks: hidden checks against gold, repeat annotations, pages submitted too fast."""
