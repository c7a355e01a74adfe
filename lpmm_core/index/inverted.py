"""The inverted file of a large vector base: vectors in cells around centres, kept as 8-bit codes, of which a search opens a few.

Made by Faiss (IVF with SQ8; Jégou et al. 2011 for the cells). It only proposes: it may miss a neighbour, which is why a small base
has none, and its rough scores are never handed out. Training is seeded and single-minded: the same vectors give the same cells.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from lpmm_core.base.records import Vectors

_TRAINING_VECTORS_A_CELL = 64
_BLOCK = 65_536
_SPARE = 64


def inverted_file(codes: Any) -> Any:
    """Make the inverted file of a Faiss store of float16 codes; row numbers are its ids."""
    count, dimension = codes.ntotal, codes.d
    cells = max(1, round(sqrt(count)))
    quantiser = faiss.IndexFlatIP(dimension)
    index = faiss.IndexIVFScalarQuantizer(
        quantiser, dimension, cells, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    index.cp.seed = 1
    index.cp.niter = 8
    chosen = np.sort(np.random.default_rng(1).permutation(count)[: cells * _TRAINING_VECTORS_A_CELL])
    index.train(codes.reconstruct_batch(chosen))
    for start in range(0, count, _BLOCK):
        index.add(codes.reconstruct_n(start, min(_BLOCK, count - start)))
    return index


def propose(
    index: Any, questions: Vectors, k: int, *, count: int, selector: Any = None
) -> list[NDArray[np.int64]] | None:
    """Return rows that probably hold each question's k best; None when looking at every permitted row is no more work.

    Args:
        index: what `inverted_file` made.
        questions: (m, d) unit vectors.
        k: how many are wanted.
        count: how many rows are permitted.
        selector: the Faiss selector of the permitted rows; None permits all.
    """
    probes = probes_for(index.nlist, share=count / index.ntotal, k=k)
    if probes == index.nlist or count < index.ntotal * probes / index.nlist / 4:
        return None
    fetch = min(count, k + max(_SPARE, k // 4))
    parameters = faiss.SearchParametersIVF(nprobe=probes, sel=selector)  # type: ignore[call-arg]  # its stubs are short
    _, rows = index.search(questions, fetch, params=parameters)
    return [row[row >= 0] for row in rows]


def probes_for(cells: int, *, share: float, k: int) -> int:
    """Return how many cells to open: more when many are wanted, or when only a share of the rows is permitted.

    Measured on questions against facts, which lie farther apart than facts from facts: docs/decisions/0003-indexes.md.
    """
    return min(cells, ceil((64 + 4 * sqrt(k)) / sqrt(share)))
