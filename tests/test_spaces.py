"""The spaces of an installation: made, found, renamed, put aside, deleted; and kept apart."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lpmm_core.base.errors import Conflict, LpmmError, NotFound, SettingsError
from lpmm_core.base.settings import Settings
from lpmm_core.memory import Memory
from lpmm_core.spaces import Spaces, fill_sample, samples_directory
from tests.fixtures.toy import document, passage, toy_memory


@pytest.fixture
def spaces(tmp_path: Path) -> Iterator[Spaces]:
    found = Spaces(tmp_path / "spaces", settings=Settings(), open_memory=toy_memory)
    yield found
    found.close()


def test_an_installation_begins_without_spaces(spaces: Spaces) -> None:
    assert spaces.names() == []
    with pytest.raises(NotFound, match="no space 'default'"):
        spaces.open("default")
    assert not spaces.directory.exists(), "looking makes nothing"


def test_a_space_is_made_once_and_shared(spaces: Spaces) -> None:
    memory = spaces.create("one")
    assert spaces.names() == ["one"]
    assert spaces.open("one") is memory
    assert spaces.ensure("one") is memory
    assert memory.name == "one"
    with pytest.raises(Conflict, match="'one' already"):
        spaces.create("one")
    assert spaces.ensure("two").name == "two"


def test_threads_that_open_a_space_together_get_one_memory(spaces: Spaces) -> None:
    spaces.create("one")
    spaces.close()
    found: list[Memory] = []
    threads = [threading.Thread(target=lambda: found.append(spaces.ensure("one"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(memory) for memory in found}) == 1


def test_threads_that_make_a_space_together_get_one_memory(spaces: Spaces) -> None:
    found: list[Memory] = []
    threads = [threading.Thread(target=lambda: found.append(spaces.ensure("new"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len({id(memory) for memory in found}) == 1


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "../out", "a\\b", "nul\0", "长" * 100])
def test_what_cannot_be_a_name_is_refused_and_leads_nowhere(spaces: Spaces, name: str, tmp_path: Path) -> None:
    for verb in (spaces.create, spaces.open, spaces.ensure, spaces.archive, spaces.delete):
        with pytest.raises((SettingsError, NotFound)):
            verb(name)
    spaces.create("one")
    with pytest.raises((SettingsError, NotFound)):
        spaces.rename("one", name)
    assert spaces.names() == ["one"]
    assert [path.name for path in tmp_path.iterdir()] == ["spaces"]


@pytest.mark.parametrize(
    "name",
    [
        "a\nb",
        "a\tb",
        "bell\x07",
        "CON",
        "nul",
        "Com1.txt",
        "LPT9",
        "aux.",
        "name.",
        " lead",
        "trail ",
        "\u202eevil",
        "\udcff",
        "../x",
    ],
)
def test_a_name_that_some_system_cannot_keep_is_refused_with_what_a_name_may_be(spaces: Spaces, name: str) -> None:
    spaces.create("one")
    for verb in (lambda: spaces.create(name), lambda: spaces.rename("one", name)):
        with pytest.raises(SettingsError, match=r"cannot be the name of a space: a name is printable text") as refused:
            verb()
        assert "\n" not in refused.value.message
        refused.value.message.encode()
    assert spaces.names() == ["one"]


def test_a_space_that_got_a_bad_name_before_can_still_be_renamed(spaces: Spaces) -> None:
    spaces.create("one")
    spaces.close()
    (spaces.directory / "one").rename(spaces.directory / "a\nb")
    spaces.rename("a\nb", "two")
    assert spaces.names() == ["two"]


@pytest.mark.parametrize("name", ["知识库", "console", "nuls", "com10", "my space", "a.b", "ünïcode", "-dash"])
def test_names_of_every_script_are_taken(spaces: Spaces, name: str) -> None:
    spaces.create(name).ingest([document("Mira|knows|Anna")])
    assert spaces.names() == [name]
    spaces.close()
    assert spaces.open(name).stats().facts == 1


def test_a_renamed_space_keeps_all_and_its_old_name_is_free(spaces: Spaces) -> None:
    spaces.create("one").ingest([document("Mira|knows|Anna")])
    spaces.rename("one", "two")
    assert spaces.names() == ["two"]
    assert spaces.open("two").stats().facts == 1
    spaces.create("one")
    with pytest.raises(Conflict, match="'one' already"):
        spaces.rename("two", "one")
    with pytest.raises(NotFound):
        spaces.rename("three", "four")
    assert spaces.open("two").stats().facts == 1


def test_an_archived_space_is_out_of_the_list_and_can_be_put_back(spaces: Spaces) -> None:
    spaces.create("one").ingest([document("Mira|knows|Anna")])
    where = spaces.archive("one")
    assert spaces.names() == []
    with toy_memory(where) as memory:
        assert memory.stats().facts == 1
    spaces.create("one")
    with pytest.raises(Conflict, match="archived"):
        spaces.archive("one")
    assert spaces.names() == ["one"]


def test_a_deleted_space_is_gone_with_everything_in_it(spaces: Spaces) -> None:
    path = spaces.create("one").path
    spaces.create("two")
    spaces.delete("one")
    assert not path.exists()
    assert spaces.names() == ["two"]
    with pytest.raises(NotFound):
        spaces.delete("one")


def test_a_closed_memory_says_so(spaces: Spaces) -> None:
    memory = spaces.create("one")
    spaces.close()
    with pytest.raises(LpmmError, match="closed"):
        memory.stats()


def test_the_id_of_one_space_is_unknown_in_another(spaces: Spaces) -> None:
    one, other = spaces.create("one"), spaces.create("two")
    for memory in (one, other):
        memory.ingest([document("Mira|knows|Anna")])
    id = passage(one, "Mira")
    assert one.passage(id)
    for verb in (other.passage, other.trace, other.source, other.entity, other.fact, other.job):
        with pytest.raises(NotFound):
            verb(id)
    for change in (other.delete, other.undelete, other.purge, other.deletion):
        with pytest.raises(NotFound):
            change([id])


def test_the_sample_is_filled_once(spaces: Spaces) -> None:
    memory = spaces.create("sample")
    assert fill_sample(memory) is True
    stats = memory.stats()
    assert stats.sources >= 10
    assert stats.states == {"ready": stats.occurrences}
    assert fill_sample(memory) is False
    assert memory.stats() == stats
    assert memory.history()[0].actor == "system:sample"


def test_a_sample_that_was_interrupted_is_finished(spaces: Spaces) -> None:
    memory = spaces.create("sample")
    memory.ingest([samples_directory() / "en"], wait=False)
    assert fill_sample(memory) is True
    assert set(memory.stats().states) == {"ready"}
    whole = spaces.create("whole")
    fill_sample(whole)
    assert memory.stats().paragraphs == whole.stats().paragraphs


def test_what_was_deleted_from_the_sample_stays_deleted(spaces: Spaces) -> None:
    memory = spaces.create("sample")
    fill_sample(memory)
    memory.delete([memory.sources().items[0].id])
    left = memory.stats()
    assert fill_sample(memory) is False
    assert memory.stats() == left


def test_the_sample_can_be_filled_to_be_read_later(spaces: Spaces) -> None:
    memory = spaces.create("sample")
    assert fill_sample(memory, wait=False) is True
    assert set(memory.stats().states) == {"waiting"}
    assert fill_sample(memory) is False
    assert set(memory.stats().states) == {"ready"}
