"""The annotation guideline of a corpus: versioned Markdown with numbered clauses and examples."""
