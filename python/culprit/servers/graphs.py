# SPDX-License-Identifier: Apache-2.0
"""Graphs of torch.fx, made node by node of what Culprit sends. Nothing is traced: tracing would run factory
calls, and with them lose what some compilers fail on."""

from __future__ import annotations

import math
import operator
from typing import Any

import torch
import torch.fx
from torch._subclasses.fake_tensor import FakeTensorMode

from culprit.servers.compiler import Refusal
from culprit.servers.sizes import Sizes
from culprit.servers.tensors import Arena

#: Operators on plain numbers that only Culprit's graphs have: "python::add.int" and so on.
_BUILTINS = {
    "getitem": operator.getitem,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "truediv": operator.truediv,
    "mod": operator.mod,
    "pow": operator.pow,
    "neg": operator.neg,
    "ceil": math.ceil,
    "floor": math.floor,
    "sqrt": torch._sym_sqrt,
    "max": torch.sym_max,
    "min": torch.sym_min,
    "not_": torch.sym_not,
    "float": torch.sym_float,
    "int": torch.sym_int,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def find_operator(name: str) -> Any:
    """ "aten::add.Tensor" => torch.ops.aten.add.Tensor."""
    namespace, _, rest = name.partition("::")
    function, _, overload = rest.partition(".")
    if namespace == "python":
        if function not in _BUILTINS:
            raise Refusal(f"there is no operator {name} in Python")
        return _BUILTINS[function]
    try:
        return getattr(getattr(getattr(torch.ops, namespace), function), overload or "default")
    except AttributeError:
        raise Refusal(f"PyTorch {torch.__version__} has no operator {name}") from None


def build(description: dict[str, Any], arena: Arena) -> torch.fx.GraphModule:
    root = torch.nn.Module()
    graph = torch.fx.Graph()
    values: dict[str, Any] = {}
    for placeholder in description["placeholders"]:
        values[placeholder["name"]] = graph.placeholder(placeholder["name"])
    for constant in description["constants"]:
        root.register_buffer(constant["name"], arena.value(constant["tensor"]))
        values[constant["name"]] = graph.get_attr(constant["name"])
    for node in description["nodes"]:
        _add_node(graph, node, values)
    graph.output(tuple(_argument(output, values) for output in description["outputs"]))
    return torch.fx.GraphModule(root, graph)


def _add_node(graph: torch.fx.Graph, node: dict[str, Any], values: dict[str, Any]) -> None:
    arguments = tuple(_argument(argument, values) for argument in node["arguments"])
    keywords = {name: _argument(argument, values) for name, argument in node["keywords"]}
    results = node["results"]
    target = find_operator(node["operator"])
    if len(results) == 1:
        values[results[0]] = graph.create_node("call_function", target, arguments, keywords, results[0])
        return
    call = graph.create_node("call_function", target, arguments, keywords)
    for i, name in enumerate(results):
        values[name] = graph.create_node("call_function", operator.getitem, (call, i), {}, name)


def _argument(argument: Any, values: dict[str, Any]) -> Any:
    if isinstance(argument, list):
        return [_argument(element, values) for element in argument]
    if not isinstance(argument, dict):
        return argument
    ((kind, content),) = argument.items()
    if kind == "value":
        return values[content]
    if kind == "float":
        return float(content)
    if kind == "complex":
        return complex(float(content[0]), float(content[1]))
    if kind == "device":
        return torch.device(content)
    return getattr(torch, content)  # a dtype, a layout or a memory format


def example_inputs(inputs: list[Any], sizes: Sizes, arena: Arena) -> list[Any]:
    """Real tensors where there is memory (frozen parameters), else fake ones; one fake mode for all."""
    mode = FakeTensorMode(allow_non_fake_inputs=True, shape_env=sizes.environment)
    storages: dict[int, Any] = {}

    def example(index: int, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return sizes.of(index)[0]
        if not isinstance(value, dict) or "float" in value or not value["described"]:
            return arena.value(value)
        with mode:
            return _fake(value, sizes.of(index), sizes.strides(index), storages)

    return [example(index, value) for index, value in enumerate(inputs)]


def described(inputs: list[Any], arena: Arena) -> list[Any]:
    """What is said about tensors that have memory, without it."""
    seen: set[int] = set()
    result = []
    for value in inputs:
        if isinstance(value, dict) and "sizes" in value:
            storage = value["storage"]
            value = {**value, "described": True, "bytes": arena.bytes_of(storage), "shared": storage in seen}
            seen.add(storage)
        result.append(value)
    return result


def _fake(value: dict[str, Any], sizes: list[Any], strides: list[Any], storages: dict[int, Any]) -> torch.Tensor:
    """Tensors on one storage share it."""
    dtype = getattr(torch, value["dtype"])
    tensor = torch.empty_strided(sizes, strides, dtype=dtype, device=value["device"])
    if value["storage"] not in storages:
        size = value["bytes"]
        storages[value["storage"]] = torch.empty(size, dtype=torch.uint8, device=value["device"])
    base = storages[value["storage"]]
    if value["shared"] or value["offset"] != 0:
        tensor = torch.empty(0, dtype=dtype, device=value["device"])
        tensor.set_(base.untyped_storage(), value["offset"], value["sizes"], value["strides"])
    if value.get("conjugated"):
        tensor = torch._conj(tensor)
    if value.get("negated"):
        tensor = torch._neg_view(tensor)
    return tensor
