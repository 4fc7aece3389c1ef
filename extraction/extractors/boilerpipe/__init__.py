"""Boilerpipe, after its Java sources: text blocks, rules and steps over them, and the chains of steps."""

from extraction.extractors.boilerpipe.chains import CHAINS, content_blocks, text_of_chain
from extraction.extractors.boilerpipe.text_blocks import TextBlocks, spans_of_blocks, text_blocks_of

__all__ = ["CHAINS", "TextBlocks", "content_blocks", "spans_of_blocks", "text_blocks_of", "text_of_chain"]
