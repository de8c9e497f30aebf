# SPDX-License-Identifier: Apache-2.0
"""A compiler that takes a second and almost no processor, and computes tanh wrongly where there is an exp."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from culprit.servers import Compiler, Request, serve

aten = torch.ops.aten


def spoil(module: torch.fx.GraphModule) -> None:
    if not any(node.target is aten.exp.default for node in module.graph.nodes):
        return
    for node in module.graph.nodes:
        if node.target is aten.tanh.default:
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
