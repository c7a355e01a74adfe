"""What long tests share with the short ones."""

from tests.faults.conftest import forks, uninterrupted

__all__ = ["forks", "uninterrupted"]
