from __future__ import annotations

import numpy as np
import pytest

from lpmm_core.provider.embedding import PASSAGE_PROBES, QUERY_PROBES, Embedder, agree, one_line
from tests.fixtures.embedder import HashEmbedder


def test_a_fingerprint_agrees_with_itself_and_with_a_slightly_different_one():
    vectors = HashEmbedder().probe()
    noisy = vectors + 0.005 * np.random.default_rng(0).normal(size=vectors.shape).astype(np.float32)
    noisy /= np.linalg.norm(noisy, axis=1, keepdims=True)
    assert agree(vectors, vectors)
    assert agree(vectors, noisy)


def test_one_different_probe_is_enough_to_disagree():
    vectors = HashEmbedder().probe()
    other = vectors.copy()
    other[7] = vectors[6]
    assert not agree(vectors, other)


def test_fingerprints_of_other_dimensions_or_of_another_model_disagree():
    vectors = HashEmbedder().probe()
    assert not agree(vectors, vectors[:, :32])
    assert not agree(vectors, HashEmbedder("other").probe())


def test_the_probes_are_a_dozen_and_all_different():
    probes = QUERY_PROBES + PASSAGE_PROBES
    assert len(probes) == len(set(probes)) == 12


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\ntwo", "one two"),
        ("one\r\n\r\ntwo\n", "one two"),
        ("标题\n正文", "标题 正文"),
        ("before\x00after", "before after"),
        ("a\u2028b", "a b"),
        ("half \ud83d pair", "half ? pair"),
    ],
)
def test_line_breaks_and_what_no_model_can_read_become_spaces(text: str, line: str):
    assert one_line(text) == line


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\x00"])
def test_an_empty_text_has_no_vector(text: str):
    with pytest.raises(ValueError, match="empty text"):
        one_line(text)


def test_the_test_embedder_keeps_the_protocol():
    embedder: Embedder = HashEmbedder()
    vectors = embedder.embed(
        ["林知夏在青石图书馆工作", "林知夏在图书馆工作", "the night train was late", "！"], "passage"
    )
    assert vectors.shape == (4, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert vectors[0] @ vectors[1] > 0.7 > 0.4 > vectors[0] @ vectors[2]
    assert np.array_equal(vectors[1], embedder.embed(["林知夏在图书馆工作"], "query")[0])
    assert embedder.embed([], "query").shape == (0, 64)
    assert embedder.mean("query") is None
    with pytest.raises(ValueError, match="empty text"):
        embedder.embed([" "], "query")
