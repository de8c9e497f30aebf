# SPDX-License-Identifier: Apache-2.0
"""The point `dynamo`: each graph as Dynamo has captured it.

The program is compared with that graph itself, run in eager. The same graph as operators of ATen (lowering.py) is what a
repro holds, and tells which inputs are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.fx
from torch._dynamo.exc import BackendCompilerFailed
from torch.utils._python_dispatch import _disable_current_modes

from culprit._culprit import CapturedGraph, LiveGraph, Point, Program
from culprit.live.compilation import Compilation
from culprit.live.compilers import Compiler
from culprit.live.graph_text import captured_graph
from culprit.live.lowering import lowered
from culprit.live.requests import REQUESTS


class AboveAutograd:
    """Of one graph of Dynamo."""

    def __init__(self, program: Program, compiler: Compiler, name: str) -> None:
        self._program = program
        self._compiler = compiler
        self._name = f"{name}_captured"

    def compile(
        self,
        gm: torch.fx.GraphModule,
        inputs: Sequence[Any],
        compile: Callable[[torch.fx.GraphModule], Callable[..., Any]],
    ) -> Callable[..., Any]:
        """What `compile` gives for a copy of the graph, watched at the points of the program."""
        graph = self._read(gm, inputs)
        if graph is None:
            return compile(gm)
        original = _Original(gm)
        compilation = Compilation()
        with self._compiler.settings():
            draws_as_eager = self._compiler.draws_as_eager()

        def watched(point: Point, inner: Callable[[], Callable[..., Any]]) -> LiveGraph:
            return self._program.compile(point, graph, inner, draws_as_eager, True, original)

        def innermost() -> Callable[..., Any]:
            with compilation.resumed():
                compiled = compile(copied(gm))
            # AOTAutograd's result says `_boxed_call`, and is called as Dynamo calls.
            return lambda *values: compiled(*values)

        def lower() -> Callable[..., Any]:
            return innermost() if self._compiler.splits_graphs else watched(Point.aot, innermost)

        try:
            with compilation.aside():
                return _unboxed(watched(Point.capture, lower))
        except (*REQUESTS, BackendCompilerFailed):
            raise
        except Exception as error:
            # Dynamo makes failures to compile of what is raised now.
            return _raising(error)

    def _read(self, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> CapturedGraph | None:
        """Whatever goes wrong here is no reason for the program to stop."""
        try:
            # What is computed here is not for the tracers of the program.
            with _disable_current_modes():
                return captured_graph(self._name, lowered(gm, inputs), inputs)
        except Exception as error:
            self._program.warn(f"{self._name} is not watched: {error}")
            return None


def copied(gm: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """Compilers change the graph that they are given."""
    graph = torch.fx.Graph()
    nodes: dict[torch.fx.Node, torch.fx.Node] = {}
    graph.output(graph.graph_copy(gm.graph, nodes))
    for node, copy in nodes.items():
        # What Dynamo says about a node beside `meta`.
        if hasattr(node, "_dynamo_source"):
            copy._dynamo_source = node._dynamo_source  # type: ignore[attr-defined]
    module = torch.fx.GraphModule(gm, graph)
    for name, value in vars(gm).items():
        module.__dict__.setdefault(name, value)
    module.meta = dict(gm.meta)
    return module


class _Original:
    """The graph in eager. It leaves the modes of the thread as they are, and nothing in the cache of autocast: what was
    cast while no gradients are recorded is not for the program."""

    def __init__(self, gm: torch.fx.GraphModule) -> None:
        self._gm = copied(gm)
        for node in self._gm.graph.find_nodes(op="call_function", target=torch.amp.autocast_mode._enter_autocast):
            node.args = (*node.args[:3], False)
        self._gm.recompile()

    def __call__(self, *inputs: Any) -> Any:
        with torch.set_grad_enabled(torch.is_grad_enabled()):
            # Not the module itself, which prints what it throws.
            return self._gm.forward(*inputs)


def _unboxed(live: LiveGraph) -> Callable[..., Any]:
    def call(*inputs: Any) -> tuple[Any, ...]:
        return live(list(inputs))

    return call


def _raising(error: Exception) -> Callable[..., Any]:
    def call(*_: Any) -> Any:
        raise error

    return call
