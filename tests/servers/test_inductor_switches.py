# SPDX-License-Identifier: Apache-2.0
"""Every switch of Inductor changes the code that it generates for some graph. Nothing is compiled by C++."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any

import torch
from culprit.servers import inductor_switches
from culprit.servers.compiler import Refusal, Request
from culprit.servers.inductor import Inductor
from torch._inductor.graph import GraphLowering
from torch._subclasses.fake_tensor import FakeTensorMode

aten = torch.ops.aten
Build = Callable[..., Any]


class CodeSeen(Exception):
    pass


def code_of(
    build: Build, inputs: list[torch.Tensor], off: list[str], options: dict[str, str] | None = None
) -> str:
    graph = torch.fx.Graph()
    call = graph.call_function
    placeholders = [graph.placeholder(f"x{i}") for i in range(len(inputs))]
    graph.output(tuple(build(call, *placeholders)))
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    request = Request(
        torch.fx.GraphModule(torch.nn.Module(), graph),
        [mode.from_tensor(each) for each in inputs],
        ["input"] * len(inputs),
        stage="inference",
        off=off,
        options=options or {},
    )
    seen: list[str] = []

    def see(code: str) -> None:
        seen.append(code)
        raise CodeSeen

    before = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(see)
    try:
        Inductor().compile(request)
    except Exception:
        if not seen:
            raise
    finally:
        GraphLowering.save_output_code = before
    return seen[0]


def two_kernels(call: Build, x: Any) -> list[Any]:
    exp = call(aten.exp.default, (x,))
    total = call(aten.sum.dim_IntList, (exp, [1]))
    return [total, call(aten.sin.default, (exp,))]


def result_in_operand(call: Build, x: Any, y: Any) -> list[Any]:
    return [call(aten.relu.default, (call(aten.mm.default, (x, y)),))]


def chain(call: Build, x: Any, y: Any) -> list[Any]:
    value = x
    for _ in range(4):
        value = call(aten.mm.default, (value, y))
    return [value]


def short_dtype(call: Build, x: Any) -> list[Any]:
    return [call(aten.sin.default, (call(aten.exp.default, (x,)),))]


def random_numbers(call: Build, x: Any) -> list[Any]:
    return [call(aten.add.Tensor, (x, call(aten.rand_like.default, (x,))))]


def added_zero(call: Build, x: Any) -> list[Any]:
    zeros = call(aten.full.default, ([64, 64], 0), {"dtype": torch.float32, "device": torch.device("cpu")})
    return [call(aten.sin.default, (call(aten.add.Tensor, (x, zeros)),))]


def cat_of_views(call: Build, x: Any) -> list[Any]:
    return [call(aten.cat.default, ([call(aten.relu.default, (x,)), call(aten.exp.default, (x,))], 1))]


def product_and_sum(call: Build, x: Any, y: Any) -> list[Any]:
    return [call(aten.add.Tensor, (call(aten.mm.default, (x, y)), x))]


def cat_of_one(call: Build, x: Any, y: Any) -> list[Any]:
    return [call(aten.mm.default, (call(aten.cat.default, ([x],)), y))]


def written_rows(call: Build, x: Any, y: Any) -> list[Any]:
    put = call(aten.index_put.default, (x, [y], call(aten.mm.default, (x, x))))
    call(aten.copy_.default, (x, put))
    return [call(aten.sum.dim_IntList, (put, [1]))]


def read_late(call: Build, x: Any, y: Any) -> list[Any]:
    first = call(aten.mm.default, (x, y))
    second = call(aten.mm.default, (y, x))
    third = call(aten.mm.default, (second, x))
    return [call(aten.mm.default, (third, y)), call(aten.mm.default, (first, y))]


def two_large_values(call: Build, x: Any, wide: Any, high: Any) -> list[Any]:
    first = call(aten.mm.default, (x, wide))
    second = call(aten.mm.default, (call(aten.sin.default, (x,)), wide))
    return [call(aten.mm.default, (first, high)), call(aten.mm.default, (second, high))]


def convolutions(call: Build, x: Any, weight: Any) -> list[Any]:
    def convolution(image: Any) -> Any:
        return call(aten.convolution.default, (image, weight, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1))

    return [convolution(call(aten.relu.default, (convolution(x),)))]


def rows_of_iota(call: Build, x: Any) -> list[Any]:
    iota = call(torch.ops.prims.iota.default, (64,), {"start": 0, "step": 1, "dtype": torch.int64,
                                                     "device": torch.device("cpu"), "requires_grad": False})
    return [call(aten.index.Tensor, (x, [iota]))]


def onednn_and_relu(call: Build, x: Any, weight: Any) -> list[Any]:
    """As frozen graphs have it."""
    how = (None, [1, 1], [1, 1], [1, 1], 1, "none", [], "")
    return [call(aten.relu.default, (call(torch.ops.mkldnn._convolution_pointwise.default, (x, weight, *how)),))]


def cumsum_of_ones(call: Build, x: Any) -> list[Any]:
    ones = call(aten.full.default, ([64], 1), {"dtype": torch.int64, "device": torch.device("cpu")})
    return [call(aten.add.Tensor, (x, call(aten.cumsum.default, (ones, 0))))]


SQUARE = torch.zeros(64, 64)
ODD = torch.zeros(61, 61)
HALF = torch.zeros(64, 64, dtype=torch.bfloat16)
LONG = torch.zeros(1 << 22)
IMAGE = torch.zeros(2, 16, 8, 8)
FILTER = torch.zeros(16, 16, 3, 3)
ROW = torch.zeros(64, dtype=torch.int64)
CASES: dict[str, tuple[Build, list[torch.Tensor]]] = {
    "fusion": (two_kernels, [SQUARE]),
    "lowerings": (two_kernels, [SQUARE]),
    "vectorisation": (two_kernels, [SQUARE]),
    "loop_tail_vectorisation": (two_kernels, [ODD]),
    "parallel_loops": (short_dtype, [torch.zeros(1 << 20)]),
    "buffer_reuse": (chain, [SQUARE, SQUARE]),
    "inplace_buffers": (result_in_operand, [SQUARE, SQUARE]),
    "random_numbers": (random_numbers, [SQUARE]),
    "joint_graph_passes": (added_zero, [SQUARE]),
    "constant_folding": (added_zero, [SQUARE]),
    "post_grad_passes": (product_and_sum, [SQUARE, SQUARE]),
    "pattern_matcher": (product_and_sum, [SQUARE, SQUARE]),
    "pass_pattern_1": (cumsum_of_ones, [SQUARE]),
    "onednn_fusions": (onednn_and_relu, [IMAGE, FILTER]),
    "pass_pattern_2": (product_and_sum, [SQUARE, SQUARE]),
    "noop_removal": (cat_of_one, [SQUARE, SQUARE]),
    "reinplacing": (written_rows, [SQUARE, ROW]),
    "reorder_for_locality": (read_late, [SQUARE, SQUARE]),
    "reorder_for_peak_memory": (two_large_values, [SQUARE, torch.zeros(64, 4096), torch.zeros(4096, 64)]),
    "layout_optimization": (convolutions, [IMAGE, FILTER]),
    "index_propagation": (rows_of_iota, [SQUARE]),
}
#: Act in kernels for GPUs alone.
NOT_ON_CPU = {"comprehensive_padding", "float32_intermediates"}


class SwitchTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.set_num_threads(2)

    def test_a_switch_changes_the_code(self) -> None:
        for switch, (build, inputs) in CASES.items():
            # It would order them as well.
            before = ["reorder_for_locality"] if switch == "reorder_for_peak_memory" else []
            with self.subTest(switch):
                differs = code_of(build, inputs, before) != code_of(build, inputs, [*before, switch])
                self.assertTrue(differs, "the code is the same")

    def test_the_same_graph_gives_the_same_code(self) -> None:
        self.assertEqual(code_of(two_kernels, [SQUARE], []), code_of(two_kernels, [SQUARE], []))

    def test_one_lowering_is_turned_off_alone(self) -> None:
        code = code_of(two_kernels, [SQUARE], ["lowerings@1"])
        self.assertIn("aten.exp", code)
        self.assertNotIn("aten.sin", code)

    def test_an_operator_falls_back_by_its_name(self) -> None:
        code = code_of(two_kernels, [SQUARE], [], options={"fallback": "aten.sin"})
        self.assertIn("aten.sin", code)
        self.assertNotIn("aten.exp", code)

    def test_an_operator_that_is_not_lowered_cannot_fall_back(self) -> None:
        with self.assertRaisesRegex(Refusal, "lowers no operator 'aten.sinn', did you mean 'aten.sin'?"):
            code_of(two_kernels, [SQUARE], [], options={"fallback": "aten.sinn"})

    def test_a_pass_is_turned_off_by_its_name(self) -> None:
        inputs = [SQUARE, SQUARE]
        without = code_of(cat_of_one, inputs, [], options={"disabled_passes": "remove_noop_ops"})
        self.assertNotEqual(code_of(cat_of_one, inputs, []), without)

    def test_every_switch_is_shown_to_act(self) -> None:
        self.assertEqual({switch.name for switch in inductor_switches.describe()}, set(CASES) | NOT_ON_CPU)


if __name__ == "__main__":
    unittest.main()
