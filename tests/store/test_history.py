"""Two people do whatever they like to one memory, take it back and do it again; a few dictionaries say what must be visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lpmm_core.base.records import Kind
from lpmm_core.store import checks, edits
from lpmm_core.store.store import Store
from tests.store.conftest import scratch
from tests.store.model import Model, Operation, refusal
from tests.store.world import Taken, World

NAMES = ("Anna", "anna", "Bob", "BOB", "Cara", "Dora Dee", "往世乐土")
TEXTS = (
    "Anna knows Bob\nAnna:person",
    "anna knows Bob",
    "Bob likes Cara\nBob:person\nCara:place",
    "BOB never likes Cara",
    "# Anna\nCara holds Bob",
    "# Dora Dee (poet)\nshe wrote",
    "往世乐土:place\nAnna visits 往世乐土",
    "Cara:organisation\nCara:place",
)

actors = st.sampled_from(("ann", "ben"))
numbers = st.integers(0, 30)
names = st.sampled_from(NAMES)


class History(RuleBasedStateMachine):
    """The store beside its model. Records are chosen by number among all there ever were, merged and deleted ones included."""

    @initialize()
    def open(self) -> None:
        self.directory = scratch()
        self.store = Store(self.directory.__enter__() / "space")
        self.world = World(self.store)
        self.model = Model()
        self.rows: dict[int, int] = {}
        self.waiting: list[tuple[Taken, tuple[int, ...]]] = []
        self.numbers: dict[Operation, int] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.directory.__exit__(None, None, None)

    def both(self, expected: Callable[..., Any], *arguments: Any, real: Callable[[], Any]) -> bool:
        """Let model and store do the same and compare how they answer; tell whether it was done."""
        before = refusal(expected, *arguments)
        assert refusal(real) is before
        self.note_operations()
        return before is None

    def note_operations(self) -> None:
        """Learn the row of the operation that was done last."""
        for actor, done in self.model.done.items():
            if done and done[-1] not in self.numbers:
                query = "SELECT max(id) FROM operations WHERE actor = ? AND state = 'done'"
                self.numbers[done[-1]] = self.world.value(query, actor)

    def entity(self, number: int) -> int:
        known = sorted(self.rows)
        return known[number % len(known)]

    def record(self, table: str, number: int, *, deleted: bool = False) -> tuple[Any, int] | None:
        """Return a record's key in the model and its row; with `deleted` one that is deleted, when there is one."""
        known = [key for kept, key in self.model.cells if kept == table and (table != "entities" or key in self.rows)]
        if not known:
            return None
        known = [key for key in known if deleted and self.model.cells[table, key]["deleted"]] or known
        key = known[number % len(known)]
        if table == "entities":
            return key, self.rows[key]
        if table == "facts":
            negation = "never " if key[3] else ""
            # Keys serve as names here, and the toy language has no spaces in names.
            ends = [self.world.value("SELECT id FROM names WHERE key = ?", end) for end in (key[0], key[2])]
            query = "SELECT id FROM facts WHERE subject = ? AND predicate = ? AND object = ? AND negated = ?"
            return key, self.world.value(query, ends[0], key[1], ends[1], int(bool(negation)))
        if table == "passages":
            return key, self.world.value("SELECT id FROM passages WHERE title IS ? AND text = ?", *key)
        return key, key

    def note_births(self) -> None:
        """Learn the rows of entities that were born with a name."""
        for (table, key), cells in self.model.cells.items():
            if table == "names" and cells["entity"] not in self.rows:
                self.rows[cells["entity"]] = self.world.entity(key)

    # --- what people do ---

    @rule(
        actor=actors, texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3, unique=True), at_once=st.booleans()
    )
    def ingest(self, actor: str, texts: list[str], at_once: bool) -> None:
        taken = self.world.write(*texts, actor=actor)
        self.waiting.append((taken, self.model.write(texts, actor)))
        self.note_operations()
        if at_once:
            self.read()

    @precondition(lambda self: self.waiting)
    @rule()
    def read(self) -> None:
        for taken, occurrences in self.waiting:
            self.world.read(taken)
            self.model.read(occurrences)
        self.waiting.clear()
        self.note_births()

    @precondition(lambda self: self.rows)
    @rule(actor=actors, number=numbers, name=names)
    def rename(self, actor: str, number: int, name: str) -> None:
        entity = self.entity(number)
        real = lambda: self.world.edit(edits.rename, self.rows[entity], name, actor=actor)  # noqa: E731
        self.both(self.model.rename, actor, entity, name, real=real)
        self.note_births()

    @precondition(lambda self: self.rows)
    @rule(actor=actors, number=numbers, kind=st.sampled_from((Kind.PERSON, Kind.PLACE)))
    def retype(self, actor: str, number: int, kind: Kind) -> None:
        entity = self.entity(number)
        real = lambda: self.world.edit(edits.retype, self.rows[entity], kind, actor=actor)  # noqa: E731
        self.both(self.model.retype, actor, entity, str(kind), real=real)

    @precondition(lambda self: self.rows)
    @rule(actor=actors, chosen=st.lists(numbers, min_size=1, max_size=3), into=numbers)
    def merge(self, actor: str, chosen: list[int], into: int) -> None:
        entities, target = [self.entity(number) for number in chosen], self.entity(into)
        rows = [self.rows[entity] for entity in entities]
        real = lambda: self.world.edit(edits.merge, rows, self.rows[target], actor=actor)  # noqa: E731
        self.both(self.model.merge, actor, entities, target, real=real)

    @precondition(lambda self: self.rows)
    @rule(actor=actors, number=numbers, name=names)
    def split(self, actor: str, number: int, name: str) -> None:
        entity = self.entity(number)
        leaving = [*self.model.names_of(entity)[:1], name] if number % 2 else [name]
        real = lambda: self.world.edit(edits.split, self.rows[entity], leaving, actor=actor)  # noqa: E731
        self.both(self.model.split, actor, entity, leaving, real=real)
        self.note_births()

    @rule(actor=actors, table=st.sampled_from(edits.DELETABLE), number=numbers)
    def delete(self, actor: str, table: str, number: int) -> None:
        if record := self.record(table, number):
            real = lambda: self.world.delete(table, record[1], actor=actor)  # noqa: E731
            self.both(self.model.delete, actor, table, record[0], real=real)

    @rule(actor=actors, table=st.sampled_from(edits.DELETABLE), number=numbers)
    def undelete(self, actor: str, table: str, number: int) -> None:
        if record := self.record(table, number, deleted=True):
            real = lambda: self.world.undelete(table, record[1], actor=actor)  # noqa: E731
            self.both(self.model.undelete, actor, table, record[0], real=real)

    @rule(actor=actors, table=st.sampled_from(("passages", "entities", "facts")), number=numbers, pinned=st.booleans())
    def pin(self, actor: str, table: str, number: int, pinned: bool) -> None:
        if record := self.record(table, number):
            real = lambda: self.world.pin(table, record[1], pinned=pinned, actor=actor)  # noqa: E731
            self.both(self.model.pin, actor, table, record[0], pinned, real=real)

    @precondition(lambda self: any(self.model.done.values()))
    @rule(actor=actors)
    def undo(self, actor: str) -> None:
        actor = actor if self.model.done[actor] else next(a for a, done in self.model.done.items() if done)
        self.both(self.model.undo, actor, real=lambda: self.world.undo(actor))

    @precondition(lambda self: any(self.model.done.values()))
    @rule(actor=actors, number=numbers)
    def undo_by_name(self, actor: str, number: int) -> None:
        if done := self.model.done[actor]:
            named = self.numbers[done[which := number % len(done)]]
            self.both(self.model.undo, actor, which, real=lambda: self.world.undo(actor, named=named))

    @precondition(lambda self: any(self.model.undone.values()))
    @rule(actor=actors)
    def redo(self, actor: str) -> None:
        actor = actor if self.model.undone[actor] else next(a for a, undone in self.model.undone.items() if undone)
        self.both(self.model.redo, actor, real=lambda: self.world.redo(actor))

    @precondition(lambda self: any(self.model.done.values()))
    @rule(actor=actors)
    def undo_and_redo(self, actor: str) -> None:
        before = self.world.graph()
        actor = actor if self.model.done[actor] else next(a for a, done in self.model.done.items() if done)
        if self.both(self.model.undo, actor, real=lambda: self.world.undo(actor)):
            self.both(self.model.redo, actor, real=lambda: self.world.redo(actor))
            assert self.world.graph() == before

    # --- what always holds ---

    @invariant()
    def the_visible_graph_is_the_model_s(self) -> None:
        assert self.world.graph() == self.model.graph()

    @invariant()
    def every_name_belongs_to_an_entity_that_stands(self) -> None:
        assert not self.world.rows(
            "SELECT 1 FROM names n JOIN entities e ON e.id = n.entity WHERE e.merged_into IS NOT NULL"
        )

    @invariant()
    def the_check_finds_nothing(self) -> None:
        with self.store.reading() as connection:
            assert checks.check(connection) == []


History.TestCase.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
test_two_people_edit_undo_and_redo_as_the_model_says = History.TestCase
