"""Practice on pages with gold of another corpus, with feedback after each, before the first real page."""
