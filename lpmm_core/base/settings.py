"""config.toml as typed values. An unknown key is an error, so that a misspelt setting is never silently the default.

The file belongs to the installation and is looked for at `LPMM_HOME/config.toml`; without it every setting has its default. Keys of
services are given directly or, better, as the name of an environment variable (`api_key_env`).
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from lpmm_core.base.errors import ProviderError, SettingsError


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Endpoint(_Section):
    """An OpenAI-compatible service: where a model is, and how it may be asked."""

    base_url: str = Field(description="up to and without `/embeddings` or `/chat/completions`")
    model: str
    api_key: SecretStr | None = None
    api_key_env: str | None = Field(None, description="environment variable that holds the key")
    timeout: float = Field(60.0, gt=0, description="seconds to wait for one answer")
    retries: int = Field(4, ge=0, description="further tries after a failure that may pass")
    concurrency: int = Field(3, ge=1, description="requests under way at once")

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, base_url: str) -> str:
        parts = urlsplit(base_url)
        if parts.username or parts.password:
            raise ValueError(
                f"an address must not hold a name or password ({parts.hostname}); put the key in api_key_env"
            )
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"it must be an http or https address, got {base_url!r}")
        return base_url

    @property
    def host(self) -> str:
        """The address as messages name it."""
        return urlsplit(self.base_url).netloc

    def key(self) -> str | None:
        """Return the API key: the value itself, or that of the named environment variable; None if neither is configured.

        Raises:
            ProviderError: the environment variable is not set.
        """
        if self.api_key is not None:
            return self.api_key.get_secret_value().strip()
        if self.api_key_env is None:
            return None
        if not (key := os.environ.get(self.api_key_env, "").strip()):
            raise ProviderError(
                f"the environment variable {self.api_key_env} with the key for {self.host} is not set", retryable=False
            )
        return key


class LLMSettings(Endpoint):
    """`[llm]`: extraction and the filter of facts by a language model; without this section neither happens."""

    extract: bool = True
    filter: bool = True


class EmbeddingSettings(_Section):
    """`[embedding]`: where vectors come from. `none` leaves search to words and the graph."""

    provider: Literal["local", "openai", "none"] = "local"
    endpoint: Endpoint | None = None
    batch_size: int = Field(32, ge=1, description="texts sent to the endpoint at once; some take no more than ten")
    query_prefix: str = Field("", description="put before names and questions, for models that want it")
    passage_prefix: str = Field("", description="put before passages and facts")


class IngestSettings(_Section):
    """`[ingest]`: reading documents."""

    group: int = Field(32, ge=1, description="passages written in one transaction")
    largest_file: int = Field(50_000_000, ge=1, description="bytes")
    synonym_threshold: float = Field(
        0.8, gt=0, le=1, description="cosine of two names, centred, from which they are synonyms"
    )
    synonyms_per_name: int = Field(
        10, ge=0, description="nearest synonyms that a name keeps; an edge is drawn where both keep each other"
    )


class RetrieveSettings(_Section):
    """`[retrieve]`: answering questions."""

    top_k: int = Field(5, ge=1, le=100)
    follow: float = Field(
        0.5, gt=0, lt=1, description="probability of following an edge rather than returning to the seeds"
    )
    facts: int = Field(5, ge=1, description="facts that seed the graph")
    candidates: int = Field(1000, ge=1, description="passages from dense and lexical search")
    sharpness: float = Field(16.0, ge=1, description="power that min-max scores are raised to before they seed")
    passage_weight: float = Field(1.0, ge=0)
    fact_threshold: float = Field(
        0.25, ge=-1, le=1, description="a fact less similar than this to the question does not seed the graph"
    )
    far: float = Field(
        0.22, ge=-1, le=1, description="a best passage less similar than this to a question without known names is far"
    )
    lexical_weight: float = Field(0.15, ge=0, description="weight of words beside meaning when passages seed the graph")
    second_step: bool = True
    bm25_k1: float = Field(1.2, gt=0)
    bm25_b: float = Field(0.4, ge=0, le=1)


class Settings(_Section):
    """All of config.toml."""

    embedding: EmbeddingSettings = EmbeddingSettings()
    llm: LLMSettings | None = None
    ingest: IngestSettings = IngestSettings()
    retrieve: RetrieveSettings = RetrieveSettings()


def home() -> Path:
    """Return the installation's directory: `LPMM_HOME`, or the current one."""
    return Path(os.environ.get("LPMM_HOME") or ".").resolve()


def spaces_directory() -> Path:
    """Return where spaces live by default."""
    return home() / "data" / "spaces"


_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever ending they have."""


def space_name(name: str) -> str:
    """Return a name that a space may have, as it is.

    Raises:
        SettingsError: it could lead elsewhere, cannot be shown, or some system that we run on cannot keep it.
    """
    plain = name.isprintable() and not set(name) & {"/", "\\", os.sep}
    if not plain or name != name.strip(" .") or not 0 < len(name.encode()) <= 200 or _DEVICE.fullmatch(name):
        raise SettingsError(
            f"{name!r:.60} cannot be the name of a space: a name is printable text of at most 200 bytes without / and \\, "
            "neither begins nor ends with a dot or a blank, and is no device of Windows (CON, NUL, COM1 ...)"
        )
    return name


def space_directory(space: str | Path) -> Path:
    """Return the directory of a space: a value with a separator is one, any other is a name under `spaces_directory`.

    Raises:
        SettingsError: this cannot be the name of a space.
    """
    if isinstance(space, Path) or "/" in space or os.sep in space:
        return Path(space)
    return spaces_directory() / space_name(space)


def load(path: Path | None = None) -> Settings:
    """Read config.toml (by default the installation's); a missing file gives the defaults.

    Raises:
        SettingsError: it is no TOML, has an unknown key, or a value of the wrong type; the message names the key.
    """
    path = path or home() / "config.toml"
    if not path.exists():
        return Settings()
    try:
        return Settings.model_validate(tomllib.loads(path.read_text("utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path.name} is not valid TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{path.name}: {key}: {first['msg'].lower().removeprefix('value error, ')}") from error
