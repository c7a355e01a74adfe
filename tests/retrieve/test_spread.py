"""How seeds are weighed."""

from __future__ import annotations

import numpy as np
import pytest

from lpmm_core.base.settings import RetrieveSettings
from lpmm_core.index.topology import Topology
from lpmm_core.retrieve.candidates import Ranked
from lpmm_core.retrieve.spread import KEPT, seeds_for


def test_the_nearest_passage_keeps_a_share_when_the_second_step_finds_others_nearer() -> None:
    near = Ranked(np.array([1, 2]), np.array([1.0, 0.2]))
    further = Ranked(np.array([2, 1, 3]), np.array([2.0, 1.1, 1.0]))
    settings = RetrieveSettings(passage_weight=2.0)
    first = seeds_for(Topology.build(), [], {}, near, settings)
    second = seeds_for(Topology.build(), [], {}, near, settings, further)
    assert first.passages == pytest.approx({1: 2.0, 2: 0.0})
    assert second.passages == pytest.approx({2: 2.0, 1: 2.0 * KEPT, 3: 0.0})
