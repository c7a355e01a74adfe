"""Where the nodes of a canvas stand: near what they are joined to, no label over another, the same picture for the same graph.

Each connected part is laid out for itself by stress majorisation (Gansner, Koren and North 2004), which makes distances on the page
follow distances in the graph, from a start by pivot MDS (Brandes and Pich 2006). Then boxes that hold a node and its label are pushed
apart until none overlaps, and the parts are packed onto the page. Nothing is random.

When a canvas grows, what already stands there stays where it is, and new nodes take the nearest free place to their neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial import cKDTree

from lpmm_core.base.errors import InvalidInput

Points = NDArray[np.float64]
"""(n, 2) positions in pixels, y downwards."""

WIDE = 13.0
"""Width of a hanzi in a label, in pixels."""

NARROW = 7.0
"""Width of a letter in a label, in pixels."""

LABEL_HEIGHT = 20.0
"""A label stands below its node."""

_EDGE = 55.0  # ideal length of an edge, in pixels
_GAP = 6.0
_PIVOTS = 40
_ASPECT = 1.6
_COLUMN = 10.0
_FILL = 0.5  # share of a part's picture that boxes may cover before they are pushed apart
_GOLDEN_ANGLE = 2.399963229728653
_MOST = 2_000


def boxes(labels: Sequence[str], radii: ArrayLike) -> Points:
    """Return (n, 2) width and height of what each node and the label below it cover."""
    radius = np.asarray(radii, np.float64)
    widths = np.array([sum(WIDE if east_asian_width(c) in "WF" else NARROW for c in label) for label in labels])
    written = np.array([bool(label) for label in labels], np.bool_)
    return np.column_stack([np.maximum(2 * radius, widths), 2 * radius + LABEL_HEIGHT * written]).reshape(-1, 2)


def arrange(
    labels: Sequence[str], radii: ArrayLike, left: ArrayLike, right: ArrayLike, *, previous: ArrayLike | None = None
) -> Points:
    """Return the (n, 2) positions of n nodes.

    Args:
        labels: what is written below each node, as shown.
        radii: radius of each node, in pixels.
        left: one end of each edge, a position in `labels`.
        right: the other end.
        previous: (n, 2) positions that stay as they are, NaN where a node is new; None lays out everything.

    Raises:
        InvalidInput: there are more nodes than a canvas can show, or the arrays do not fit each other.
    """
    size = len(labels)
    if size > _MOST:
        raise InvalidInput(f"a canvas shows at most {_MOST} nodes, not {size}")
    stood = None if previous is None else np.asarray(previous, np.float64)
    if np.size(radii) != size:
        raise InvalidInput(f"{size} labels came with {np.size(radii)} radii")
    if stood is not None and stood.shape != (size, 2):
        raise InvalidInput(f"{size} labels came with previous positions of the shape {stood.shape}")
    box = boxes(labels, radii)
    # Boxes are laid out by their middle, which lies below the node's by half a label.
    drop = np.column_stack([np.zeros(size), (box[:, 1] - 2 * np.asarray(radii, np.float64)) / 2])
    graph = _graph(size, np.asarray(left, np.int64), np.asarray(right, np.int64))
    middle = np.full((size, 2), np.nan) if stood is None else stood + drop
    placed: NDArray[np.bool_] = ~np.any(np.isnan(middle), axis=1)
    _, part = connected_components(graph, directed=False)
    joined = np.asarray(np.isin(part, part[placed]), np.bool_)
    _settle_beside(graph, box, middle, placed, joined)
    _place_parts(graph, box, middle, part, ~joined)
    return middle - drop


def _graph(size: int, left: NDArray[np.int64], right: NDArray[np.int64]) -> sparse.csr_array:
    """Return the symmetric matrix of ideal edge lengths: edges between hubs are longer, which gives their other neighbours room."""
    keep = left != right
    ends = np.unique(np.column_stack([np.minimum(left, right)[keep], np.maximum(left, right)[keep]]), axis=0)
    degree = np.bincount(ends.ravel(), minlength=size)
    length = 1 + 0.3 * np.log2(np.maximum(1, np.minimum(degree[ends[:, 0]], degree[ends[:, 1]])))
    numbers = (np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]]))
    return sparse.coo_array((np.concatenate([length, length]), numbers), shape=(size, size)).tocsr()


# --- one part ---


def _part(graph: sparse.csr_array, box: Points) -> Points:
    """Lay out one connected part around the origin."""
    if len(box) == 1:
        return np.zeros((1, 2))
    distance = dijkstra(graph, directed=False).astype(np.float32)
    points = _majorised(_pivot_mds(distance), distance, rounds=60 if len(box) <= 400 else 12)
    return _apart(points * _EDGE, box)


def _pivot_mds(distance: NDArray[np.float32]) -> Points:
    """Return a first layout from the distances to a few far-apart nodes."""
    size = len(distance)
    pivots = [int(np.argmax(distance.sum(axis=1)))]
    nearest = np.full(size, np.inf, np.float32)
    while len(pivots) < min(size, _PIVOTS):
        nearest = np.minimum(nearest, distance[pivots[-1]])
        pivots.append(int(np.argmax(nearest)))
    squared = distance[:, pivots].astype(np.float64) ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1, keepdims=True) + squared.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, [-1, -2]] if vectors.shape[1] > 1 else np.column_stack([vectors[:, -1], vectors[:, -1] * 0])
    # An eigenvector's sign is arbitrary: let its largest entry be positive.
    axes = axes * np.where(axes[np.argmax(np.abs(axes), axis=0), [0, 1]] < 0, -1.0, 1.0)
    points = -0.5 * centred @ axes
    extent = np.abs(points).max()
    points = points / extent * distance.max() / 2 if extent > 0 else points
    # Twins would stand on one spot and never part: a small sunflower sets them apart.
    number = np.arange(size)
    return np.asarray(points + 0.05 * _sunflower(number) / np.sqrt(size))


def _majorised(points: Points, distance: NDArray[np.float32], *, rounds: int) -> Points:
    """Lower the stress sum((|xi - xj| - dij)**2 / dij**2) with every round (SMACOF; de Leeuw 1977, Gansner et al. 2004)."""
    wanted = np.maximum(distance.astype(np.float64), 1e-3)
    weight = 1 / (wanted * wanted)
    np.fill_diagonal(weight, 0)
    pull = weight * wanted
    # The majoriser's matrix is a Laplacian, which leaves the centre free; the added constant holds it at the origin.
    factor = cho_factor(np.diag(weight.sum(axis=1)) - weight + 1 / len(points))
    now = points - points.mean(axis=0)
    for _ in range(rounds):
        square = (now * now).sum(axis=1)
        apart = np.sqrt(np.maximum(square[:, None] + square[None, :] - 2 * (now @ now.T), 1e-6))
        force = pull / apart
        now = cho_solve(factor, force.sum(axis=1, keepdims=True) * now - force @ now)
    return np.asarray(now)


def _apart(points: Points, box: Points) -> Points:
    """Push boxes apart along the shorter way out until none overlaps; when they are stuck, blow up the picture a little."""
    size = box + _GAP
    points = points - points.mean(axis=0)
    # A picture far too small for its labels would be pushed apart for long, and lose its shape.
    room = float(np.prod(np.ptp(points, axis=0) + size.mean(axis=0)))
    points = points * max(1.0, np.sqrt(float(size.prod(axis=1).sum()) / (_FILL * room)))
    for turn in range(1, 400):
        first, second = _overlapping(points, size)
        if not len(first):
            return points
        away = points[second] - points[first]
        depth = (size[first] + size[second]) / 2 - np.abs(away)
        sideways = depth[:, 0] < depth[:, 1]
        step = np.where(sideways[:, None], [1.0, 0.0], [0.0, 1.0]) * (depth + 0.5) / 2
        step *= np.where(away < 0, -1.0, 1.0)
        move = np.zeros_like(points)
        np.add.at(move, first, -step)
        np.add.at(move, second, step)
        crowd = np.bincount(np.concatenate([first, second]), minlength=len(points))
        points = points + move / np.sqrt(np.maximum(crowd, 1))[:, None]
        if turn % 12 == 0:
            points = points * 1.03
    while len(_overlapping(points, size)[0]):
        points = points * 1.1
    return points


def _overlapping(points: Points, size: Points) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs of boxes that overlap, as two arrays of positions."""
    scale = size.max(axis=0)
    pairs = cKDTree(points / scale).query_pairs(1.0, p=np.inf, output_type="ndarray")
    first, second = pairs[:, 0], pairs[:, 1]
    inside = (np.abs(points[first] - points[second]) < (size[first] + size[second]) / 2 - 1e-9).all(axis=1)
    return first[inside], second[inside]


# --- all parts ---


def _place_parts(
    graph: sparse.csr_array, box: Points, middle: Points, part: NDArray[np.int32], free: NDArray[np.bool_]
) -> None:
    """Lay out each wholly new part, the large ones first, and pack them: onto an empty page, or below what stands there."""
    members = [np.flatnonzero(part == number) for number in np.unique(part[free])]
    if not members:
        return
    members.sort(key=lambda nodes: (-len(nodes), int(nodes[0])))
    laid = []
    for nodes in members:
        points = _part(graph[nodes][:, nodes].tocsr(), box[nodes])
        low, high = (points - box[nodes] / 2).min(axis=0), (points + box[nodes] / 2).max(axis=0)
        laid.append((nodes, points - low, high - low + 4 * _GAP))
    stand = ~np.isnan(middle).any(axis=1)
    corner = np.zeros(2)
    if stand.any():
        corner[0] = float((middle - box / 2)[stand, 0].min())
        corner[1] = float((middle + box / 2)[stand, 1].max()) + 4 * _GAP
    spots = _packed(np.array([extent for _, _, extent in laid]))
    for (nodes, points, _), spot in zip(laid, spots, strict=True):
        middle[nodes] = points + corner + spot
    if not stand.any():
        low, high = (middle - box / 2).min(axis=0), (middle + box / 2).max(axis=0)
        middle -= (low + high) / 2


def _packed(extents: Points) -> Points:
    """Return the upper left corners of rectangles on a page of fitting width, each set down as high, then as far left, as it can."""
    area = float(extents.prod(axis=1).sum())
    width = max(float(np.sqrt(area * _ASPECT)) * 1.05, float(extents[:, 0].max()))
    if len(extents) > 1:
        width = max(width, float(extents[0, 1]) * _ASPECT)
    floor = np.zeros(int(np.ceil(width / _COLUMN)))
    corners = np.zeros_like(extents)
    for number, (across, down) in enumerate(extents):
        columns = min(len(floor), int(np.ceil(across / _COLUMN)))
        height = np.lib.stride_tricks.sliding_window_view(floor, columns).max(axis=1)
        place = int(np.argmin(height))
        corners[number] = place * _COLUMN, height[place]
        floor[place : place + columns] = height[place] + down
    return corners


def _settle_beside(
    graph: sparse.csr_array, box: Points, middle: Points, placed: NDArray[np.bool_], joined: NDArray[np.bool_]
) -> None:
    """Give each new node of a part that stands already the free place nearest to its neighbours, those with most of them first."""
    waiting = set(np.flatnonzero(joined & ~placed).tolist())
    stands = placed.copy()
    neighbours = {node: graph.indices[graph.indptr[node] : graph.indptr[node + 1]] for node in waiting}
    while waiting:
        node = max(waiting, key=lambda one: (int(np.count_nonzero(stands[neighbours[one]])), -one))
        beside = neighbours[node][stands[neighbours[node]]]
        middle[node] = _free_place(middle[beside].mean(axis=0), box[node], middle[stands], box[stands])
        stands[node] = True
        waiting.remove(node)


def _free_place(wish: Points, box: Points, taken: Points, boxes_taken: Points) -> Points:
    """Return the first point of a sunflower around `wish` where `box` overlaps nothing."""
    need = (boxes_taken + box) / 2 + _GAP
    start, count = 0, 256
    while True:
        places = wish + 9.0 * _sunflower(np.arange(start, start + count))
        clear = np.any(np.abs(places[:, None, :] - taken[None, :, :]) >= need[None, :, :], axis=2)
        free = np.all(clear, axis=1)
        if free.any():
            return np.asarray(places[int(np.argmax(free))])
        start += count


def _sunflower(number: NDArray[np.int64]) -> Points:
    """Return points that fill a disc evenly from the middle outwards (Vogel 1979)."""
    radius, angle = np.sqrt(number), number * _GOLDEN_ANGLE
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
