# SPDX-License-Identifier: Apache-2.0
"""Every switch of Inductor changes the code that it generates for some graph. Nothing is compiled by C++."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._inductor.graph import GraphLowering
from torch._subclasses.fake_tensor import FakeTensorMode

from culprit.servers import inductor_switches
from culprit.servers.compiler import Request
from culprit.servers.inductor import Inductor

aten = torch.ops.aten
Build = Callable[..., Any]


class CodeSeen(Exception):
    pass


def code_of(build: Build, inputs: list[torch.Tensor], off: list[str], stage: str = "inference") -> str:
    graph = torch.fx.Graph()
    call = graph.call_function
    placeholders = [graph.placeholder(f"x{i}") for i in range(len(inputs))]
    graph.output(tuple(build(call, *placeholders)))
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    request = Request(
        torch.fx.GraphModule(torch.nn.Module(), graph),
        [mode.from_tensor(each) for each in inputs],
        ["input"] * len(inputs),
        stage=stage,
        off=off,
    )
    seen: list[str] = []

    def see(code: str) -> None:
        seen.append(code)
        raise CodeSeen

    before = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(see)
    try:
        Inductor().compile(request)
    except Exception as error:
        if not seen:
            raise error
    finally:
        GraphLowering.save_output_code = before
    return seen[0]


def two_kernels(call: Build, x: Any) -> list[Any]:
    exp = call(aten.exp.default, (x,))
    total = call(aten.sum.dim_IntList, (exp, [1]))
    return [total, call(aten.sin.default, (exp,))]


def reused_memory(call: Build, x: Any, y: Any) -> list[Any]:
    first = call(aten.mm.default, (x, y))
    second = call(aten.mm.default, (call(aten.relu.default, (first,)), y))
    third = call(aten.mm.default, (call(aten.relu.default, (second,)), y))
    return [call(aten.relu.default, (third,))]


def short_dtype(call: Build, x: Any) -> list[Any]:
    return [call(aten.sin.default, (call(aten.exp.default, (x,)),))]


def random_numbers(call: Build, x: Any) -> list[Any]:
    return [call(aten.add.Tensor, (x, call(aten.rand_like.default, (x,))))]


def added_zero(call: Build, x: Any) -> list[Any]:
    zeros = call(aten.full.default, ([64, 64], 0), {"dtype": torch.float32, "device": torch.device("cpu")})
    return [call(aten.sin.default, (call(aten.add.Tensor, (x, zeros)),))]


def cat_of_views(call: Build, x: Any) -> list[Any]:
    return [call(aten.cat.default, ([call(aten.relu.default, (x,)), call(aten.exp.default, (x,))], 1))]


def rows_of_iota(call: Build, x: Any) -> list[Any]:
    iota = call(torch.ops.prims.iota.default, (64,), {"start": 0, "step": 1, "dtype": torch.int64,
                                                     "device": torch.device("cpu"), "requires_grad": False})
    return [call(aten.index.Tensor, (x, [iota]))]


SQUARE = torch.zeros(64, 64)
ODD = torch.zeros(61, 61)
HALF = torch.zeros(64, 64, dtype=torch.bfloat16)
LONG = torch.zeros(1 << 22)
CASES: dict[str, tuple[Build, list[torch.Tensor]]] = {
    "fusion": (two_kernels, [SQUARE]),
    "lowerings": (two_kernels, [SQUARE]),
    "vectorisation": (two_kernels, [SQUARE]),
    "loop_tail_vectorisation": (two_kernels, [ODD]),
    "parallel_loops": (short_dtype, [torch.zeros(1 << 20)]),
    "buffer_reuse": (reused_memory, [SQUARE, SQUARE]),
    "inplace_buffers": (reused_memory, [SQUARE, SQUARE]),
    "float32_intermediates": (short_dtype, [HALF]),
    "random_numbers": (random_numbers, [SQUARE]),
    "joint_graph_passes": (added_zero, [SQUARE]),
    "index_propagation": (rows_of_iota, [SQUARE]),
}


@pytest.mark.parametrize("switch", CASES)
def test_a_switch_changes_the_code(switch: str) -> None:
    torch.set_num_threads(2)
    build, inputs = CASES[switch]
    assert code_of(build, inputs, []) != code_of(build, inputs, [switch])


def test_the_same_graph_gives_the_same_code() -> None:
    assert code_of(two_kernels, [SQUARE], []) == code_of(two_kernels, [SQUARE], [])


def test_one_lowering_is_turned_off_alone() -> None:
    code = code_of(two_kernels, [SQUARE], ["lowerings@1"])
    assert "aten.exp" in code and "aten.sin" not in code


def test_every_switch_is_described() -> None:
    assert {switch.name for switch in inductor_switches.describe()} >= set(CASES)
