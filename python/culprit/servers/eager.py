# SPDX-License-Identifier: Apache-2.0
"""Eager of this environment, which a compiler that was chosen together with its environment is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.fx


def eager(module: torch.fx.GraphModule) -> Callable[..., Sequence[Any]]:
    """Operator by operator; gradients are Culprit's own affair."""

    def call(*inputs: Any) -> Sequence[Any]:
        with torch.no_grad():
            return torch.fx.Interpreter(module).run(*inputs)

    return call
