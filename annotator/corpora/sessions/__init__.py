"""Sessions that know whose they are, so that people see theirs and end them."""
