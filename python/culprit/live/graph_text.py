# SPDX-License-Identifier: Apache-2.0
"""Graphs of torch.fx as Culprit reads them.

The text that torch.fx prints is in the dialect of PyTorch's repros, so it goes to the reader of repros: it knows
which operators there are, and refuses what it cannot keep by name.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import torch
import torch.fx
from torch._subclasses.fake_tensor import FakeTensor

from culprit._culprit import CapturedGraph, Refusal
from culprit.live.higher_order import attribute, refuse_graphs_and_kernels

#: Of a size that nobody knows before the program runs, as PyTorch has it.
_UNKNOWN_SIZE = 8


def captured_graph(name: str, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> CapturedGraph:
    """Raises Refusal for what a graph of Culprit cannot hold."""
    refuse_graphs_and_kernels(gm)
    constants = _constants(gm)
    code = gm.graph.python_code("self", verbose=True).src
    text = "class Graph(torch.nn.Module):\n" + textwrap.indent(code, "    ")
    graph = CapturedGraph(name, text, constants)
    for value in inputs:
        _add_input(graph, value)
    return graph


def with_reshapes(gm: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """A copy that eager runs on inputs with other strides than those that it was traced with."""
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.view.default):
        node.target = torch.ops.aten.reshape.default
    return torch.fx.GraphModule(gm, graph)


def _constants(gm: torch.fx.GraphModule) -> dict[str, torch.Tensor]:
    constants = {}
    for node in gm.graph.nodes:
        if node.op != "get_attr":
            continue
        value = attribute(gm, node.target)
        if not isinstance(value, torch.Tensor) or type(value) not in (torch.Tensor, torch.nn.Parameter):
            raise Refusal(f"'{node.target}' is a {type(value).__qualname__}, and no tensor")
        constants[str(node.target)] = value.detach()
    return constants


def _add_input(graph: CapturedGraph, value: Any) -> None:
    if isinstance(value, FakeTensor):
        if value.layout != torch.strided or value.is_quantized:
            raise Refusal(f"an input is {value.layout}, which is not watched")
        graph.add_tensor(_hints(value.shape), _hints(value.stride()), value.dtype)
    elif isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        graph.add_value(_hint(value))
    else:
        graph.add_value(value)


def _hints(sizes: Sequence[Any]) -> list[int]:
    return [_hint(size) for size in sizes]


def _hint(size: Any) -> Any:
    """Without asking for the value, which would make it a constant of the program."""
    if not isinstance(size, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return size
    return size.node.hint if size.node.has_hint() else _UNKNOWN_SIZE
