"""Plain text to spans of a document, and what could not be placed."""

from extraction.alignment.text_alignment import Alignment, ProjectedSpan, align, project, project_each

__all__ = ["Alignment", "ProjectedSpan", "align", "project", "project_each"]
