"""Study design: slots a page, who takes them, in which order, what they show, and hidden checks."""
