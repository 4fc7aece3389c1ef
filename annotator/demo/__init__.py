"""The demo corpus: ten pages that we wrote, and what their manifest says of them."""
