"""What a page is once it is parsed: canonical text, blocks, tree, and the inert view of it."""
