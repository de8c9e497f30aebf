# SPDX-License-Identifier: Apache-2.0
"""The point `aot`: each graph that the compiler itself gets, forward, backward and inference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch.fx
from torch.utils._python_dispatch import _disable_current_modes

from culprit._culprit import CapturedGraph, Point, Program
from culprit.live.compilers import Compile, Compiler
from culprit.live.graph_text import captured_graph, with_reshapes


class BelowAutograd:
    """Of one graph of Dynamo."""

    def __init__(self, program: Program, compiler: Compiler, name: str) -> None:
        self._program = program
        self._compiler = compiler
        self._name = name

    def around(self, compile: Compile, kind: str | None = None) -> Compile:
        """As compilers.Around."""

        def compile_watched(gm: torch.fx.GraphModule, inputs: Sequence[Any], **keywords: Any) -> Any:
            name = f"{self._name}_{kind or kind_of(keywords)}"
            return self._compile(name, gm, inputs, lambda: compile(gm, inputs, **keywords))

        return compile_watched

    def _compile(
        self, name: str, gm: torch.fx.GraphModule, inputs: Sequence[Any], compile: Callable[[], Any]
    ) -> Any:
        graph = self._read(name, gm, inputs)
        if graph is None:
            return compile()
        return self._program.compile(Point.aot, graph, compile, self._compiler.draws_as_eager(), False, None)

    def _read(self, name: str, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> CapturedGraph | None:
        """Whatever goes wrong here is no reason for the program to stop."""
        try:
            # What is computed here is not for the tracers of the program.
            with _disable_current_modes():
                return captured_graph(name, with_reshapes(gm) if self._compiler.chooses_strides else gm, inputs)
        except Exception as error:
            self._program.warn(f"{name} is not watched: {error}")
            return None


def kind_of(keywords: dict[str, Any]) -> str:
    """Of the graph that Inductor's pipeline hands on with these keywords."""
    if keywords.get("is_backward"):
        return "backward"
    return "inference" if keywords.get("is_inference") else "forward"
