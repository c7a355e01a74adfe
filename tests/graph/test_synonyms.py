"""Names that mean the same are found, in any order of arrival."""

import numpy as np
import pytest

from lpmm_core.base.errors import InvalidInput
from lpmm_core.graph.synonyms import may_be_synonyms, synonym_pairs
from lpmm_core.index.vectors import VectorIndex

KEYS = {1: "往世乐土", 2: "往世的乐土", 3: "chapter 3", 4: "chapter 4", 5: "apple", 9: "apple inc"}


def index_of(ids):
    """Neighbouring ids have a cosine of .95, all others 0; 9 stands by 5."""
    vectors = {
        1: [1, 0, 0],
        2: [0.95, 0.3122, 0],
        3: [0, 1, 0],
        4: [0, 0.95, 0.3122],
        5: [0, 0, 1],
        9: [0.3122, 0, 0.95],
    }
    return VectorIndex.build(ids, np.array([vectors[i] for i in ids], np.float32).reshape(-1, 3), dimension=3)


def pairs(index, fresh, **more):
    found = synonym_pairs(index, fresh, KEYS.__getitem__, **more)
    return list(zip(found.left.tolist(), found.right.tolist(), strict=True))


def test_near_names_are_pairs_and_nothing_is_a_synonym_of_itself():
    assert pairs(index_of(list(KEYS)), list(KEYS)) == [(1, 2), (5, 9)]


def test_new_names_are_compared_with_old_and_new_ones():
    assert pairs(index_of(list(KEYS)), [9, 5]) == [(5, 9)]
    assert pairs(index_of(list(KEYS)), [2]) == [(1, 2)]
    assert pairs(index_of(list(KEYS)), []) == []


def test_the_order_of_arrival_does_not_matter():
    """Known fault: the incremental result differs from the batch result."""
    generator = np.random.default_rng(0)
    middles = generator.standard_normal((15, 8))
    vectors = (np.repeat(middles, 4, axis=0) + 0.3 * generator.standard_normal((60, 8))).astype(np.float32)
    ids = np.arange(1, 61)

    def of(batches):
        index, found = VectorIndex.build([], np.zeros((0, 8)), centre=vectors.mean(axis=0)), {}
        for batch in batches:
            index = index.with_changes(add=(batch, vectors[batch - 1]))
            new = synonym_pairs(index, batch, lambda name: chr(0x4E80 + name))
            for left, right, cosine in zip(new.left.tolist(), new.right.tolist(), new.cosines.tolist(), strict=True):
                assert (left, right) not in found
                found[left, right] = cosine
        return found

    once = of([ids])
    assert len(once) > 20
    shuffled = generator.permutation(ids)
    assert of([shuffled[:7], shuffled[7:8], shuffled[8:]]) == once


def test_the_threshold_is_the_least_cosine():
    assert pairs(index_of(list(KEYS)), list(KEYS), threshold=0.96) == []
    with pytest.raises(InvalidInput, match="threshold"):
        pairs(index_of([1]), [1], threshold=0)


def test_a_fresh_name_without_a_vector_is_an_error():
    with pytest.raises(InvalidInput, match="77"):
        pairs(index_of([1]), [77])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("chapter 3", "chapter 4"),
        ("2019年", "2020年"),
        ("三月", "四月"),
        ("一年级三班", "一年级四班"),
        ("world war i", "world war ii"),
        ("lx legislature", "lxi legislature"),
        ("iphone 4", "iphone"),
        ("49.9 inches", "43.8 inches"),
        ("2006年5月", "2006年"),
        ("1960年代", "1960年"),
        ("1960s", "1960"),
        ("may", "june"),
        ("1960 summer olympics", "olympics of 1964"),
    ],
)
def test_names_that_count_or_date_differently_are_not_synonyms(left, right):
    assert not may_be_synonyms(left, right)
    assert not may_be_synonyms(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("6 august 1945", "august 6, 1945"),
        ("world war 2", "world war ii"),
        ("shanghai 13", "the shanghai thirteen"),
        ("3月", "三月"),
        ("2024年3月", "2024年03月"),
        ("kim jong-il", "kim jong il"),
        ("万科", "万达"),
        ("三国", "三国演义"),
        ("1926", "1926 film"),
        ("u.s.", "us"),
    ],
)
def test_names_that_count_alike_may_be_synonyms(left, right):
    assert may_be_synonyms(left, right)
