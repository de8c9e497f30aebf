# SPDX-License-Identifier: Apache-2.0
"""A run of a model that leaves no trace in it: neither in its buffers, gradients and inputs nor in the generators."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch._dynamo.config
from torch.utils._pytree import tree_leaves, tree_map

Loss = Callable[[Any], torch.Tensor]


def run_copy(
    model: Callable[..., Any],
    inputs: Sequence[Any],
    keywords: Mapping[str, Any],
    compile: Callable[[Callable[..., Any]], Callable[..., Any]],
    loss: Loss | None,
) -> None:
    """Calls what `compile` makes of a copy of the model; and its backward pass if there are gradients to compute."""
    target = copy.deepcopy(model) if isinstance(model, torch.nn.Module) else model
    arguments, named = tree_map(_copy, (list(inputs), dict(keywords)))
    # A function that was compiled before, with other compilers, may be at Dynamo's limit.
    unlimited = torch._dynamo.config.patch(recompile_limit=1 << 30, accumulated_recompile_limit=1 << 30)
    with torch.random.fork_rng(), unlimited:
        result = compile(target)(*arguments, **named)
        scalar = (loss or _sum)(result)
        if isinstance(scalar, torch.Tensor) and scalar.requires_grad:
            scalar.backward()


def _copy(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().clone().requires_grad_(value.requires_grad)


def _sum(result: Any) -> torch.Tensor:
    """Depends on everything that has a gradient."""
    leaves = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    return sum((leaf.abs().sum() if leaf.is_complex() else leaf.sum() for leaf in leaves), torch.zeros(()))
