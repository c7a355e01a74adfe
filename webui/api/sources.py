"""Where text comes from: upload, list, read, delete.

A file's name is only data: it is never a path here. The whole body is limited before it is read, each file again when it is; one bad file
is reported and leaves the others alone.
"""

from __future__ import annotations

from apiflask import APIBlueprint
from flask import current_app, request
from werkzeug.datastructures import FileStorage

from lpmm_core.base.errors import InvalidInput
from lpmm_core.memory import Upload
from webui.api import inputs, schemas, shapes
from webui.auth import actor
from webui.house import house, memory_of

sources = APIBlueprint("sources", __name__, tag="sources")

_LONGEST_NAME = 255


@sources.get("/sources")
@sources.input(inputs.SourcesQuery, location="query")
@sources.output(schemas.SourcePage)
def index(space: str, query_data: inputs.SourcesQuery) -> schemas.SourcePage:
    """List the sources, newest first."""
    page = memory_of(space).sources(offset=query_data.offset, limit=query_data.limit, deleted=query_data.deleted)
    return schemas.SourcePage(
        items=[shapes.source(item) for item in page.items], total=page.total, offset=page.offset, limit=query_data.limit
    )


@sources.post("/sources")
@sources.input(inputs.UploadQuery, location="query")
@sources.output(schemas.IngestReport, status_code=202)
@sources.doc(
    description="Put text in: a multipart body with any number of `files`, or a JSON document `{name, text}`. "
    "The text is durable and searchable when this returns; a job reads names and facts from it.",
    responses={413: "The body is larger than this server takes.", 422: "Nothing that could be taken."},
)
def create(space: str, query_data: inputs.UploadQuery) -> schemas.IngestReport:
    """Put text in."""
    memory = memory_of(space)
    refused: list[schemas.FileReport] = []
    if request.mimetype == "application/json":
        text = inputs.TextIn.model_validate(request.get_json())
        uploads = [Upload(_given(text.name), text.text.encode())]
    else:
        files = request.files.getlist("files")
        if not files:
            raise InvalidInput("the body holds no file under the name `files`")
        uploads, refused = _take(files)
    report = memory.ingest(uploads, actor=actor(), wait=False, encoding=query_data.encoding)
    house().worker.wake(space)
    document = schemas.IngestReport.model_validate(report.to_json())
    document.files.extend(refused)
    document.counts["failed"] += len(refused)
    document.counts["total"] += len(refused)
    return document


def _take(files: list[FileStorage]) -> tuple[list[Upload], list[schemas.FileReport]]:
    """Read each file up to the limit; return what can be taken and a report for each that cannot."""
    largest: int = current_app.config["LARGEST_FILE"]
    taken: list[Upload] = []
    refused: list[schemas.FileReport] = []
    for file in files:
        name = _given(file.filename or "")
        data = file.stream.read(largest + 1)
        if len(data) > largest:
            reason = f"{name} is larger than {largest // 1024 // 1024} MB"
            refused.append(schemas.FileReport(name=name, state="failed", reasons=[reason]))
        else:
            taken.append(Upload(name, data))
    return taken, refused


def _given(name: str) -> str:
    """Return a given name as it is shown: no folders, no control characters, not endless."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    shown = "".join(c for c in last if c.isprintable()).strip()
    return shown[:_LONGEST_NAME] or "text"


@sources.get("/sources/<source>")
@sources.output(schemas.Source)
def read(space: str, source: str) -> schemas.Source:
    """Describe one source."""
    return shapes.source(memory_of(space).source(source))


@sources.delete("/sources/<source>")
@sources.output({}, status_code=204)
def delete(space: str, source: str) -> tuple[str, int]:
    """Take a source away, with what only it supports. Undo brings it back."""
    memory = memory_of(space)
    memory.delete([memory.source(source).id], actor=actor())
    return "", 204


@sources.get("/sources/<source>/paragraphs")
@sources.input(inputs.PageQuery, location="query")
@sources.output(schemas.ParagraphPage)
def paragraphs(space: str, source: str, query_data: inputs.PageQuery) -> schemas.ParagraphPage:
    """Read a source, with the names and facts found in it."""
    page = memory_of(space).passages_of(source, offset=query_data.offset, limit=query_data.limit)
    return schemas.ParagraphPage(
        items=[shapes.paragraph(item, source=source) for item in page.items],
        total=page.total,
        offset=page.offset,
        limit=query_data.limit,
    )


@sources.get("/paragraphs/<paragraph>")
@sources.output(schemas.Paragraph)
def paragraph(space: str, paragraph: str) -> schemas.Paragraph:
    """Read one paragraph."""
    return shapes.paragraph(memory_of(space).passage(paragraph))
