"""Write docs/reference from the program itself: the command line and the settings.

`python -m scripts.reference` writes; `--check` only says whether something is out of date (exit 1).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from lpmm_core.base.settings import Settings
from lpmm_core.cli import main as command_line

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
NOTE = "*Written by `make docs` from the program itself; do not edit.*\n"


def cli_page() -> str:
    """Return the help of every command."""
    parts = ["# Command line\n", NOTE]

    def add(command: click.Command, path: list[str], parent: click.Context | None) -> None:
        context = click.Context(
            command,
            info_name=path[-1],
            parent=parent,
            max_content_width=100,
            terminal_width=100,
            help_option_names=["-h", "--help"],
        )
        parts.append(f"\n## {' '.join(path)}\n\n```\n{command.get_help(context)}\n```\n")
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                child = command.get_command(context, name)
                if child is not None and not child.hidden:
                    add(child, [*path, name], context)

    add(command_line, ["lpmm"], None)
    return "".join(parts)


def settings_page() -> str:
    """Return every key of config.toml with its type and default."""
    parts = [
        "# Settings\n",
        NOTE,
        "\nKeys of `config.toml` in the installation's directory. An unknown key is an error.\n",
    ]

    def add(model: type[BaseModel], section: str) -> None:
        rows = []
        inner: list[tuple[type[BaseModel], str]] = []
        for name, field in model.model_fields.items():
            nested = _model(field.annotation)
            if nested is not None:
                inner.append((nested, f"{section}.{name}" if section else name))
                continue
            default = "required" if field.is_required() else repr(field.default)
            rows.append(f"| `{name}` | {_type(field.annotation)} | {default} | {field.description or ''} |\n")
        if rows:
            parts.append(f"\n## [{section}]\n\n{' '.join((model.__doc__ or '').split())}\n\n")
            parts.extend(["| key | type | default | meaning |\n|---|---|---|---|\n", *rows])
        for nested, path in inner:
            add(nested, path)

    add(Settings, "")
    return "".join(parts)


def _model(annotation: Any) -> type[BaseModel] | None:
    for candidate in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _type(annotation: Any) -> str:
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", "")
    return text.replace("|", "\\|").replace("pydantic.types.", "")


PAGES = {"cli.md": cli_page, "settings.md": settings_page}


def main() -> int:
    """Write or check every page."""
    stale = []
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        target, text = REFERENCE / name, page()
        if not target.exists() or target.read_text("utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                target.write_text(text, "utf-8")
    if stale and "--check" in sys.argv:
        print("out of date, run `make docs`: " + ", ".join(stale))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
