# SPDX-License-Identifier: Apache-2.0
"""The graphs of a model, written down with their inputs instead of compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch._functorch.config
import torch.fx
from torch.utils._python_dispatch import _disable_current_modes

from culprit._culprit import CapturedGraph
from culprit.live.below_autograd import kind_of
from culprit.live.compilers import Compile, Compiler
from culprit.live.graph_text import captured_graph
from culprit.live.names import next_name


class Recorder:
    """A backend of torch.compile: what the compiler would get below autograd runs as it is, and is a file at its first
    call."""

    def __init__(self, compiler: Compiler, folder: Path) -> None:
        self._compiler = compiler
        self._folder = folder
        self._name = ""
        #: In the order of their first calls.
        self.files: list[Path] = []
        #: Graphs that no file can hold, with the reason.
        self.refused: list[tuple[str, str]] = []

    def __call__(self, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> Any:
        self._name = next_name()
        with torch._functorch.config.patch(enable_autograd_cache=False, donated_buffer=False):
            return self._compiler.run(gm, inputs, self._around)

    def _around(self, compile: Compile, kind: str | None = None) -> Compile:
        def record(gm: torch.fx.GraphModule, inputs: Sequence[Any], **keywords: Any) -> Callable[..., Any]:
            name = f"{self._name}_{kind or kind_of(keywords)}"
            return _RecordedGraph(gm, self._read(name, gm, inputs), self._folder / f"{name}.py", self)

        return record

    def _read(self, name: str, gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> CapturedGraph | None:
        try:
            with _disable_current_modes():
                return captured_graph(name, gm, inputs)
        except Exception as error:
            self.refused.append((name, str(error)))
            return None

    def write(self, graph: CapturedGraph, file: Path, inputs: list[Any]) -> None:
        try:
            graph.write(str(file), self._compiler.split_name, inputs)
            self.files.append(file)
        except Exception as error:
            self.refused.append((file.stem, str(error)))


class _RecordedGraph:
    """What a compiler returns."""

    def __init__(
        self, gm: torch.fx.GraphModule, graph: CapturedGraph | None, file: Path, recorder: Recorder
    ) -> None:
        self._boxed_call = True
        self._gm = gm
        self._graph = graph
        self._file = file
        self._recorder = recorder

    def __call__(self, inputs: list[Any]) -> Any:
        values = list(inputs)
        inputs.clear()
        if self._graph is not None:
            self._recorder.write(self._graph, self._file, values)
            self._graph = None
        return self._gm(*values)
