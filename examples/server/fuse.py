# SPDX-License-Identifier: Apache-2.0
"""A compiler with one pass and one mistake: x + y * z becomes addcmul(x, y, z), whatever alpha the addition has."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from culprit.servers import Compiler, Request, Switch, serve

aten = torch.ops.aten


def fuse(module: torch.fx.GraphModule) -> None:
    for node in module.graph.nodes:
        if node.target is not aten.add.Tensor:
            continue
        product = node.args[1]
        if isinstance(product, torch.fx.Node) and product.target is aten.mul.Tensor:
            node.target = aten.addcmul.default
            node.args = (node.args[0], *product.args)
            node.kwargs = {}
    module.recompile()


class Fuse(Compiler):
    name = "fuse"
    line = "multiplications that are added"

    def switches(self) -> Sequence[Switch]:
        return [Switch("addcmul", "x + y * z becomes one operator")]

    def compile(self, request: Request) -> Callable[..., Sequence[Any]]:
        if "addcmul" not in request.off:
            fuse(request.graph)
        return request.graph


serve(Fuse())
