"""Extraction by a chat model instead of the local readers: what is asked, what is made of the answers."""

from lpmm_core.extract.llm.extractor import LLMExtractor

__all__ = ["LLMExtractor"]
