# SPDX-License-Identifier: Apache-2.0
"""culprit.hunt(model, x): what `culprit hunt` does, for a model of Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from culprit.jobs.command import EagerError, run_command
from culprit.jobs.found import GraphResult, HuntResult
from culprit.jobs.recording import Recorder
from culprit.jobs.running import Loss, run_copy
from culprit.live.compilers import AotEager, Compiler, Inductor
from culprit.live.options import read_options


def hunt(
    model: Callable[..., Any],
    *inputs: Any,
    backend: str = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    dynamic: bool | None = None,
    fullgraph: bool = False,
    keywords: Mapping[str, Any] | None = None,
    loss: Loss | None = None,
    every: bool = False,
    out: str | Path = "culprit_runs",
    arguments: Sequence[str] = (),
    quiet: bool = False,
) -> HuntResult:
    """Finds out whether a compiler fails on a model, and makes what fails as small as possible.

    A copy of the model is called once, as it is, and its backward pass if an output has gradients; nothing of the model
    changes. Each graph below autograd, with its inputs, is then hunted in a process of its own, until one fails.

    backend: what Culprit calls a compiler: `culprit backends` lists them.
    mode, options, dynamic, fullgraph: as of torch.compile; options are Inductor's.
    keywords: of the call of the model.
    loss: makes a scalar of what the model returns; without it, the sum of everything that has a gradient.
    every: hunt in every graph, instead of up to the first that fails.
    out: where the folders of the runs are made.
    arguments: more of `culprit hunt`, as in ["--max-time", "60"].
    """
    compiler = _compiler(backend, mode, options, dynamic)
    folder = Path(out) / f"{time.strftime('%Y%m%dT%H%M%S')}-graphs"
    recorder = Recorder(compiler, folder)

    def compile(target: Callable[..., Any]) -> Callable[..., Any]:
        return torch.compile(target, backend=recorder, dynamic=dynamic, fullgraph=fullgraph)

    run_copy(model, inputs, keywords or {}, compile, loss)
    results: list[GraphResult] = []
    for file in recorder.files:
        if results and results[-1].failed and not every:
            break
        results.append(_hunt_in(file, [*arguments, "--out", str(out)], quiet))
    return HuntResult(results, recorder.files[len(results) :], recorder.refused)


def _compiler(
    backend: str, mode: str | None, options: Mapping[str, Any] | None, dynamic: bool | None
) -> Compiler:
    if backend == "inductor":
        return Inductor(read_options(mode, {"options": dict(options or {}), "dynamic": dynamic}))
    if mode is not None or options:
        raise ValueError(f"mode and options are Inductor's; those of {backend} stand behind its name: {backend}:key=value")
    return AotEager(backend)


def _hunt_in(file: Path, arguments: Sequence[str], quiet: bool) -> GraphResult:
    try:
        return GraphResult(file.stem, file, run_command(["hunt", str(file), *arguments], quiet))
    except EagerError as error:
        return GraphResult(file.stem, file, invalid=str(error))
