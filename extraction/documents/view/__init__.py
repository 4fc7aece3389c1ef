"""The inert view from which a browser builds a page without parsing it."""
