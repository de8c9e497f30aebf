# SPDX-License-Identifier: Apache-2.0
"""The backend `culprit` of torch.compile: another one, watched."""

from __future__ import annotations

import atexit
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch._functorch.config
import torch.fx

from culprit import _culprit
from culprit._culprit import Point
from culprit.live.above_autograd import AboveAutograd
from culprit.live.below_autograd import BelowAutograd
from culprit.live.compilers import make_compiler
from culprit.live.names import next_name
from culprit.live.options import Options, read_options
from culprit.live.requests import REQUESTS

_culprit.set_requests(REQUESTS)
# Dynamo keeps what is compiled to the end of the process.
atexit.register(_culprit.close_records)


def watched(
    gm: torch.fx.GraphModule,
    inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """What torch.compile(backend="culprit") calls for each graph of Dynamo."""
    return WatchedCompiler(read_options(mode, options))(gm, inputs)


class WatchedCompiler:
    """Raises ValueError for options that there are not."""

    def __init__(self, options: Options) -> None:
        self._compiler = make_compiler(options)
        names = (self._compiler.captured_name, self._compiler.split_name, self._compiler.splits_graphs)
        self._program = _program(*names, options.settings)

    def __call__(self, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        if self._program.is_idle:
            return self._compiler.run(gm, inputs, None)
        name = next_name()

        def compile(graph: torch.fx.GraphModule) -> Callable[..., Any]:
            if not self._is_watched_below():
                return self._compiler.run(graph, inputs, None)
            below = BelowAutograd(self._program, self._compiler, name)
            with torch._functorch.config.patch(self._settings_of_autograd()):
                return self._compiler.run(graph, inputs, below.around)

        if not self._is_watched_above():
            return compile(gm)
        return AboveAutograd(self._program, self._compiler, name).compile(gm, inputs, compile)

    def _is_watched_above(self) -> bool:
        is_captured = self._program.watches(Point.capture) or self._is_on("verify_correctness")
        return is_captured or not self._compiler.splits_graphs

    def _is_watched_below(self) -> bool:
        if not self._compiler.splits_graphs:
            return False
        is_changed = self._is_on("suppress_errors") or self._program.setting("faults") != ""
        return is_changed or self._program.watches(Point.aot)

    def _is_on(self, setting: str) -> bool:
        return self._program.setting(setting) == "true"

    def _settings_of_autograd(self) -> dict[str, bool]:
        # A compilation that comes out of this cache is one that nobody watches.
        settings = {"enable_autograd_cache": False}
        if self._program.setting("repro_level") == "4":
            # Backward graphs may use the memory of what forward has saved for results. Then nobody could tell whether an
            # input was written by mistake, nor run the graph on it again.
            settings["donated_buffer"] = False
        return settings


@functools.cache
def _program(
    captured: str, split: str, splits_graphs: bool, settings: tuple[tuple[str, str], ...]
) -> _culprit.Program:
    rank, size = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "0"))
    return _culprit.Program(captured, split, splits_graphs, settings, rank, size)
