# SPDX-License-Identifier: Apache-2.0
"""Operators that call graphs or kernels of Python, as `cond`, `flex_attention` and Triton's do: no repro holds these."""

from __future__ import annotations

import torch.fx
from torch._ops import HigherOrderOperator

from culprit._culprit import Refusal

#: Their kernels are in a table of PyTorch, and none of their arguments.
_KERNELS = ("triton_kernel_wrapper_functional", "triton_kernel_wrapper_mutation")


def refuse_graphs_and_kernels(gm: torch.fx.GraphModule) -> None:
    """Other higher-order operators are left to whoever reads the text."""
    for node in gm.graph.nodes:
        if isinstance(node.target, HigherOrderOperator):
            takes_graphs = any(_is_graph(gm, each) for each in node.all_input_nodes)
            if takes_graphs or node.target.name() in _KERNELS:
                raise refusal(node.target)


def refusal(operator: HigherOrderOperator) -> Refusal:
    """By its name, with what to do."""
    return Refusal(
        f"'{operator.name()}' calls graphs or kernels that a repro cannot hold; "
        "to have the rest watched, call it in a function with @torch.compiler.disable"
    )


def attribute(gm: torch.fx.GraphModule, target: object) -> object:
    """What `get_attr` of a graph gets."""
    value: object = gm
    for part in str(target).split("."):
        value = getattr(value, part)
    return value


def _is_graph(gm: torch.fx.GraphModule, node: torch.fx.Node) -> bool:
    return node.op == "get_attr" and isinstance(attribute(gm, node.target), torch.fx.GraphModule)
