"""What a memory should do, as a few dictionaries: the oracle of `test_history`.

A record is `(table, key)`. Its columns are in `cells`; who changed it and was not taken back stands in `stacks`, newest last: an edit
may be taken back while it is on top of the stack of every record it changed, and done again while each stack is as it was left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lpmm_core.base.errors import Conflict, InvalidInput, LpmmError, NotFound, NothingToUndo, UndoBlocked
from lpmm_core.base.names import clean_name, name_key
from lpmm_core.store.texts import title_keys
from tests.store.world import Graph, piece, reading

Record = tuple[str, Any]


@dataclass(eq=False)
class Operation:
    """One thing done: `noted` holds, for each record it changed, the values that stand there when it is turned round."""

    actor: str
    ingest: bool = False
    noted: dict[Record, dict[str, Any]] = field(default_factory=dict)
    beneath: dict[Record, tuple[Any, ...]] = field(default_factory=dict)


class Model:
    """The memory."""

    def __init__(self) -> None:
        self.cells: dict[Record, dict[str, Any]] = {}
        self.occurrences: dict[int, tuple[int, tuple[str | None, str]]] = {}
        self.mentions: list[tuple[int, str, str, str, bool]] = []
        self.evidence: set[tuple[int, tuple[str, str, str, bool]]] = set()
        self.stacks: dict[Record, tuple[Any, ...]] = defaultdict(tuple)
        self.done: dict[str, list[Operation]] = defaultdict(list)
        self.undone: dict[str, list[Operation]] = defaultdict(list)
        self.entities = 0
        self.moment = 0

    # --- how records change ---

    def begin(self, actor: str, *, ingest: bool = False) -> Operation:
        self.moment += 1
        return Operation(actor, ingest)

    def set(self, operation: Operation, record: Record, **values: Any) -> None:
        """Change columns, if they differ."""
        cells = self.cells[record]
        changed = {column: value for column, value in values.items() if cells[column] != value}
        if changed:
            self.touch(operation, record)
            for column in changed:
                operation.noted[record].setdefault(column, cells[column])
            cells.update(changed)

    def touch(self, operation: Operation, record: Record) -> None:
        operation.noted.setdefault(record, {})

    def commit(self, operation: Operation) -> None:
        for record in operation.noted:
            self.stacks[record] += (operation,)
        self.done[operation.actor].append(operation)
        self.undone[operation.actor].clear()

    def undo(self, actor: str, which: int = -1) -> None:
        """Take back one of the operations that stand, by its place among the actor's own."""
        if not self.done[actor]:
            raise NothingToUndo("")
        operation = self.done[actor][which]
        on_top = {record: self.stacks[record][-1:] == (operation,) for record in operation.noted}
        if not operation.ingest and not all(on_top.values()):
            raise UndoBlocked("")
        self.done[actor].remove(operation)
        self.undone[actor].append(operation)
        self.moment += 1
        withdrawn = {key for table, key in operation.noted if table == "occurrences"}
        noted: dict[Record, dict[str, Any]] = {}
        for record, before in operation.noted.items():
            if record[0] == "passages" and operation.ingest:
                later = [
                    o for o in self.live_occurrences() if self.occurrences[o][1] == record[1] and o not in withdrawn
                ]
                if not on_top[record] or any(o > max(withdrawn) for o in later):
                    continue
            noted[record] = {column: self.cells[record][column] for column in before}
            self.cells[record].update(before)
            if on_top[record]:
                self.stacks[record] = self.stacks[record][:-1]
            else:
                self.stacks[record] += (("not", operation),)
        operation.noted = noted
        operation.beneath = {record: self.stacks[record] for record in noted}

    def redo(self, actor: str) -> None:
        if not self.undone[actor]:
            raise NothingToUndo("")
        operation = self.undone[actor][-1]
        if any(self.stacks[record] != beneath for record, beneath in operation.beneath.items()):
            raise UndoBlocked("")
        self.undone[actor].pop()
        self.done[actor].append(operation)
        self.moment += 1
        for record, before in operation.noted.items():
            operation.noted[record] = {column: self.cells[record][column] for column in before}
            self.cells[record].update(before)
            if self.stacks[record][-1:] == (("not", operation),):
                self.stacks[record] = self.stacks[record][:-1]
            else:
                self.stacks[record] += (operation,)

    # --- text ---

    def write(self, passages: Iterable[str], actor: str) -> tuple[int, ...]:
        """Take a text in; return its occurrences."""
        operation = self.begin(actor, ingest=True)
        source = sum(table == "sources" for table, _ in self.cells) + 1
        self.cells["sources", source] = {"deleted": None}
        taken: list[int] = []
        for text in passages:
            given = piece(text)
            passage = given.title, given.text
            record = "passages", passage
            if record in self.cells:
                self.set(operation, record, deleted=None)
            else:
                self.cells[record] = {"deleted": None, "pinned": 0}
            taken.append(len(self.occurrences) + 1)
            self.occurrences[taken[-1]] = source, passage
            self.cells["occurrences", taken[-1]] = {"deleted": None}
        for made in (("sources", source), *(("occurrences", row) for row in taken)):
            operation.noted[made] = {"deleted": f"withdrawn {self.moment}"}
        self.commit(operation)
        return tuple(taken)

    def read(self, occurrences: Iterable[int]) -> None:
        for row in occurrences:
            title, text = self.occurrences[row][1]
            extraction = reading(text)
            said: set[str] = set()
            for mention in extraction.mentions:
                said.add(self.name(mention.name))
                self.mentions.append((row, name_key(mention.name), mention.name, str(mention.kind), False))
            for triple in extraction.triples:
                statement = self.name(triple.subject), triple.predicate, self.name(triple.object), triple.negated
                self.cells.setdefault(("facts", statement), {"deleted": None, "pinned": 0})
                self.evidence.add((row, statement))
                for end in (triple.subject, triple.object):
                    if name_key(end) not in said:
                        said.add(name_key(end))
                        self.mentions.append((row, name_key(end), end, "thing", False))
            for key in title_keys(title):
                self.mentions.append((row, self.name(key), title or "", "thing", True))

    def name(self, name: str) -> str:
        """Intern a name and return its key."""
        key = name_key(name)
        if ("names", key) not in self.cells:
            self.cells["names", key] = {"entity": self.bear()}
        return key

    def bear(self) -> int:
        self.entities += 1
        self.cells["entities", self.entities] = dict.fromkeys(("name", "kind", "merged", "deleted")) | {
            "hand": 0,
            "pinned": 0,
        }
        return self.entities

    # --- edits ---

    def standing(self, entity: int) -> int:
        cells = self.cells["entities", entity]
        if cells["deleted"] or (cells["merged"] is None and not self.names_of(entity)):
            raise NotFound("")
        return entity if cells["merged"] is None else self.standing(cells["merged"])

    def rename(self, actor: str, entity: int, name: str) -> None:
        entity = self.standing(entity)
        key, operation = name_key(name), self.begin(actor)
        if ("names", key) in self.cells:
            other = self.cells["names", key]["entity"]
            if other != entity and self.sees_entity(other):
                raise Conflict("")
        else:
            other = self.cells["names", self.name(key)]["entity"]
        if other != entity:
            self.give(operation, other, [key], entity)
            if not self.names_of(other):
                self.set(operation, ("entities", other), merged=entity)
        self.set(operation, ("entities", entity), name=clean_name(name))
        self.commit(operation)

    def retype(self, actor: str, entity: int, kind: str) -> None:
        operation = self.begin(actor)
        self.set(operation, ("entities", self.standing(entity)), kind=kind)
        self.commit(operation)

    def merge(self, actor: str, entities: Iterable[int], into: int) -> None:
        into = self.standing(into)
        others = [other for other in dict.fromkeys(map(self.standing, entities)) if other != into]
        if not others:
            raise InvalidInput("")
        operation = self.begin(actor)
        name, kind = self.shown(into)
        all_of_them = [self.cells["entities", entity] for entity in (into, *others)]
        kept = {column: max(cells[column] for cells in all_of_them) for column in ("hand", "pinned")}
        self.set(operation, ("entities", into), name=name, kind=kind, **kept)
        for other in others:
            self.give(operation, other, self.names_of(other), into)
            self.set(operation, ("entities", other), merged=into)
        self.commit(operation)

    def split(self, actor: str, entity: int, names: Iterable[str]) -> int:
        entity = self.standing(entity)
        held = self.names_of(entity)
        leaving = [key for key in dict.fromkeys(map(name_key, names)) if key in held]
        if not leaving or len(leaving) == len(held):
            raise InvalidInput("")
        operation, new = self.begin(actor), self.bear()
        self.give(operation, entity, leaving, new)
        shown = self.cells["entities", entity]["name"]
        if shown and name_key(shown) in leaving:
            self.set(operation, ("entities", entity), name=None)
            self.set(operation, ("entities", new), name=shown)
        self.commit(operation)
        return new

    def delete(self, actor: str, table: str, key: Any) -> None:
        if table == "entities":
            key = self.standing(key)
        elif self.cells[table, key]["deleted"]:
            raise NotFound("")
        operation = self.begin(actor)
        self.set(operation, (table, key), deleted=f"by hand {self.moment}")
        self.commit(operation)

    def undelete(self, actor: str, table: str, key: Any) -> None:
        if not self.cells[table, key]["deleted"]:
            raise NotFound("")
        operation = self.begin(actor)
        self.set(operation, (table, key), deleted=None)
        self.commit(operation)

    def pin(self, actor: str, table: str, key: Any, pinned: bool) -> None:
        if table == "entities":
            key = self.standing(key)
        elif self.cells[table, key]["deleted"]:
            raise NotFound("")
        operation = self.begin(actor)
        self.set(operation, (table, key), pinned=int(pinned))
        self.commit(operation)

    def give(self, operation: Operation, giver: int, keys: Iterable[str], taker: int) -> None:
        for key in keys:
            self.set(operation, ("names", key), entity=taker)
        self.touch(operation, ("entities", giver))
        self.touch(operation, ("entities", taker))

    # --- what is visible ---

    def names_of(self, entity: int) -> list[str]:
        return [key for (table, key), cells in self.cells.items() if table == "names" and cells["entity"] == entity]

    def live_occurrences(self) -> list[int]:
        return [
            row
            for row, (source, passage) in self.occurrences.items()
            if not any(
                self.cells[r]["deleted"] for r in (("occurrences", row), ("sources", source), ("passages", passage))
            )
        ]

    def live_mentions(self) -> list[tuple[int, int, str, str, bool]]:
        """Return (occurrence, entity, spelling, kind, titular) of each."""
        live = set(self.live_occurrences())
        return [(o, self.cells["names", key]["entity"], *rest) for o, key, *rest in self.mentions if o in live]

    def sees_entity(self, entity: int) -> bool:
        cells = self.cells["entities", entity]
        spoken_of = any(e == entity and not titular for _, e, _, _, titular in self.live_mentions())
        kept = bool(cells["hand"] or cells["pinned"] or spoken_of or self.ends_kept_fact(entity))
        return not cells["deleted"] and cells["merged"] is None and kept

    def ends_kept_fact(self, entity: int) -> bool:
        return any(
            cells["pinned"] and not cells["deleted"] and entity in self.ends(key)
            for (table, key), cells in self.cells.items()
            if table == "facts"
        )

    def ends(self, statement: tuple[str, str, str, bool]) -> tuple[int, int]:
        subject, object = (self.cells["names", key]["entity"] for key in (statement[0], statement[2]))
        return subject, object

    def shown(self, entity: int) -> tuple[str, str]:
        cells = self.cells["entities", entity]
        mine = [
            (spelling, kind) for _, e, spelling, kind, titular in self.live_mentions() if e == entity and not titular
        ]
        names = Counter(spelling for spelling, _ in mine)
        kinds = Counter(kind for _, kind in mine if kind != "thing")
        name = cells["name"] or _majority(names) or min(self.names_of(entity), default="")
        return name, cells["kind"] or _majority(kinds) or "thing"

    def graph(self) -> Graph:
        live = self.live_occurrences()
        keys = {entity: frozenset(self.names_of(entity)) for entity in range(1, self.entities + 1)}
        seen = [entity for entity in keys if self.sees_entity(entity)]
        mentions = self.live_mentions()
        text = {row: self.occurrences[row][1][1] for row in live}
        facts = {}
        for (table, statement), cells in self.cells.items():
            if table != "facts" or cells["deleted"]:
                continue
            ends = self.ends(statement)
            support = frozenset(text[o] for o, fact in self.evidence if fact == statement and o in text)
            there = ends[0] != ends[1] and not any(self.cells["entities", end]["deleted"] for end in ends)
            if there and (support or cells["pinned"]):
                facts[statement] = (self.shown(ends[0])[0], self.shown(ends[1])[0], support)
        return Graph(
            passages=dict(Counter(self.occurrences[row][1] for row in live)),
            entities={
                keys[e] or frozenset({f"nameless {e}"}): (
                    *self.shown(e),
                    len({text[o] for o, entity, *_, titular in mentions if entity == e and not titular}),
                )
                for e in seen
            },
            facts=facts,
            mentions=frozenset((text[o], keys[e], titular) for o, e, *_, titular in mentions if e in seen),
        )


def _majority(counts: Counter[str]) -> str | None:
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None


def refusal(attempt: Any, *arguments: Any, **options: Any) -> type[LpmmError] | None:
    """Return the class of the error that a call was refused with."""
    try:
        attempt(*arguments, **options)
    except LpmmError as error:
        return type(error)
    return None
