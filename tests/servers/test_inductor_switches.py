# SPDX-License-Identifier: Apache-2.0
"""Every switch of Inductor changes the code that it generates for some graph. Nothing is compiled by C++."""

from __future__ import annotations

import os
import re
import unittest
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from culprit.servers import inductor_switches
from culprit.servers.compiler import Refusal, Request
from culprit.servers.inductor import Inductor
from torch._inductor.graph import GraphLowering
from torch._subclasses.fake_tensor import FakeTensorMode

aten = torch.ops.aten
Build = Callable[..., Any]
FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


class CodeSeen(Exception):
    pass


@dataclass(frozen=True)
class Case:
    build: Build
    inputs: list[torch.Tensor]
    #: Where the switch is not the only one that would have this effect.
    off: list[str] = field(default_factory=list)
    #: Without which it has nothing to do on a CPU.
    options: dict[str, str] = field(default_factory=dict)
    graphs: str = "below"
    gradients: bool = False


def request_for(case: Case, off: list[str]) -> Request:
    graph = torch.fx.Graph()
    placeholders = [graph.placeholder(f"x{i}") for i in range(len(case.inputs))]
    graph.output(tuple(case.build(graph.call_function, *placeholders)))
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    fakes = [mode.from_tensor(each) for each in case.inputs]
    for fake in fakes:
        fake.requires_grad_(case.gradients)
    return Request(
        torch.fx.GraphModule(torch.nn.Module(), graph),
        fakes,
        ["input"] * len(fakes),
        stage="captured" if case.graphs == "captured" else "inference",
        graphs=case.graphs,
        off=[*case.off, *off],
        options=case.options,
    )


def code_of(case: Case, off: list[str]) -> str:
    """Of the first graph that is compiled."""
    seen: list[str] = []

    def see(code: str) -> None:
        seen.append(code)
        raise CodeSeen

    before = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(see)
    try:
        with torch.set_grad_enabled(case.gradients):
            Inductor().compile(request_for(case, off))
    except Exception:
        if not seen:
            raise
    finally:
        GraphLowering.save_output_code = before
    # Graphs of a process are numbered.
    return re.sub(r"^# AOT ID: .*$", "", seen[0], flags=re.MULTILINE)


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


def there_and_back(call: Build, x: Any) -> list[Any]:
    short = call(torch.ops.prims.convert_element_type.default, (call(aten.sin.default, (x,)), torch.bfloat16))
    return [call(aten.exp.default, (call(torch.ops.prims.convert_element_type.default, (short, torch.float32)),))]


def odd_rows(call: Build, x: Any, y: Any) -> list[Any]:
    return [call(aten.mm.default, (call(aten.relu.default, (x,)), y))]


def normalised(call: Build, x: Any, weight: Any, scale: Any) -> list[Any]:
    image = call(aten.conv2d.default, (x, weight))
    statistics = (scale, scale, scale, scale, False, 0.1, 1e-5, False)
    return [call(aten.batch_norm.default, (image, *statistics))]


def decomposed(call: Build, x: Any) -> list[Any]:
    return [call(aten.silu.default, (x,))]


def the_same_twice(call: Build, x: Any, y: Any) -> list[Any]:
    first, second = call(aten.mm.default, (x, y)), call(aten.mm.default, (x, y))
    return [call(aten.mul.Tensor, (call(aten.sin.default, (first,)), second))]


SQUARE = torch.zeros(64, 64)
ODD = torch.zeros(61, 61)
HALF = torch.zeros(64, 64, dtype=torch.bfloat16)
LONG = torch.zeros(1 << 22)
IMAGE = torch.zeros(2, 16, 8, 8)
FILTER = torch.zeros(16, 16, 3, 3)
ROW = torch.zeros(64, dtype=torch.int64)
CASES = {
    "fusion": Case(two_kernels, [SQUARE]),
    "lowerings": Case(two_kernels, [SQUARE]),
    "vectorisation": Case(two_kernels, [SQUARE]),
    "loop_tail_vectorisation": Case(two_kernels, [ODD]),
    "parallel_loops": Case(short_dtype, [torch.zeros(1 << 20)]),
    "buffer_reuse": Case(chain, [SQUARE, SQUARE]),
    "inplace_buffers": Case(result_in_operand, [SQUARE, SQUARE]),
    "random_numbers": Case(random_numbers, [SQUARE]),
    "pre_grad_passes": Case(
        normalised, [IMAGE, FILTER, torch.ones(16)], options={"efficient_conv_bn_eval_fx_passes": "1"}, graphs="captured"
    ),
    "decomposition": Case(decomposed, [SQUARE], graphs="captured"),
    "cse": Case(the_same_twice, [SQUARE, SQUARE], graphs="captured", gradients=True),
    "joint_graph_passes": Case(added_zero, [SQUARE]),
    "constant_folding": Case(added_zero, [SQUARE]),
    "post_grad_passes": Case(product_and_sum, [SQUARE, SQUARE]),
    "pattern_matcher": Case(product_and_sum, [SQUARE, SQUARE]),
    "pass_pattern_1": Case(cumsum_of_ones, [SQUARE]),
    "onednn_fusions": Case(onednn_and_relu, [IMAGE, FILTER]),
    "pass_pattern_2": Case(product_and_sum, [SQUARE, SQUARE]),
    "noop_removal": Case(cat_of_one, [SQUARE, SQUARE]),
    "reinplacing": Case(written_rows, [SQUARE, ROW]),
    "reorder_for_locality": Case(read_late, [SQUARE, SQUARE]),
    "reorder_for_peak_memory": Case(
        two_large_values, [SQUARE, torch.zeros(64, 4096), torch.zeros(4096, 64)], off=["reorder_for_locality"]
    ),
    "layout_optimization": Case(convolutions, [IMAGE, FILTER]),
    "index_propagation": Case(rows_of_iota, [SQUARE]),
    "comprehensive_padding": Case(
        odd_rows, [torch.zeros(64, 1025), torch.zeros(1025, 64)], options={"disable_padding_cpu": "0"}
    ),
    "float32_intermediates": Case(there_and_back, [SQUARE]),
}


#: The one application that has something to do.
NUMBERS = {
    "pre_grad_passes": 2,
    "joint_graph_passes": 2,
    "post_grad_passes": 8,
    "constant_folding": 1,
    "pass_pattern_1": 2,
    "pass_pattern_2": 1,
    "reinplacing": 1,
    "onednn_fusions": 1,
    "fusion": 1,
}


class SwitchTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.set_num_threads(2)

    def test_a_switch_changes_the_code(self) -> None:
        for switch, case in CASES.items():
            with self.subTest(switch):
                self.assertNotEqual(code_of(case, []), code_of(case, [switch]))

    def test_the_same_graph_gives_the_same_code(self) -> None:
        for switch in CASES if FULL else ("fusion", "cse", "pre_grad_passes"):
            with self.subTest(switch):
                self.assertEqual(code_of(CASES[switch], []), code_of(CASES[switch], []))

    def test_one_application_is_turned_off_alone(self) -> None:
        self.assertIn("aten.silu", code_of(CASES["decomposition"], ["decomposition@1"]))
        self.assertNotIn("aten.silu", code_of(CASES["decomposition"], ["decomposition@2"]))
        code = code_of(CASES["lowerings"], ["lowerings@1"])
        self.assertIn("aten.exp", code)
        self.assertNotIn("aten.sin", code)

    def test_of_the_applications_of_a_pass_one_is_turned_off_alone(self) -> None:
        for switch in NUMBERS if FULL else ("pre_grad_passes", "post_grad_passes", "pass_pattern_1"):
            number = NUMBERS[switch]
            with self.subTest(switch):
                code = code_of(CASES[switch], [])
                self.assertNotEqual(code, code_of(CASES[switch], [f"{switch}@{number}"]))
                self.assertEqual(code, code_of(CASES[switch], [f"{switch}@{number + 1}+"]))
                if number > 1:
                    self.assertEqual(code, code_of(CASES[switch], [f"{switch}@{number - 1}"]))

    def test_what_is_done_again_is_off_from_an_application_on(self) -> None:
        """Operators that do nothing are removed twice, so the second time does what the first has left."""
        code = code_of(CASES["noop_removal"], [])
        for number in (1, 2):
            self.assertEqual(code, code_of(CASES["noop_removal"], [f"noop_removal@{number}"]))
        self.assertNotEqual(code, code_of(CASES["noop_removal"], ["noop_removal@1+"]))

    def test_an_operator_falls_back_by_its_name(self) -> None:
        code = code_of(Case(two_kernels, [SQUARE], options={"fallback": "aten.sin"}), [])
        self.assertIn("aten.sin", code)
        self.assertNotIn("aten.exp", code)

    def test_an_operator_that_is_not_lowered_cannot_fall_back(self) -> None:
        with self.assertRaisesRegex(Refusal, "lowers no operator 'aten.sinn', did you mean 'aten.sin'?"):
            code_of(Case(two_kernels, [SQUARE], options={"fallback": "aten.sinn"}), [])

    def test_a_pass_is_turned_off_by_its_name(self) -> None:
        inputs = [SQUARE, SQUARE]
        without = code_of(Case(cat_of_one, inputs, options={"disabled_passes": "remove_noop_ops"}), [])
        self.assertNotEqual(code_of(Case(cat_of_one, inputs), []), without)

    def test_every_switch_is_shown_to_act(self) -> None:
        self.assertEqual({switch.name for switch in inductor_switches.describe()}, set(CASES))


if __name__ == "__main__":
    unittest.main()
