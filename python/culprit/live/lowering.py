# SPDX-License-Identifier: Apache-2.0
"""A graph of Dynamo as operators that a repro can hold.

Dynamo captures calls of functions, methods and modules of Python. They run here on fakes, and what they call of ATen is
recorded, writes included, with autograd in front of it: gradients of the record are those of the graph. What autograd
does not see is written out, since the record has no modes: casts of autocast, and `detach` where the graph stops to
record gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.fx
from torch._dispatch.python import enable_python_dispatcher
from torch._guards import TracingContext
from torch._ops import HigherOrderOperator
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.traceback import preserve_node_meta
from torch.utils._pytree import tree_map_only

from culprit._culprit import Refusal
from culprit.live.higher_order import attribute, refusal

#: Its body runs as it is: what backward computes anew is a matter of memory.
_CHECKPOINT = torch.ops.higher_order.tag_activation_checkpoint


def lowered(gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> torch.fx.GraphModule:
    """While Dynamo compiles. Sizes that are symbols stay symbols. Raises Refusal, or what a function of the graph raises."""
    _check(gm)
    mode = TracingContext.get().fake_mode
    if mode is None or mode.shape_env is None:
        raise Refusal("Dynamo has no fakes of its inputs")
    fakes = [_fake(mode, value) for value in inputs]

    def run(*values: Any) -> Any:
        return _Recorded(gm).run(*values)

    with (
        # The guards of the program are for Dynamo and its compiler to make.
        mode.shape_env.suppress_guards(),
        # The graph may end in another one.
        torch.set_grad_enabled(torch.is_grad_enabled()),
        # Operators know the lines of the program.
        preserve_node_meta(),
        mode,
        enable_python_dispatcher(),
    ):
        return make_fx(run)(*fakes)


def _check(gm: torch.fx.GraphModule) -> None:
    for node in gm.graph.nodes:
        if isinstance(node.target, HigherOrderOperator) and node.target is not _CHECKPOINT:
            raise refusal(node.target)
        if node.op == "get_attr" and isinstance(value := attribute(gm, node.target), torch.Tensor):
            raise Refusal(f"'{node.target}' is a tensor of the graph of shape {tuple(value.shape)}, and no input")
        if node.op == "call_module" and not isinstance(gm.get_submodule(str(node.target)), torch.fx.GraphModule):
            raise Refusal(f"'{node.target}' is a module with a state of its own")
    for child in gm.children():
        if isinstance(child, torch.fx.GraphModule):
            _check(child)


def _fake(mode: FakeTensorMode, value: Any) -> Any:
    """As AOTAutograd is about to see it, but one of its own: what runs here may change it."""
    if not isinstance(value, torch.Tensor):
        return value
    if isinstance(value, FakeTensor):
        fake = value
    elif type(value) in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer):
        context: Any = TracingContext.get().tensor_to_context.get(value)
        if context is None:
            raise Refusal("an input is none that Dynamo knows")
        fake = mode.from_tensor(value, symbolic_context=context, source=context.tensor_source, trace=False)
    else:
        raise Refusal(f"an input is a {type(value).__qualname__}")
    if fake.layout != torch.strided:
        raise Refusal(f"an input is {fake.layout}")
    with fake.fake_mode, torch.enable_grad():
        leaf = _empty_as(fake).requires_grad_(fake.requires_grad)
        if fake.is_leaf:
            return leaf
        # What has come from an operator may be written into.
        return _empty_as(fake).copy_(leaf)


def _empty_as(fake: torch.Tensor) -> torch.Tensor:
    return torch.empty_strided(fake.size(), fake.stride(), dtype=fake.dtype, device=fake.device)


class _Recorded(torch.fx.Interpreter):
    """Runs a graph where it is recorded."""

    def __init__(self, gm: torch.fx.GraphModule) -> None:
        super().__init__(gm, garbage_collect_values=False)
        self._records = torch.is_grad_enabled()
        #: By the identity of what stands for them where no gradients are recorded.
        self._originals: dict[int, torch.Tensor] = {}
        #: So that no identity is given twice.
        self._alive: list[torch.Tensor] = []

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        if target is _CHECKPOINT:
            body, *arguments = args
            return _Recorded(body).run(*arguments)
        return self._call(super().call_function, target, args, kwargs)

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self._call(super().call_method, target, args, kwargs)

    def _call(self, call: Any, target: Any, args: Any, kwargs: Any) -> Any:
        if torch.is_grad_enabled() and not self._records:
            raise Refusal("it records gradients although the program does not")
        if torch.is_grad_enabled() == self._records:
            return call(target, args, kwargs)
        args, kwargs = tree_map_only(torch.Tensor, self._detached, (args, kwargs))
        result = call(target, args, kwargs)
        # What has been written stays what it was.
        return tree_map_only(torch.Tensor, lambda tensor: self._originals.get(id(tensor), tensor), result)

    def _detached(self, tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.requires_grad:
            return tensor
        detached = tensor.detach()
        self._originals[id(detached)] = tensor
        self._alive.append(detached)
        return detached
