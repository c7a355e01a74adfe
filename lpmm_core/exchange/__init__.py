"""Files that other programs read and write, one module a format."""
