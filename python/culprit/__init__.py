# SPDX-License-Identifier: Apache-2.0
"""Culprit finds out why a tensor compiler crashes or gives wrong numbers.

    fast = torch.compile(model, backend="culprit", options={"level": 4})

The first failure of the compiler leaves a repro. Nothing here imports PyTorch before it is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from culprit.errors import AccuracyError, BackendCompilerFailed, Failure
    from culprit.jobs.explain import explain
    from culprit.jobs.hunt import hunt
    from culprit.jobs.minify import minify
    from culprit.live.reroute import watch

__all__ = ["AccuracyError", "BackendCompilerFailed", "Failure", "explain", "hunt", "minify", "watch"]

#: Where each name is.
_MODULES = {
    "AccuracyError": "errors",
    "BackendCompilerFailed": "errors",
    "Failure": "errors",
    "explain": "jobs.explain",
    "hunt": "jobs.hunt",
    "minify": "jobs.minify",
    "watch": "live.reroute",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'culprit' has no attribute '{name}'")
    return getattr(importlib.import_module(f"culprit.{_MODULES[name]}"), name)
