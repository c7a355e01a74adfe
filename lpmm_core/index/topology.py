"""The graph as numbers: which entities and passages hang together, and how strongly.

weight(u, v) is the sum of what the live passages contribute (2 a fact between its two entities, 1 a mention, 3 more in the title) plus
the cosine of synonyms that are mutually near. The base is one sparse matrix mapped from disk; what changed since is a short list of
edits, so a new passage costs what it says, not what the memory holds. Weights add up exactly: a topology that was updated in any
order equals one that was built anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lpmm_core.base.errors import InvalidInput
from lpmm_core.index.adjacency import Adjacency, Amounts, Edits, Numbers
from lpmm_core.index.contributions import Contribution, Contributions, Ledger, Table
from lpmm_core.index.files import Stamp, UnusableBase, open_base, save_base
from lpmm_core.index.mutual import SynonymPairs, Synonyms
from lpmm_core.index.nodes import NO_NODES, NodeKind, NodeNumbers, Nodes
from lpmm_core.index.segments import Ids, Layers, settled

SYNONYM_LIMIT = 10
"""How many nearest synonyms an entity keeps."""

_KIND = "topology"

Change = tuple[Numbers, Numbers]  # nodes, and by how much their number of passages changes


class Topology:
    """The weighted graph of entities and passages. Every change returns a new one; this one stays, and threads may share it."""

    def __init__(
        self,
        nodes: Nodes,
        adjacency: Adjacency,
        ledger: Ledger,
        synonyms: Synonyms,
        counts: NDArray[np.int32],
        count_changes: tuple[Change, ...] = (),
        *,
        stamp: Stamp | None = None,
    ) -> None:
        self.nodes = nodes
        """Which node stands for which entity or passage."""
        self.adjacency = adjacency
        """The weights, by node."""
        self.stamp = stamp or Stamp()
        """What the base was made from."""
        self._ledger = ledger
        self._synonyms = synonyms
        self._counts = counts
        self._count_changes = count_changes

    @classmethod
    def build(
        cls,
        contributions: Contributions | None = None,
        synonyms: SynonymPairs | None = None,
        *,
        entities: ArrayLike = (),
        synonym_limit: int = SYNONYM_LIMIT,
    ) -> Self:
        """Build the topology of everything.

        Args:
            contributions: what the live passages say.
            synonyms: every stored pair of live entities.
            entities: ids that have a node even when nothing mentions them, as those made by hand.
            synonym_limit: how many nearest synonyms an entity keeps.

        Raises:
            InvalidInput: an id is not positive, an amount is negative, or columns differ in length.
        """
        table = Table.of(contributions or Contributions())
        pairs = Synonyms.build(synonyms or SynonymPairs(), limit=synonym_limit)
        return cls._of(NO_NODES.with_ids(NodeKind.ENTITY, entities), table, pairs)

    @classmethod
    def _of(cls, numbering: Nodes, table: Table, pairs: Synonyms, stamp: Stamp | None = None) -> Self:
        entities = np.concatenate([table.left, table.right, table.entities, pairs.owners])
        nodes = numbering.with_ids(NodeKind.ENTITY, entities).with_ids(NodeKind.PASSAGE, table.entity_keys)
        left, right, weights = _edges(nodes, [table], pairs.all_kept())
        numbers = (np.concatenate([left, right]).astype(np.int32), np.concatenate([right, left]).astype(np.int32))
        base = sparse.coo_array((np.concatenate([weights, weights]), numbers), shape=(nodes.size, nodes.size)).tocsr()
        base.sum_duplicates()
        counts = np.bincount(nodes.of(NodeKind.ENTITY, table.entities), minlength=nodes.size).astype(np.int32)
        return cls(nodes, Adjacency(base, nodes.size), Ledger(table, Layers()), pairs, counts, stamp=stamp)

    @classmethod
    def open(cls, directory: Path, *, synonym_limit: int | None = None) -> Self:
        """Open a base that `save` wrote.

        Args:
            directory: where it stands.
            synonym_limit: the limit that is expected; None takes any.

        Raises:
            UnusableBase: there is none, it is damaged, or its entities keep another number of synonyms.
        """
        files = open_base(directory, kind=_KIND)
        limit = int(files.settings["synonym_limit"])
        if synonym_limit not in (None, limit):
            raise UnusableBase(f"the index {directory} keeps {limit} synonyms a name, expected are {synonym_limit}")
        read = files.array
        nodes = Nodes.of_pages(read("pages"))
        shape = (nodes.size, nodes.size)
        base = sparse.csr_array((read("weights"), read("columns"), read("rows")), shape=shape)
        light = sparse.csr_array((read("light"), base.indices, base.indptr), shape=shape)
        table = Table(*(read(name) for name in _TABLE))
        synonyms = Synonyms(
            read("synonym_owners"),
            read("synonym_starts"),
            read("synonym_others"),
            read("synonym_cosines"),
            limit,
            Layers(),
        )
        adjacency = Adjacency(base, nodes.size, degrees=read("degrees"), light=light)
        return cls(nodes, adjacency, Ledger(table, Layers()), synonyms, read("counts"), stamp=files.stamp)

    def save(self, directory: Path, stamp: Stamp) -> None:
        """Write the base to `directory`, to be opened again; a topology with a tail is merged first.

        Raises:
            StorageFull: the disk refused.
        """
        if self.tail:
            self.merged().save(directory, stamp)
            return
        base, table, synonyms = self.adjacency.base, self._ledger.base, self._synonyms
        arrays: dict[str, NDArray[Any]] = {
            "pages": self.nodes.pages,
            "rows": base.indptr,
            "columns": base.indices,
            "weights": base.data,
            "light": base.data.astype(np.float32),
            "degrees": self.adjacency.base_degrees,
            "counts": self._counts,
        }
        arrays |= {name: getattr(table, field) for name, field in _TABLE.items()}
        arrays |= {name: getattr(synonyms, field) for name, field in _SYNONYMS.items()}
        settings = {"synonym_limit": synonyms.limit}
        save_base(directory, kind=_KIND, stamp=stamp, arrays=arrays, settings=settings)

    # --- what it holds ---

    @property
    def size(self) -> int:
        """Rows of the matrix: the length of every array over nodes."""
        return self.nodes.size

    @property
    def synonym_limit(self) -> int:
        """How many nearest synonyms an entity keeps."""
        return self._synonyms.limit

    @property
    def tail(self) -> int:
        """How much has changed since the base was made: passages and entities touched. Merge when it grows past a tenth."""
        return len(self._ledger.tail) + len(self._synonyms.tail)

    @cached_property
    def passage_counts(self) -> NDArray[np.int32]:
        """(size,) for each entity's node the number of passages that mention it; 0 elsewhere."""
        counts = np.zeros(self.size, np.int32)
        counts[: len(self._counts)] = self._counts
        for nodes, changes in self._count_changes:
            counts[nodes] += changes.astype(np.int32)
        return counts

    def synonyms(self, entity: int) -> dict[int, float]:
        """Return the synonyms of the entity with this id that count as edges, with their cosines."""
        return self._synonyms.kept(entity)

    def stored_synonyms(self, entity: int) -> dict[int, float]:
        """Return every stored synonym of the entity with this id, whether it counts as an edge or not."""
        others, cosines = self._synonyms.of(entity)
        return dict(zip(others.tolist(), cosines.tolist(), strict=True))

    def edges(self) -> tuple[NodeNumbers, NodeNumbers, Amounts]:
        """Return every edge once, as two nodes and a weight."""
        rows, columns, weights = self.adjacency.of_rows(np.arange(self.size))
        once = rows < columns
        return rows[once], columns[once], weights[once]

    # --- arrays over nodes ---

    def seeds(
        self, *, entities: Mapping[int, float] | None = None, passages: Mapping[int, float] | None = None
    ) -> Amounts:
        """Return (size,) seed weights, from weights by id; ids that the graph does not know are left out."""
        seeds = np.zeros(self.size)
        for kind, given in ((NodeKind.ENTITY, entities), (NodeKind.PASSAGE, passages)):
            if given:
                numbers = self.nodes.of(kind, np.fromiter(given, np.int64, len(given)))
                values = np.fromiter(given.values(), np.float64, len(given))
                seeds[numbers[numbers >= 0]] = values[numbers >= 0]
        return seeds

    def over_nodes(self, *, entities: ArrayLike, passages: ArrayLike) -> NDArray[np.float32]:
        """Turn two arrays over ids, of truths or of factors, into one over nodes; ids beyond their ends give 0.

        With truths it says which nodes may be seen, with factors how much each is worth: both are what `Spreader` calls a gain.
        """
        gain = np.zeros(self.size, np.float32)
        self.nodes.by_node(NodeKind.ENTITY, np.asarray(entities), gain)
        self.nodes.by_node(NodeKind.PASSAGE, np.asarray(passages), gain)
        return gain

    def over_entities(self, values: NDArray[Any]) -> NDArray[Any]:
        """Turn an array over nodes into one over entity ids."""
        return self.nodes.by_id(NodeKind.ENTITY, values)

    def over_passages(self, values: NDArray[Any]) -> NDArray[Any]:
        """Turn an array over nodes into one over passage ids."""
        return self.nodes.by_id(NodeKind.PASSAGE, values)

    # --- changing ---

    def with_changes(
        self,
        *,
        passages: Mapping[int, Contribution | None] | None = None,
        synonyms: SynonymPairs | None = None,
        entities: ArrayLike = (),
    ) -> Self:
        """Return a topology in which these passages contribute this, in place of what they did, and these synonyms have these cosines.

        Args:
            passages: by passage id (or a negative key, see `Contribution`); None takes the contribution away.
            synonyms: pairs with their new cosine; 0 takes a pair away.
            entities: ids that must have a node even when nothing mentions them.

        Raises:
            InvalidInput: as `build`.
        """
        given = passages or {}
        if any(key == 0 for key in given):
            raise InvalidInput("0 is no passage's row id")
        fresh = {key: None if said is None else Table.of(Contributions.of({key: said})) for key, said in given.items()}
        before = self._ledger.of(np.array(sorted(given), np.int64))
        after = [table for table in fresh.values() if table is not None]
        pairs, changed = self._synonyms, (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
        if synonyms is not None:
            pairs, changed = self._synonyms.changed(synonyms)
        nodes = _numbered(self.nodes.with_ids(NodeKind.ENTITY, entities), after)
        nodes = nodes.with_ids(NodeKind.ENTITY, np.concatenate(changed[:2]))
        old, new = _edges(nodes, before), _edges(nodes, after, changed)
        edits = Edits.of(
            np.concatenate([new[0], old[0]]), np.concatenate([new[1], old[1]]), np.concatenate([new[2], -old[2]])
        )
        gained = np.concatenate([np.zeros(0, np.int64), *(table.entities for table in after)])
        lost = np.concatenate([table.entities for table in before])
        return type(self)(
            nodes,
            self.adjacency.with_edits(edits, nodes.size),
            self._ledger.changed(fresh),
            pairs,
            self._counts,
            settled(
                (*self._count_changes, _count_change(nodes, gained, lost)), size=lambda c: len(c[0]), join=_count_sum
            ),
            stamp=self.stamp,
        )

    def merged(self) -> Self:
        """Return a topology with the same contents and node numbers, and no tail. It costs a build: do it in the background."""
        return self._of(self.nodes, Table.of(self._ledger.whole()), self._whole_synonyms(), self.stamp)

    def _whole_synonyms(self) -> Synonyms:
        return Synonyms.build(self._synonyms.pairs(), limit=self._synonyms.limit)


_TABLE = {
    "keys": "keys",
    "pair_starts": "pair_starts",
    "pair_left": "left",
    "pair_right": "right",
    "pair_amounts": "amounts",
    "entity_starts": "entity_starts",
    "entities": "entities",
    "entity_flags": "flags",
}
_SYNONYMS = {
    "synonym_owners": "owners",
    "synonym_starts": "starts",
    "synonym_others": "others",
    "synonym_cosines": "cosines",
}


def _numbered(nodes: Nodes, tables: list[Table]) -> Nodes:
    """Give a node to whatever `tables` speak of and has none."""
    if not tables:
        return nodes
    mentioned = np.concatenate([column for table in tables for column in (table.left, table.right, table.entities)])
    mentioning = np.concatenate([table.entity_keys for table in tables])
    return nodes.with_ids(NodeKind.ENTITY, mentioned).with_ids(NodeKind.PASSAGE, mentioning)


def _edges(
    nodes: Nodes, tables: list[Table], synonyms: tuple[Ids, Ids, Amounts] | None = None
) -> tuple[NodeNumbers, NodeNumbers, Amounts]:
    """Return what `tables` and kept synonyms add: node, node, amount, each in one direction."""
    pairs = [(table.left, table.right, table.amounts) for table in tables]
    if synonyms is not None:
        pairs.append(synonyms)
    left = [nodes.of(NodeKind.ENTITY, low) for low, _, _ in pairs]
    right = [nodes.of(NodeKind.ENTITY, high) for _, high, _ in pairs]
    amounts = [amount for _, _, amount in pairs]
    for table in tables:
        left.append(nodes.of(NodeKind.ENTITY, table.entities))
        right.append(nodes.of(NodeKind.PASSAGE, table.entity_keys))
        amounts.append(table.entity_weights)
    nothing = np.zeros(0, np.int64)
    return np.concatenate([nothing, *left]), np.concatenate([nothing, *right]), np.concatenate([np.zeros(0), *amounts])


def _count_change(nodes: Nodes, gained: Ids, lost: Ids) -> Change:
    entities = nodes.of(NodeKind.ENTITY, np.concatenate([gained, lost]))
    return _summed(entities, np.repeat(np.array([1, -1]), [len(gained), len(lost)]))


def _count_sum(older: Change, newer: Change) -> Change:
    return _summed(np.concatenate([older[0], newer[0]]), np.concatenate([older[1], newer[1]]))


def _summed(nodes: Numbers, changes: Numbers) -> Change:
    distinct, places = np.unique(nodes, return_inverse=True)
    return distinct, np.bincount(places, changes, minlength=len(distinct)).astype(np.int64)
