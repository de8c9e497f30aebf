# SPDX-License-Identifier: Apache-2.0
"""Operators that AOTAutograd replaces before Inductor sees a graph are replaced one by one. All others stay
as they are, so graphs that AOTAutograd has made stay as they are, too."""

from __future__ import annotations

from typing import Any

import torch
import torch.fx
from torch._inductor.decomposition import select_decomp_table
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.passes.fake_tensor_prop import FakeTensorProp


def expand(module: torch.fx.GraphModule, inputs: list[Any], mode: Any) -> None:
    table = select_decomp_table()
    nodes = [node for node in module.graph.nodes if node.op == "call_function" and node.target in table]
    if not nodes:
        return
    FakeTensorProp(module, mode).propagate_dont_convert_inputs(*inputs)
    for node in nodes:
        _expand_node(module, node, table, mode)
    module.graph.eliminate_dead_code()
    module.recompile()


def _expand_node(module: torch.fx.GraphModule, node: torch.fx.Node, table: Any, mode: Any) -> None:
    used = node.all_input_nodes

    def call(*values: Any) -> Any:
        by_node = dict(zip(used, values, strict=True))
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), by_node.__getitem__)
        return node.target(*args, **kwargs)  # type: ignore[operator]

    with mode:
        replacement = make_fx(call, decomposition_table=table)(*[one.meta["val"] for one in used])
    calls = [inner for inner in replacement.graph.nodes if inner.op == "call_function"]
    if not any(inner.target == node.target for inner in calls):
        _inline(module, node, replacement)


def _inline(module: torch.fx.GraphModule, node: torch.fx.Node, replacement: torch.fx.GraphModule) -> None:
    places = [inner for inner in replacement.graph.nodes if inner.op == "placeholder"]
    values: dict[torch.fx.Node, Any] = dict(zip(places, node.all_input_nodes, strict=True))
    results: Any = None
    with module.graph.inserting_before(node):
        for inner in replacement.graph.nodes:
            if inner.op == "get_attr":
                name = f"_{node.name}{inner.target}"
                module.register_buffer(name, getattr(replacement, inner.target))
                values[inner] = module.graph.get_attr(name)
            elif inner.op == "call_function":
                values[inner] = module.graph.node_copy(inner, values.__getitem__)
            elif inner.op == "output":
                results = torch.fx.map_arg(inner.args[0], values.__getitem__)
    if isinstance(results, (tuple, list)):
        for user in list(node.users):  # each takes one of them
            user.replace_all_uses_with(results[user.args[1]])
            module.graph.erase_node(user)
    else:
        node.replace_all_uses_with(results)
    module.graph.erase_node(node)
