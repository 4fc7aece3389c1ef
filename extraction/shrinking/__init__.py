"""Reduce a page to the smallest HTML on which an extractor still makes an error."""

from extraction.shrinking.child import shrink_in_child
from extraction.shrinking.errors import ExtractionError, ShrinkError
from extraction.shrinking.shrink import SECONDS, Shrunk, shrink

__all__ = ["SECONDS", "ExtractionError", "ShrinkError", "Shrunk", "shrink", "shrink_in_child"]
