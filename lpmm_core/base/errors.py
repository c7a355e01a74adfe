"""One tree of errors.

Every error a person may see has a `code` (stable, for programs) and a `status` (the HTTP status the web page answers with); its
message is one sentence that names the value that was wrong and what to do. The command line prints it and exits 1.
"""

from __future__ import annotations

from typing import Any, ClassVar


class LpmmError(Exception):
    """Something was refused. The message is one clear sentence for a person."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 400

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidInput(LpmmError):
    """A value, a file or a name that cannot be taken."""

    code = "invalid"
    status = 422


class UnreadableFile(InvalidInput):
    """A file that is empty, binary, damaged, too large or hostile; `place` says where in it."""

    code = "unreadable"


class NotFound(LpmmError):
    """No such record in this space (another space's id is unknown on every path)."""

    code = "not-found"
    status = 404


class Conflict(LpmmError):
    """What stands now is not what the caller thought; `details` holds both."""

    code = "conflict"
    status = 409


class UndoBlocked(Conflict):
    """Later edits by hand changed the same records; `details["blockers"]` lists them."""

    code = "undo-blocked"


class NothingToUndo(Conflict):
    """This actor has no operation to undo or redo."""

    code = "nothing-to-undo"


class Busy(LpmmError):
    """Another process holds what is needed; trying again later helps."""

    code = "busy"
    status = 503


class StorageFull(LpmmError):
    """The disk refused a write; nothing was half-written."""

    code = "storage-full"
    status = 507


class NewerSchema(LpmmError):
    """The space was written by a newer version of this program."""

    code = "newer-schema"
    status = 409


class ModelMismatch(LpmmError):
    """The memory's vectors were made by another embedding model."""

    code = "model-mismatch"
    status = 409


class ProviderError(LpmmError):
    """A model outside the engine did not answer usefully. `retryable` tells whether asking again may help."""

    code = "provider"
    status = 502

    def __init__(self, message: str, *, retryable: bool = True, **details: Any) -> None:
        super().__init__(message, **details)
        self.retryable = retryable


class SettingsError(LpmmError):
    """config.toml has an unknown key or a value of the wrong type."""

    code = "settings"
