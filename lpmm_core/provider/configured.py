"""Models as config.toml asks for them."""

from __future__ import annotations

from pathlib import Path

from lpmm_core.base.errors import SettingsError
from lpmm_core.base.settings import EmbeddingSettings, LLMSettings
from lpmm_core.provider.chat import ChatModel, OpenAIChat
from lpmm_core.provider.e5 import LocalEmbedder
from lpmm_core.provider.embedding import Embedder
from lpmm_core.provider.openai_embedding import OpenAIEmbedder


def open_embedder(settings: EmbeddingSettings, cache: Path) -> Embedder | None:
    """Return the configured embedding model, not loaded yet; None when none is wanted.

    Raises:
        SettingsError: an endpoint is wanted and not given.
    """
    if settings.provider == "none":
        return None
    if settings.provider == "local":
        return LocalEmbedder(cache)
    if settings.endpoint is None:
        raise SettingsError(
            'config.toml: [embedding] provider = "openai" needs [embedding.endpoint] with base_url and model'
        )
    return OpenAIEmbedder(
        settings.endpoint,
        batch_size=settings.batch_size,
        query_prefix=settings.query_prefix,
        passage_prefix=settings.passage_prefix,
    )


def open_chat(settings: LLMSettings | None) -> ChatModel | None:
    """Return the configured language model, not asked yet; None when there is none."""
    return OpenAIChat(settings) if settings is not None else None
