"""The settings of a corpus: labels, extractors, jobs, and what cannot be undone."""
