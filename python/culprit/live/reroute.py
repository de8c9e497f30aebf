# SPDX-License-Identifier: Apache-2.0
"""Programs that do not name Culprit: what torch.compile compiles is watched all the same.

Every torch.compile ends in one of two small classes of PyTorch's, one for Inductor and one for all other backends. While
somebody watches, their calls come here.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from culprit.live.options import COMPILER_OPTIONS, read_options
from culprit.live.say import say

#: Options as of torch.compile(backend="culprit"), of each thread.
_here = threading.local()
_is_everywhere = False


@contextmanager
def watch(**options: Any) -> Iterator[None]:
    """What this thread compiles until the end is watched: culprit.watch(after="aot", level=4).

    Options are those of torch.compile(backend="culprit"), without those of the compiler: it is the program's.
    """
    for name in COMPILER_OPTIONS:
        if name in options:
            raise TypeError(f"culprit.watch() has no option '{name}': the program names its compiler itself")
    outer = getattr(_here, "options", None)
    read_options(None, {**(outer or {}), **options})  # raises what is wrong with them
    _reroute()
    _here.options = {**(outer or {}), **options}
    try:
        yield
    finally:
        _here.options = outer


def watch_everything() -> None:
    """For `culprit exec`: all threads, to the end of the process, as the environment says."""
    global _is_everywhere
    _take_over_from_pytorch()
    read_options(None, {})
    _is_everywhere = True
    _reroute()


def _take_over_from_pytorch() -> None:
    """TORCHDYNAMO_REPRO_AFTER and _LEVEL mean the same here, for processes that this one starts, too."""
    given = []
    for name in ("REPRO_AFTER", "REPRO_LEVEL"):
        if value := os.environ.pop(f"TORCHDYNAMO_{name}", ""):
            os.environ.setdefault(f"CULPRIT_{name}", value)
            given.append(f"TORCHDYNAMO_{name}={value}")
    if given:
        say(f"{' '.join(given)}: Culprit watches in the place of PyTorch's own minifier, which is off")


def _options() -> dict[str, Any] | None:
    """Nothing if nobody watches."""
    here = getattr(_here, "options", None)
    return {} if here is None and _is_everywhere else here


@functools.cache
def _reroute() -> None:
    for wrapper, describe in (
        (torch._TorchCompileInductorWrapper, _of_inductor),
        (torch._TorchCompileWrapper, _of_other_backend),
    ):
        wrapper.__call__ = _rerouted(wrapper.__call__, describe)


def _of_inductor(wrapper: Any, config_patches: dict[str, Any] | None = None) -> dict[str, Any]:
    # DistributedDataParallel adds to what the program says.
    return {"backend": "inductor", "options": {**wrapper.config, **(config_patches or {})}}


def _of_other_backend(wrapper: Any) -> dict[str, Any]:
    from torch._dynamo.backends.registry import _COMPILER_FNS

    is_known = _COMPILER_FNS.get(wrapper.compiler_name) is wrapper.compiler_fn
    return {"backend": wrapper.compiler_name if is_known else wrapper.compiler_fn, **wrapper.kwargs}


def _rerouted(call: Callable[..., Any], describe: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    @functools.wraps(call)
    def compile_graph(wrapper: Any, gm: Any, inputs: Sequence[Any], **keywords: Any) -> Any:
        options = _options()
        if options is None or wrapper.compiler_name == "culprit":
            return call(wrapper, gm, inputs, **keywords)
        # Not before: it loads torch._dynamo.
        from culprit.live import backend

        try:
            described = describe(wrapper, **keywords)
            compile = backend.WatchedCompiler(read_options(None, {**options, **described}))
        except Exception as error:
            say(f"error: a graph is not watched: {error}")
            return call(wrapper, gm, inputs, **keywords)
        return compile(gm, inputs)

    return compile_graph
