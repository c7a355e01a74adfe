"""config.toml as typed values."""

from __future__ import annotations

from pathlib import Path

import pytest

from lpmm_core.base import settings
from lpmm_core.base.errors import ProviderError, SettingsError
from lpmm_core.base.settings import Endpoint, Settings, load


def written(directory: Path, text: str) -> Path:
    path = directory / "config.toml"
    path.write_text(text, "utf-8")
    return path


def test_without_a_file_every_setting_has_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(tmp_path / "config.toml") == Settings()
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    assert load() == Settings()
    assert load().llm is None


def test_the_file_of_the_installation_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    written(tmp_path, "[retrieve]\ntop_k = 7\nfollow = 0.8\n[embedding]\nprovider = 'none'\n")
    found = load()
    assert (found.retrieve.top_k, found.retrieve.follow, found.embedding.provider) == (7, 0.8, "none")
    assert found.ingest == Settings().ingest


def test_a_file_that_windows_marked_as_utf8_is_read(tmp_path: Path) -> None:
    assert load(written(tmp_path, "\ufeff[retrieve]\ntop_k = 7\n")).retrieve.top_k == 7


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[retrieve]\ntop_kk = 7", "retrieve.top_kk"),
        ("[retreive]\ntop_k = 7", "retreive"),
        ("[retrieve]\ntop_k = 'seven'", "retrieve.top_k"),
        ("[retrieve]\ntop_k = '7'", "retrieve.top_k"),
        ("[retrieve]\ntop_k = true", "retrieve.top_k"),
        ("[retrieve]\ntop_k = 0", "retrieve.top_k"),
        ("[retrieve]\nsecond_step = 'no'", "retrieve.second_step"),
        ("[retrieve]\nfollow = 1", "retrieve.follow"),
        ("[embedding]\nprovider = 'magic'", "embedding.provider"),
        ("[llm]\nmodel = 'm'", "llm.base_url"),
        ("[llm]\nbase_url = 'http://u'\nmodel = 'm'\ncolour = 1", "llm.colour"),
    ],
)
def test_an_unknown_key_or_a_wrong_value_is_refused_by_the_name_of_the_key(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(SettingsError, match=rf"^config\.toml: {key}: "):
        load(written(tmp_path, text))


@pytest.mark.parametrize("data", [b"[retrieve", b"\xff\xfe[", b"top_k == 7"])
def test_what_is_not_toml_is_said_to_be_so(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "config.toml").write_bytes(data)
    with pytest.raises(SettingsError, match=r"^config\.toml is not valid TOML"):
        load(tmp_path / "config.toml")


def test_a_whole_number_is_taken_where_a_fraction_may_stand(tmp_path: Path) -> None:
    assert load(written(tmp_path, "[retrieve]\nsharpness = 4")).retrieve.sharpness == 4.0


def test_a_key_is_given_directly_or_as_the_name_of_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LPMM_TEST_KEY", "from the environment")
    text = "[llm]\nbase_url = 'http://u'\nmodel = 'm'\n"
    direct = load(written(tmp_path, text + "api_key = 'told'\napi_key_env = 'LPMM_TEST_KEY'")).llm
    named = load(written(tmp_path, text + "api_key_env = 'LPMM_TEST_KEY'")).llm
    unset = load(written(tmp_path, text + "api_key_env = 'LPMM_TEST_UNSET'")).llm
    assert direct is not None
    assert named is not None
    assert unset is not None
    assert [e.key() for e in (direct, named)] == ["told", "from the environment"]
    with pytest.raises(ProviderError, match="the environment variable LPMM_TEST_UNSET with the key for u is not set"):
        unset.key()
    assert Endpoint(base_url="http://u", model="m").key() is None


@pytest.mark.parametrize("base_url", ["ftp://host/v1", "host/v1", "", "http://"])
def test_an_address_that_is_none_is_refused(tmp_path: Path, base_url: str) -> None:
    with pytest.raises(SettingsError, match=r"config\.toml: llm\.base_url: it must be an http or https address"):
        load(written(tmp_path, f"[llm]\nbase_url = '{base_url}'\nmodel = 'm'"))


def test_an_address_with_a_password_is_refused_without_repeating_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"host\.example") as refused:
        load(written(tmp_path, "[llm]\nbase_url = 'https://me:hunter2@host.example/v1'\nmodel = 'm'"))
    assert "hunter2" not in refused.value.message


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    found = load(written(tmp_path, "[llm]\nbase_url = 'http://u'\nmodel = 'm'\napi_key = 'hush-hush'"))
    assert "hush" not in repr(found)
    assert "hush" not in found.model_dump_json()
    with pytest.raises(SettingsError) as refused:
        load(written(tmp_path, "[llm]\nbase_url = 'http://u'\nmodel = 'm'\napi_key = ['hush-hush']"))
    assert "hush" not in str(refused.value)


def test_settings_cannot_be_changed_in_passing() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().retrieve.top_k = 3  # type: ignore[misc]


def test_a_space_is_a_name_under_the_installation_or_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LPMM_HOME", str(tmp_path))
    assert settings.space_directory("红楼") == tmp_path / "data" / "spaces" / "红楼"
    assert settings.space_directory("./here") == Path("here")
    assert settings.space_directory(tmp_path) == tmp_path


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a\\b", "a\0b", "x" * 201, "红" * 70])
def test_a_name_that_could_lead_elsewhere_is_no_space(name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be the name of a space"):
        settings.space_directory(name)
