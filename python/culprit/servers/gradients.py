# SPDX-License-Identifier: Apache-2.0
"""Calls whose gradients are asked for later: inputs with a history, and what autograd recorded behind them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from culprit.servers.compiler import Refusal


@contextlib.contextmanager
def modes(message: dict[str, Any]) -> Iterator[None]:
    """Whether operators are recorded and cast, as where the question comes from. An older Culprit does not say."""
    dtype = message.get("autocast")
    cast = torch.autocast("cpu", getattr(torch, dtype)) if dtype else contextlib.nullcontext()
    with torch.set_grad_enabled(bool(message.get("records"))), cast:
        yield


def requires_gradient(described: Any) -> bool:
    return isinstance(described, dict) and bool(described.get("requires_grad"))


def with_history(described: dict[str, Any], tensor: torch.Tensor) -> torch.Tensor:
    """Gives the leaf that the gradient of `tensor` arrives in. `tensor` is that leaf, or has come from an operator,
    as described: only then it may be written into."""
    if described["leaf"]:
        return tensor.requires_grad_()
    if tensor._is_view():
        raise Refusal("an input that is conjugated or negated and comes from an operator requires a gradient")
    leaf = tensor.detach().requires_grad_()
    with torch.enable_grad():
        _Arrival.apply(leaf, [tensor])
    return leaf


class _Arrival(torch.autograd.Function):
    """Makes a tensor, which is in a list, the result of an operator on another one."""

    @staticmethod
    def forward(ctx: Any, leaf: torch.Tensor, held: list[torch.Tensor]) -> torch.Tensor:
        return held[0]

    @staticmethod
    def backward(ctx: Any, *tangents: Any) -> Any:
        return tangents[0], None


class Recording:
    """One call."""

    def __init__(self, described: Sequence[Any], inputs: list[Any]) -> None:
        """`inputs` get a history where they are described with one."""
        pairs = zip(described, inputs, strict=True)
        self._leaves = [with_history(about, value) for about, value in pairs if requires_gradient(about)]
        self._inputs = inputs
        self._before = [_history_of(value) for value in inputs]
        self._differentiable: list[torch.Tensor] = []

    def end(self, outputs: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Gives the values to send: the outputs, and then inputs that have become the result of operators; and what is
        to say about them."""
        written = [i for i, value in enumerate(self._inputs) if _history_of(value) != self._before[i]]
        values = [*outputs, *(self._inputs[i] for i in written)]
        places = {id(value): i for i, value in enumerate(self._inputs) if isinstance(value, torch.Tensor)}
        same = {i: places[id(value)] for i, value in enumerate(outputs) if id(value) in places}
        differentiable = [i for i, value in enumerate(values) if i not in same and _requires_grad(value)]
        self._differentiable = [values[i] for i in differentiable]
        # Only the leaves and the outputs are needed from now on.
        self._inputs, self._before = [], []
        return values, {
            "differentiable": differentiable,
            "written": [[i, len(outputs) + n] for n, i in enumerate(written)],
            "same": [[i, place] for i, place in same.items()],
        }

    def gradients(self, tangents: Sequence[Any], wanted: Sequence[bool], keep: bool) -> list[Any]:
        """One per input that requires a gradient. `keep`: it may be asked again."""
        leaves = [leaf for leaf, is_wanted in zip(self._leaves, wanted, strict=True) if is_wanted]
        pairs = [pair for pair in zip(self._differentiable, tangents, strict=True) if pair[1] is not None]
        if not leaves or not pairs:
            return [None] * len(wanted)
        outputs, given = zip(*pairs, strict=True)
        found = iter(torch.autograd.grad(outputs, leaves, given, retain_graph=keep, allow_unused=True))
        return [next(found) if is_wanted else None for is_wanted in wanted]


def _requires_grad(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad


def _history_of(value: Any) -> Any:
    return value.grad_fn if isinstance(value, torch.Tensor) else None
