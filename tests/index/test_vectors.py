"""Vectors find what is near, exactly while the memory is small."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core.base.errors import InvalidInput, ModelMismatch
from lpmm_core.index.files import Stamp, UnusableBase
from lpmm_core.index.vectors import VectorIndex

D = 16


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def random_vectors(count, seed=0):
    return unit(np.random.default_rng(seed).standard_normal((count, D)).astype(np.float32))


def expected_order(vectors, ids, question, k):
    rounded = unit(vectors).astype(np.float16).astype(np.float64)
    return [i for _, i in sorted((-float(v @ question), i) for v, i in zip(rounded, ids, strict=True))][:k]


def test_search_gives_the_nearest_in_order():
    vectors, ids = random_vectors(300), np.random.default_rng(1).permutation(2000)[:300] + 1
    index = VectorIndex.build(ids, vectors)
    for question in random_vectors(5, seed=2):
        assert index.search(question, 10).ids.tolist() == expected_order(vectors, ids.tolist(), question, 10)


def test_two_questions_have_two_tops():
    index = VectorIndex.build([3, 8], np.eye(2, D, dtype=np.float32))
    assert index.search(np.eye(2, D)[0], 1).ids.tolist() == [3]
    assert index.search(np.eye(2, D)[1], 1).ids.tolist() == [8]


def test_vectors_are_centred_and_made_unit_again():
    vectors = random_vectors(50)
    centre = vectors.mean(axis=0)
    kept = VectorIndex.build(range(1, 51), vectors.astype(np.float16), centre=centre).vectors(range(1, 51))
    assert np.allclose(kept, unit(vectors - centre), atol=2e-3)


def test_equal_scores_are_ordered_by_id_however_many_there_are():
    vectors = np.repeat(random_vectors(1), 500, axis=0)
    index = VectorIndex.build(np.arange(500, 0, -1), vectors).with_changes(add=([501, 600], vectors[:2]))
    assert index.search(vectors[0], 7).ids.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_one_vector_and_none_at_all():
    alone = VectorIndex.build([5], random_vectors(1))
    assert alone.search(random_vectors(1)[0], 10).ids.tolist() == [5]
    empty = VectorIndex.build([], np.zeros((0, D), np.float32))
    assert len(empty.search(random_vectors(1)[0], 10)) == 0
    assert len(empty.above(random_vectors(1), 0.5)) == 0
    assert len(VectorIndex.build([], np.zeros((0, 0)), dimension=D).with_changes(add=([1], random_vectors(1)))) == 1


def test_a_memory_of_one_centred_by_itself_still_answers():
    vector = random_vectors(1)
    assert VectorIndex.build([5], vector, centre=vector[0]).search(vector[0], 3).scores.tolist() == [0.0]


def test_deletion_does_not_shift_ids_and_an_id_can_come_back():
    """Known fault: removing from a flat index shifts the ids behind it."""
    vectors = random_vectors(20)
    index = VectorIndex.build(range(1, 21), vectors)
    fewer = index.with_changes(remove=[4, 5])
    for number in (3, 6, 20):
        assert fewer.search(vectors[number - 1], 1).ids.tolist() == [number]
    assert 4 not in fewer.search(vectors[3], 20).ids
    assert index.search(vectors[3], 1).ids.tolist() == [4]
    again = fewer.with_changes(add=([4], vectors[9:10]))
    assert again.search(vectors[9], 2).ids.tolist() == [4, 10]
    assert len(again) == 19


def test_only_what_is_allowed_comes_back():
    vectors = random_vectors(200)
    index = VectorIndex.build(range(1, 201), vectors).with_changes(add=([300], vectors[:1]))
    allowed = np.zeros(150, np.bool_)
    allowed[[7, 9, 149]] = True
    assert sorted(index.search(vectors[0], 10, allowed).ids.tolist()) == [7, 9, 149]
    assert len(index.search(vectors[0], 10, np.zeros(0, np.bool_))) == 0


def test_questions_in_one_go_get_what_each_gets_alone():
    index = VectorIndex.build(range(1, 301), random_vectors(300)).with_changes(
        remove=[8], add=([400], random_vectors(1, seed=5))
    )
    questions = random_vectors(9, seed=3)
    for question, hits in zip(questions, index.search_many(questions, 5), strict=True):
        alone = index.search(question, 5)
        assert (hits.ids.tolist(), hits.scores.tolist()) == (alone.ids.tolist(), alone.scores.tolist())


def test_scores_of_some_agree_with_search():
    index = VectorIndex.build(range(1, 41), random_vectors(40)).with_changes(remove=[3])
    question = random_vectors(1, seed=4)[0]
    found = index.search(question, 40)
    some = index.score(question, [found.ids[0], 3, found.ids[-1]])
    assert some[[0, 2]].tolist() == [found.scores[0], found.scores[-1]]
    assert np.isnan(some[1])


def test_pairs_above_a_threshold_are_all_found_whatever_the_block():
    vectors = unit(np.repeat(random_vectors(40), 3, axis=0) + 0.1 * random_vectors(120, seed=8))
    index = VectorIndex.build(range(1, 121), vectors).with_changes(remove=[5], add=([200], vectors[:1]))
    kept = index.vectors(index.ids()).astype(np.float64)
    matches = index.above(kept.astype(np.float32), 0.8)
    cosines = kept @ kept.T
    expected = {(a, int(index.ids()[b])) for a, b in zip(*np.nonzero(cosines >= 0.8), strict=True)}
    assert set(zip(matches.questions.tolist(), matches.ids.tolist(), strict=True)) == expected


@pytest.mark.parametrize(
    ("ids", "vectors", "error"),
    [
        ([1, 1], np.ones((2, D)), InvalidInput),
        ([0], np.ones((1, D)), InvalidInput),
        ([1], np.full((1, D), np.nan), InvalidInput),
        ([1], np.ones((1, D + 1)), ModelMismatch),
    ],
)
def test_impossible_vectors_are_refused(ids, vectors, error):
    index = VectorIndex.build([9], random_vectors(1))
    with pytest.raises(error):
        index.with_changes(add=(ids, vectors))


def test_a_question_of_another_model_is_refused():
    with pytest.raises(ModelMismatch, match="16 numbers"):
        VectorIndex.build([9], random_vectors(1)).search(np.ones(3), 1)


def test_a_saved_index_opens_to_the_same_answers(tmp_path):
    index = VectorIndex.build(range(1, 101), random_vectors(100), centre=random_vectors(1, seed=6)[0] / 4)
    index = index.with_changes(remove=[7], add=([500], random_vectors(1, seed=7)))
    index.save(tmp_path / "base", Stamp(4, "e5", 1))
    opened = VectorIndex.open(tmp_path / "base", fingerprint="e5", calibration=1)
    assert (opened.stamp, len(opened), opened.tail) == (Stamp(4, "e5", 1), 100, 0)
    question = random_vectors(1, seed=9)[0]
    assert opened.search(question, 9).scores.tolist() == index.search(question, 9).scores.tolist()
    more = opened.with_changes(add=([7], random_vectors(1, seed=9)))
    assert more.search(question, 1).ids.tolist() == [7]
    with pytest.raises(UnusableBase, match="fingerprint"):
        VectorIndex.open(tmp_path / "base", fingerprint="bge")


def test_damaged_vectors_are_refused(tmp_path):
    VectorIndex.build([1], random_vectors(1)).save(tmp_path / "base", Stamp())
    path = tmp_path / "base" / "codes.faiss"
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(UnusableBase):
        VectorIndex.open(tmp_path / "base")


HISTORY = st.lists(st.dictionaries(st.integers(1, 15), st.integers(-1, 8), max_size=5), max_size=12)


@settings(max_examples=30, deadline=None)
@given(HISTORY)
def test_an_updated_index_answers_exactly_like_one_built_anew(history):
    """Rebuilt equals updated."""
    pool, centre = random_vectors(9), random_vectors(1, seed=1)[0] / 3
    index, live = VectorIndex.build([], np.zeros((0, D)), centre=centre), {}
    for step in history:
        live.update(step)
        live = {number: which for number, which in live.items() if which >= 0}
        added = {number: which for number, which in step.items() if which >= 0}
        removed = [number for number, which in step.items() if which < 0]
        index = index.with_changes(add=(list(added), pool[list(added.values())]), remove=removed)
    rebuilt = VectorIndex.build(list(live), pool[list(live.values())].reshape(-1, D), centre=centre)
    for other in (rebuilt, index.merged()):
        assert other.ids().tolist() == index.ids().tolist() == sorted(live)
        for question in random_vectors(2, seed=2):
            one, two = index.search(question, 6), other.search(question, 6)
            assert (one.ids.tolist(), one.scores.tolist()) == (two.ids.tolist(), two.scores.tolist())


@pytest.fixture(scope="module")
def large():
    generator = np.random.default_rng(3)
    middles = random_vectors(200, seed=10)
    vectors = unit(middles[generator.integers(0, 200, 6000)] + 0.15 * generator.standard_normal((6000, D)))
    ids = np.arange(1, 6001)
    return (
        VectorIndex.build(ids, vectors, exact_below=5000),
        VectorIndex.build(ids, vectors),
        vectors.astype(np.float32),
    )


def recall(one, other):
    return len(set(one.ids.tolist()) & set(other.ids.tolist())) / len(other)


@pytest.mark.parametrize("share", [1.0, 0.5, 0.02])
def test_a_large_memory_is_searched_approximately_with_a_floor_of_recall(large, share):
    approximate, exact, vectors = large
    allowed = np.random.default_rng(4).random(6001) < share
    questions = unit(vectors[:60] + 0.1 * random_vectors(60, seed=11))
    pairs = zip(approximate.search_many(questions, 10, allowed), exact.search_many(questions, 10, allowed), strict=True)
    found = [(recall(one, other), one) for one, other in pairs]
    assert np.mean([share for share, _ in found]) >= 0.95
    assert all(allowed[hits.ids].all() for _, hits in found)


def test_approximate_scores_are_exact_for_what_is_found(large):
    approximate, exact, vectors = large
    hits = approximate.search(vectors[5], 10)
    assert hits.scores.tolist() == exact.score(vectors[5], hits.ids).tolist()


def test_a_large_memory_can_be_changed_saved_and_trained_again_the_same_way(large, tmp_path):
    approximate, _, vectors = large
    changed = approximate.with_changes(remove=[6], add=([7000], vectors[5:6]))
    assert changed.search(vectors[5], 1).ids.tolist() == [7000]
    changed.save(tmp_path / "base", Stamp())
    opened = VectorIndex.open(tmp_path / "base")
    assert opened.search(vectors[5], 10).ids.tolist() == changed.merged().search(vectors[5], 10).ids.tolist()


def test_few_questions_and_many_find_the_same_pairs(monkeypatch):
    vectors = np.repeat(random_vectors(60), 5, axis=0)
    index = VectorIndex.build(range(1, 301), vectors).with_changes(remove=[2])
    asked = index.vectors([1, 6, 11])
    many = index.above(asked, 0.9)
    monkeypatch.setattr("lpmm_core.index.codes.BLOCK", 100)
    few = index.above(asked, 0.9)
    assert (few.questions.tolist(), few.ids.tolist(), few.scores.tolist()) == (
        many.questions.tolist(),
        many.ids.tolist(),
        many.scores.tolist(),
    )
    assert many.ids.tolist() == [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def test_a_large_base_that_was_opened_gives_the_vectors_it_was_given(large, tmp_path, monkeypatch):
    """Also after its pages were let go of."""
    monkeypatch.setattr("lpmm_core.index.codes._HELD", 4)
    approximate, _, _ = large
    approximate.save(tmp_path / "base", Stamp())
    opened = VectorIndex.open(tmp_path / "base")
    ids = [5, 6, 7, 5999, 1, 300]
    for _ in range(3):
        assert np.array_equal(opened.vectors(ids), approximate.vectors(ids))
    assert opened.vectors([]).shape == (0, D)
