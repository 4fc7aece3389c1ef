"""The rules by which a corpus is annotated: numbered clauses in Markdown, versioned, each with an example."""
