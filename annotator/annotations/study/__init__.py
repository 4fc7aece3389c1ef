"""Study settings: overlap, assignment, order, pre-annotation and quality checks."""
