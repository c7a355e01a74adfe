"""The write path: from files and messages to a memory that answers."""
