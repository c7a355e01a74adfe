"""What a canvas draws: a budgeted part of the graph with names, kinds, positions, and the facts between its nodes.

The topology knows weights only; predicates and names are looked up in the truth for the few nodes that are shown.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np

from lpmm_core.base.errors import NotFound
from lpmm_core.graph import subgraph as choose
from lpmm_core.graph.layout import arrange
from lpmm_core.index.adjacency import Numbers
from lpmm_core.index.nodes import NodeKind
from lpmm_core.index.segments import Mask
from lpmm_core.index.shelf import View
from lpmm_core.store import read

if TYPE_CHECKING:
    import networkx as nx

SYNONYMS_SHOWN = 150
CORE_SHARE = 4
"""An overview grows from the most central entities: one in this many of its nodes."""

FOLLOW = 0.5
SMALLEST, LARGEST, PASSAGE_SIZE = 10.0, 36.0, 5.0


@dataclass(frozen=True, slots=True)
class CanvasNode:
    """An entity or a passage at a position, with its radius (`size`, pixels); `hidden` neighbours are not shown."""

    id: str
    type: str
    name: str
    kind: str
    label: str
    passages: int
    size: float
    hidden: int
    x: float
    y: float
    hand: bool = False
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class CanvasEdge:
    """A fact, a mention or a synonym between two shown nodes."""

    source: str
    target: str
    type: str
    weight: float
    predicate: str | None = None
    fact: str | None = None
    closed: bool = False
    hand: bool = False


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A part of the graph. `total` entities were to choose from, at most `cap` are shown."""

    nodes: tuple[CanvasNode, ...]
    edges: tuple[CanvasEdge, ...]
    total: int
    cap: int
    sequence: int

    @property
    def truncated(self) -> bool:
        """Whether something was left out."""
        return sum(node.type == "entity" for node in self.nodes) < self.total

    def to_json(self) -> dict[str, Any]:
        """Return the JSON shape that the web page draws from."""
        return {
            "nodes": [asdict(node) for node in self.nodes],
            "edges": [asdict(edge) for edge in self.edges],
            "total": self.total,
            "cap": self.cap,
            "truncated": self.truncated,
            "sequence": self.sequence,
        }


def subgraph(
    view: View, *, focus: Sequence[str], limit: int, passages: bool, shown: Mapping[str, tuple[float, float]]
) -> Subgraph:
    """Return the most central entities, or what is nearest around `focus` (ids of entities or passages).

    Args:
        view: a moment of the memory.
        focus: where to look; unknown ids raise NotFound.
        limit: nodes at most.
        passages: show passages too.
        shown: where the nodes stand that a canvas shows already; they stay there, and those that are gone are left out. Around `focus`
            all others of them stay, and only neighbours are added.
    """
    topology = view.indexes.topology
    strong = topology.adjacency.weighted_degrees > 0
    entities, sheets = topology.over_entities(strong), topology.over_passages(strong)
    cap = max(1, min(limit, choose.MOST))
    if focus:
        numbers = np.array([_node(view, id) for id in focus])
        if shown:
            numbers = _extended(view, numbers, list(shown), entities, sheets if passages else None, cap)
            cap = max(1, min(len(numbers), choose.MOST))
    else:
        # The most central names alone are often strangers to each other; what lies between them makes the picture hang together.
        numbers = choose.central(topology, entities=entities, budget=max(1, cap // CORE_SHARE)).nodes
    chosen = choose.around(
        topology, numbers, entities=entities, passages=sheets if passages else None, budget=cap, follow=FOLLOW
    )
    return _drawn(view, chosen, cap, shown, total=int(np.count_nonzero(entities)))


def _extended(
    view: View, focus: Numbers, shown: Sequence[str], entities: Mask, passages: Mask | None, cap: int
) -> Numbers:
    """Return the nodes of a canvas that grows: what still stands of it, the focus, and the neighbours of that, heaviest edge first."""
    topology = view.indexes.topology
    here = topology.over_nodes(entities=entities, passages=np.zeros(0, np.bool_) if passages is None else passages) > 0
    standing = dict.fromkeys(node for id in shown if (node := _node_or_none(view, id)) is not None and here[node])
    kept = dict.fromkeys([*standing, *focus.tolist()])
    _, beside, weights = topology.adjacency.of_rows(focus)
    nearest = beside[np.lexsort((beside, -weights))]
    new = dict.fromkeys(node for node in nearest[here[nearest]].tolist() if node not in kept)
    return np.array([*kept, *list(new)[: max(0, cap - len(kept))]], np.int64)


def _node_or_none(view: View, id: str) -> int | None:
    """Return a node that was shown before, None when it is gone: somebody may have deleted it since."""
    try:
        node = _node(view, id)
    except NotFound:
        return None
    return node if node >= 0 else None


def everything(view: View) -> Subgraph:
    """Return the whole visible graph, without positions worth drawing: for networkx, not for a canvas."""
    topology = view.indexes.topology
    strong = topology.adjacency.weighted_degrees > 0
    entities, sheets = topology.over_entities(strong), topology.over_passages(strong)
    chosen = choose.among(topology, np.flatnonzero(strong), entities=entities, passages=sheets)
    return _drawn(view, chosen, len(chosen.nodes), None, total=int(np.count_nonzero(entities)))


def _node(view: View, id: str) -> int:
    table, row = view.ids.decode(id)
    match table:
        case "entities":
            kind, row = NodeKind.ENTITY, read.standing(view.connection, row)
        case "passages":
            kind = NodeKind.PASSAGE
        case _:
            raise NotFound(f"{id!r} is neither an entity nor a passage, so it is not on the canvas")
    return int(view.indexes.topology.nodes.of(kind, [row])[0])


def _drawn(
    view: View, chosen: choose.Selection, cap: int, positions: Mapping[str, tuple[float, float]] | None, *, total: int
) -> Subgraph:
    is_entity = chosen.kinds == NodeKind.ENTITY
    entity_rows = chosen.ids[is_entity].tolist()
    records = dict(zip(entity_rows, read.entities(view.connection, view.ids, entity_rows), strict=True))
    places = _places(view, chosen.ids[~is_entity].tolist())
    ids = [
        view.ids.encode("entities" if entity else "passages", row)
        for entity, row in zip(is_entity.tolist(), chosen.ids.tolist(), strict=True)
    ]
    names = [
        records[row].name if entity else places.get(row, "")
        for entity, row in zip(is_entity.tolist(), chosen.ids.tolist(), strict=True)
    ]
    most = max((record.passages for record in records.values()), default=1)
    sizes = [
        _size(records[row].passages, most) if entity else PASSAGE_SIZE
        for entity, row in zip(is_entity.tolist(), chosen.ids.tolist(), strict=True)
    ]
    labels = [_label(name) if entity else "" for entity, name in zip(is_entity.tolist(), names, strict=True)]
    where = np.zeros((len(ids), 2))
    if positions is not None and ids:
        before = np.array([positions.get(id, (np.nan, np.nan)) for id in ids], np.float64)
        where = arrange(labels, sizes, chosen.left, chosen.right, previous=before if positions else None)
    nodes = []
    for i, (entity, row) in enumerate(zip(is_entity.tolist(), chosen.ids.tolist(), strict=True)):
        record = records.get(row) if entity else None
        nodes.append(
            CanvasNode(
                id=ids[i],
                type="entity" if entity else "passage",
                name=names[i],
                kind=str(record.kind) if record else "passage",
                label=labels[i],
                passages=record.passages if record else 0,
                size=sizes[i],
                hidden=int(chosen.hidden[i]),
                x=round(float(where[i, 0]), 1),
                y=round(float(where[i, 1]), 1),
                hand=record.hand if record else False,
            )
        )
    return Subgraph(tuple(nodes), tuple(_edges(view, chosen, ids)), total, cap, view.indexes.sequence)


def _edges(view: View, chosen: choose.Selection, ids: list[str]) -> list[CanvasEdge]:
    """Return every fact between shown entities, mentions, and synonyms when they are few."""
    at = {(int(kind), int(row)): i for i, (kind, row) in enumerate(zip(chosen.kinds, chosen.ids, strict=True))}
    entities = [row for (kind, row) in at if kind == NodeKind.ENTITY]
    edges = []
    for fact in _facts_among(view.connection, entities):
        edges.append(
            CanvasEdge(
                source=ids[at[NodeKind.ENTITY, fact["subject"]]],
                target=ids[at[NodeKind.ENTITY, fact["object"]]],
                type="fact",
                weight=float(fact["weight"]),
                predicate=fact["predicate"],
                fact=view.ids.encode("facts", fact["id"]),
                closed=fact["recorded_end"] is not None,
                hand=bool(fact["hand"]),
            )
        )
    joined = {frozenset((edge.source, edge.target)) for edge in edges}
    topology = view.indexes.topology
    synonyms = []
    for left, right, weight in zip(chosen.left.tolist(), chosen.right.tolist(), chosen.weights.tolist(), strict=True):
        both = {int(chosen.kinds[left]), int(chosen.kinds[right])}
        if NodeKind.PASSAGE in both:
            edges.append(CanvasEdge(ids[left], ids[right], "mention", weight))
        elif frozenset((ids[left], ids[right])) not in joined and int(chosen.ids[right]) in topology.synonyms(
            int(chosen.ids[left])
        ):
            synonyms.append(CanvasEdge(ids[left], ids[right], "synonym", weight))
    return edges + (synonyms if len(synonyms) <= SYNONYMS_SHOWN else [])


def _facts_among(connection: sqlite3.Connection, entities: Sequence[int]) -> list[sqlite3.Row]:
    return connection.execute(
        """SELECT f.id, f.predicate, f.recorded_end, f.hand, s.entity AS subject, t.entity AS object,
            max(1, (SELECT count(DISTINCT o.passage) FROM evidence v JOIN live_occurrences o ON o.id = v.occurrence
                WHERE v.fact = f.id)) AS weight
        FROM names s JOIN facts f ON f.subject = s.id JOIN names t ON t.id = f.object JOIN visible_facts v ON v.id = f.id
        WHERE s.entity IN (SELECT value FROM json_each(?1)) AND t.entity IN (SELECT value FROM json_each(?1)) AND s.entity <> t.entity
        ORDER BY f.id""",
        (json.dumps(list(entities)),),
    ).fetchall()


def _places(view: View, passages: Sequence[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for row in read.in_parts(
        view.connection,
        """SELECT o.passage, s.name, o.position FROM live_occurrences o JOIN sources s ON s.id = o.source
        WHERE o.passage IN ({slots}) ORDER BY o.id""",
        passages,
    ):
        found.setdefault(row["passage"], f"{row['name']} · {row['position']}")
    return found


def _size(passages: int, most: int) -> float:
    """Return an entity's radius in pixels, 10 to 36 by the square root of its passages."""
    share = passages / max(most, 12)
    return round(SMALLEST + (LARGEST - SMALLEST) * float(share**0.5), 1)


def _label(name: str) -> str:
    """Return a name as it is written on the canvas: at most 10 wide or 18 narrow characters."""
    wide = any(east_asian_width(c) in "WF" for c in name)
    most = 10 if wide else 18
    return name if len(name) <= most else name[: most - 1] + "…"


def to_networkx(part: Subgraph) -> nx.MultiDiGraph[str]:
    """Return a subgraph as a networkx graph; nodes and edges carry the attributes of their records."""
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in part.nodes:
        graph.add_node(node.id, **{key: value for key, value in asdict(node).items() if key not in ("id", "x", "y")})
    for edge in part.edges:
        attributes = {
            key: value for key, value in asdict(edge).items() if value is not None and key not in ("source", "target")
        }
        graph.add_edge(edge.source, edge.target, **attributes)
    return graph
