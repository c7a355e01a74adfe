"""Several programs at one space: all finish, nothing is lost, each sees the others' work."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

from tests.faults.conftest import ROOT, Forks
from tests.fixtures.toy import document, entity, toy_memory

COMMAND_LINE = """
import sys
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.toy import ToyExtractor
import lpmm_core.memory
lpmm_core.memory.open_embedder = lambda *_: HashEmbedder()
lpmm_core.memory.LocalExtractor = ToyExtractor
from lpmm_core.cli import main
main(prog_name="lpmm")
"""


def lpmm(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND_LINE, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_page_a_command_and_two_programs_write_at_the_same_time(forks: Forks, tmp_path: Path) -> None:
    space = tmp_path / "space"
    (tmp_path / "file.txt").write_text("\n\n".join(f"Cli{i}|met|Bob" for i in range(20)))
    failures: list[BaseException] = []
    stop = threading.Event()
    with toy_memory(space, ingest={"group": 2}) as memory:
        memory.ingest([document("Anna|met|Bob", name="first")])

        def page() -> None:
            """Take text in without waiting, ask, and let a worker read, as the page does."""
            try:
                for number in range(25):
                    memory.ingest([document(f"Page{number}|met|Bob", name=f"page {number}")], actor="web", wait=False)
                    memory.retrieve("who met Bob", actor="web")
                    memory.rename(entity(memory, "Anna"), f"Anna {number}", actor="web")
            except BaseException as error:
                failures.append(error)

        def worker() -> None:
            try:
                while not stop.is_set():
                    memory.run_jobs()
                    stop.wait(0.02)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=page), threading.Thread(target=worker)]
        command = lpmm("ingest", str(tmp_path / "file.txt"), "--space", str(space), "--json")
        forks.start(*(("write", {"space": space, "who": who, "times": 15}) for who in ("Ada", "Bea")))
        for thread in threads:
            thread.start()
        assert forks.codes() == [0, 0], forks.said()
        out, err = command.communicate(timeout=120)
        threads[0].join()
        stop.set()
        threads[1].join()
        assert failures == []
        assert command.returncode == 0, err
        assert json.loads(out)["counts"]["new"] == 20
        memory.run_jobs()
        assert memory.check() == []
        stats = memory.stats()
        assert stats.states == {"ready": stats.occurrences}
        assert stats.occurrences == 1 + 25 + 20 + 2 * 2 * 15
        bob = memory.entity(entity(memory, "Bob")).entity
        assert bob.passages == 1 + 25 + 20 + 2 * 15
        actors = [operation.actor for operation in memory.history(limit=1000)]
        assert (actors.count("web"), actors.count("cli")) == (50, 1 + 1 + 30)
        for name in ("Page24", "Cli19", "Ada14", "Bea14"):
            found = memory.retrieve(f"{name} met Bob", record=False)
            assert found.passages[0].text.startswith(name)
    outside = lpmm("stats", "--space", str(space), "--json")
    out, err = outside.communicate(timeout=120)
    assert json.loads(out)["occurrences"] == stats.occurrences, err


def test_programs_that_open_a_new_space_at_once_all_get_it(forks: Forks, tmp_path: Path) -> None:
    for attempt in range(5):
        forks.start(*(("open_new", {"space": tmp_path / f"space {attempt}"}) for _ in range(6)))
        assert forks.codes() == [0] * 6, forks.said()


def test_of_programs_that_resume_one_history_none_disturbs_the_others(forks: Forks, tmp_path: Path) -> None:
    """Each takes over whatever waits; a passage is read once all the same."""
    space = tmp_path / "space"
    with toy_memory(space, ingest={"group": 2}) as memory:
        for number in range(8):
            memory.ingest([document(*(f"Name{number}x{i}|met|Bob" for i in range(4)), name=str(number))], wait=False)
        forks.start(*(("write", {"space": space, "who": who, "times": 2}) for who in ("Ada", "Bea", "Cleo")))
        while any(job.state == "waiting" for job in memory.jobs()):
            memory.run_jobs()
        assert forks.codes() == [0, 0, 0], forks.said()
        assert memory.check() == []
        with memory.snapshot() as view:
            twice = view.connection.execute(
                "SELECT count(*) FROM (SELECT 1 FROM evidence GROUP BY occurrence, fact HAVING count(*) > 1)"
            ).fetchone()[0]
        assert twice == 0
        assert memory.stats().states == {"ready": 8 * 4 + 3 * 2 * 2}
