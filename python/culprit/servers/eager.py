# SPDX-License-Identifier: Apache-2.0
"""Eager of this environment, which a compiler that was chosen together with its environment is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch.fx


def eager(module: torch.fx.GraphModule) -> Callable[..., Sequence[Any]]:
    """Operator by operator, recorded by autograd if the caller has it so."""

    def call(*inputs: Any) -> Sequence[Any]:
        return torch.fx.Interpreter(module).run(*inputs)

    return call
