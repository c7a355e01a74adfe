"""What stands at the root of the tree must be inside its package once installed."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
PLACES = {"templates": "webui/templates", "static": "webui/static", "data/samples": "lpmm_core/samples"}


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    return ZipFile(wheel).namelist()


@pytest.mark.parametrize(("source", "place"), PLACES.items())
def test_a_wheel_holds_every_file_that_the_tree_shows(wheel_names, source, place):
    shown = {f"{place}/{path.relative_to(ROOT / source)}" for path in (ROOT / source).rglob("*") if path.is_file()}
    assert {name for name in wheel_names if name.startswith(f"{place}/")} == shown


def test_a_wheel_holds_packages_only(wheel_names):
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} <= {"lpmm_core", "webui"}
