"""make bench: offsets, speed and quality, measured side by side in one run."""
