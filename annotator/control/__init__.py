"""Control of quality: hidden checks against gold, second readings, pages handed in too fast."""
