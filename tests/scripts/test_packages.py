import pytest

from scripts.packages import LOCAL, pip_settings, uv_environment


@pytest.fixture
def pip_conf(tmp_path, monkeypatch):
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex-url = https://one.example/simple\ntimeout = 7\n"
        "find-links =\n  /wheels/a\n  /wheels/b\n"
        "[install]\nindex-url = https://two.example/simple\n"
    )
    for name in ("PIP_INDEX_URL", "PIP_FIND_LINKS", "UV_DEFAULT_INDEX", "UV_FIND_LINKS", "UV_HTTP_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))


@pytest.mark.usefixtures("pip_conf")
def test_uv_gets_the_mirror_and_the_folders_that_pip_was_told(monkeypatch):
    environment = uv_environment(pip_settings())
    assert environment["UV_DEFAULT_INDEX"] == "https://two.example/simple"
    assert environment["UV_FIND_LINKS"] == "/wheels/a,/wheels/b"

    monkeypatch.setenv("PIP_INDEX_URL", "https://three.example/simple")
    assert uv_environment(pip_settings())["UV_DEFAULT_INDEX"] == "https://three.example/simple"


@pytest.mark.usefixtures("pip_conf")
def test_what_is_set_for_uv_itself_stays(monkeypatch):
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://own.example/simple")
    assert uv_environment(pip_settings())["UV_DEFAULT_INDEX"] == "https://own.example/simple"


@pytest.mark.usefixtures("pip_conf")
def test_a_lock_takes_the_mirror_but_no_local_folder():
    environment = uv_environment(pip_settings(), skip=LOCAL)
    assert environment["UV_DEFAULT_INDEX"] == "https://two.example/simple"
    assert "UV_FIND_LINKS" not in environment
