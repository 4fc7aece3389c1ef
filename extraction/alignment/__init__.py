"""Plain text to spans of a document, and what could not be placed."""

from extraction.alignment.projection import ProjectedSpan, project_each
from extraction.alignment.text_alignment import Alignment, align, project

__all__ = ["Alignment", "ProjectedSpan", "align", "project", "project_each"]
