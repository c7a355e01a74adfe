"""Fetch the front-end libraries by name and version from the npm registry into the tree, with licence and sha256.

The page loads nothing from another host and needs no JavaScript tools, so the libraries are committed. This is run by hand when a version
changes: `make vendor` fetches, `make vendor ARGS=--check` only compares what is there with the recorded sums.

vis-network comes in its `dist` build: the `standalone` one writes style elements into the page, which our content security policy refuses.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Library:
    """What to take from one npm package, and where it goes."""

    name: str
    version: str
    files: tuple[str, ...]
    folder: Path


LIBRARIES = (
    Library(
        "vis-network",
        "10.1.5",
        ("dist/vis-network.esm.min.js", "LICENSE-MIT", "LICENSE-APACHE-2.0"),
        ROOT / "static/vendor/vis-network",
    ),
    Library(
        "socket.io-client",
        "4.8.4",
        ("dist/socket.io.esm.min.js", "LICENSE"),
        ROOT / "static/vendor/socket.io-client",
    ),
    Library("axe-core", "4.14.1", ("axe.min.js", "LICENSE"), ROOT / "tests/vendor/axe-core"),
)


def digest(path: Path) -> str:
    """Return the sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fetch(library: Library) -> None:
    """Unpack the wanted files of one package and record their sums."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", f"{library.name}@{library.version}", "--silent"]
        packed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
        library.folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(Path(folder) / packed) as archive:
            for name in library.files:
                member = archive.extractfile(f"package/{name}")
                if member is None:
                    raise SystemExit(f"{library.name} {library.version} holds no file {name}")
                (library.folder / Path(name).name).write_bytes(member.read())
    names = sorted(Path(name).name for name in library.files)
    lines = [f"# {library.name} {library.version}", *(f"{digest(library.folder / name)}  {name}" for name in names)]
    (library.folder / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{library.name} {library.version}: {', '.join(names)}")


def problems(library: Library) -> list[str]:
    """Return what does not match the recorded sums."""
    lines = (library.folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    if lines[0] != f"# {library.name} {library.version}":
        return [f"{library.folder}: recorded is {lines[0][2:]}, wanted is {library.name} {library.version}"]
    pairs = (line.split("  ", 1) for line in lines[1:])
    return [
        f"{library.folder / name} was changed" for expected, name in pairs if digest(library.folder / name) != expected
    ]


def main() -> str | None:
    """Fetch, or with `--check` compare; return what is wrong."""
    if "--check" in sys.argv[1:]:
        return "\n".join(line for library in LIBRARIES for line in problems(library)) or None
    for library in LIBRARIES:
        fetch(library)
    return None


if __name__ == "__main__":
    sys.exit(main())
