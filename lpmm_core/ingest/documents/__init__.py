"""Reading documents: from the bytes of a file to passages with titles, speakers and times, or one sentence that says why not."""

from lpmm_core.ingest.documents.reader import read_document
from lpmm_core.ingest.documents.upload import Limits, Media, NoText, display_name

__all__ = ["Limits", "Media", "NoText", "display_name", "read_document"]
