"""What the API takes, as pydantic models: what they refuse never reaches the engine, and unknown keys are errors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from lpmm_core.retrieve.result import Route


class In(BaseModel):
    """Anything that comes in: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class PageQuery(In):
    """Which part of a list."""

    offset: int = Field(0, ge=0)
    limit: int = Field(50, ge=1, le=500)


class SourcesQuery(PageQuery):
    """Which sources."""

    deleted: bool = False


class SpaceIn(In):
    """A new space; `sample` asks for the one that comes with the program, whatever the name."""

    name: str = Field("", max_length=100)
    sample: bool = False


class TextIn(In):
    """A text put in by hand."""

    name: str = Field(max_length=300)
    text: str = Field(min_length=1)


class UploadQuery(In):
    """How to read the files."""

    encoding: str | None = Field(None, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")


class RetrieveIn(In):
    """A question; without `top_k` as many paragraphs come as the settings say, and reasons are told in `language` or the question's."""

    question: str = Field(max_length=4000)
    top_k: int | None = Field(None, ge=1, le=100)
    route: Annotated[Route, WithJsonSchema({"type": "string", "enum": list(Route)})] = Route.AUTO
    language: Literal["zh", "en"] | None = None


class SuggestionsQuery(In):
    """The letters typed so far."""

    q: str = Field("", max_length=200)
    limit: int = Field(10, ge=1, le=50)


class QuestionsQuery(In):
    """How many questions."""

    limit: int = Field(3, ge=1, le=20)


class SubgraphQuery(In):
    """What a canvas wants to show; `focus` is ids with commas between."""

    focus: str = Field("", max_length=4000)
    limit: int = Field(80, ge=1, le=2000)
    paragraphs: bool = False


class SubgraphIn(In):
    """The same with what the canvas shows already: those nodes come back unmoved."""

    focus: list[str] = Field(default_factory=list, max_length=200)
    limit: int = Field(80, ge=1, le=2000)
    paragraphs: bool = False
    positions: dict[str, tuple[float, float]] = Field(default_factory=dict, max_length=2000)


class EntityPatch(In):
    """A correction of a name; `version` is the one that was seen."""

    name: str = Field(min_length=1, max_length=200)
    version: int | None = None


class DeletionQuery(In):
    """Ids of sources, paragraphs, names or facts, with commas between."""

    ids: str = Field(min_length=1, max_length=4000)


class JobsQuery(In):
    """How many."""

    limit: int = Field(50, ge=1, le=500)


class OperationsQuery(In):
    """How many."""

    limit: int = Field(50, ge=1, le=500)
