# SPDX-License-Identifier: Apache-2.0
"""A compiler that takes a second and almost no processor, and is wrong where tanh reads what exp made."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from culprit.servers import Compiler, Request, serve

aten = torch.ops.aten


def spoil(module: torch.fx.GraphModule) -> None:
    for node in module.graph.nodes:
        operand = node.args[0] if node.args else None
        if node.target is aten.tanh.default and isinstance(operand, torch.fx.Node) and operand.target is aten.exp.default:
            node.target = aten.sin.default
    module.recompile()


class Sleepy(Compiler):
    name = "sleepy"
    line = "sleeps for a second"

    def compile(self, request: Request) -> Callable[..., Sequence[Any]]:
        time.sleep(1)
        spoil(request.graph)
        return request.graph


serve(Sleepy())
