# SPDX-License-Identifier: Apache-2.0
"""The compilers that are watched: what they are called in a repro, and how they are run with others in the place of
what is below autograd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import torch
import torch.fx
from torch._dynamo.backends.common import AotAutograd
from torch._dynamo.backends.registry import lookup_backend

from culprit.live.options import Options

#: Compiles a graph that autograd has made.
Compile = Callable[..., Callable[..., Any]]


class Around(Protocol):
    """Put around a compiler below autograd: what it gives is called in its place."""

    def __call__(self, compile: Compile, kind: str | None = None) -> Compile:
        """`kind` is forward, backward or inference; nothing if the keywords of the call say it."""


class Compiler(Protocol):
    """A compiler behind torch.compile."""

    #: In a repro: for graphs as they were captured, and for those that autograd has made.
    captured_name: str
    split_name: str
    #: Whether it has autograd in front of it, so that there is something to put in the place of what is below.
    splits_graphs: bool
    #: Whether what one graph gives another may lie in memory otherwise than traced. A `view` is a `reshape` then.
    chooses_strides: bool

    def settings(self) -> AbstractContextManager[Any]:
        """What it is told, while it is asked about itself."""

    def draws_as_eager(self) -> bool:
        """Whether random operators draw the numbers that eager draws."""

    def run(self, gm: torch.fx.GraphModule, inputs: Sequence[Any], around: Around | None) -> Any:
        """Compiles a graph of Dynamo."""


class Inductor:
    splits_graphs = True
    chooses_strides = True

    def __init__(self, options: Options) -> None:
        from culprit.servers.inductor_options import has_no_effect

        # It knows what a mode means, and which options there are.
        wrapper = torch._TorchCompileInductorWrapper(options.mode, options.compiler_options, options.dynamic)
        self._patches = wrapper.config
        with self.settings():
            changed = _changed_options()

        def name_for(graphs: str) -> str:
            acting = {name: value for name, value in changed.items() if not has_no_effect(name, graphs)}
            return _spec("inductor", {"graphs": graphs, **acting})

        self.captured_name, self.split_name = name_for("captured"), name_for("below")

    def settings(self) -> AbstractContextManager[Any]:
        import torch._inductor.config

        return torch._inductor.config.patch(self._patches)

    def draws_as_eager(self) -> bool:
        import torch._inductor.config

        return bool(torch._inductor.config.fallback_random)

    def run(self, gm: torch.fx.GraphModule, inputs: Sequence[Any], around: Around | None) -> Any:
        from torch._inductor.compile_fx import compile_fx, compile_fx_inner

        if around is None:
            return compile_fx(gm, inputs, config_patches=self._patches)
        # The key of this cache does not say what memory a graph may write into (donated buffers).
        patches = {**self._patches, "fx_graph_cache": False, "fx_graph_remote_cache": False}
        return compile_fx(gm, inputs, inner_compile=around(compile_fx_inner), config_patches=patches)


class AotEager:
    """Autograd with nothing behind it: what shows here is not Inductor's."""

    splits_graphs = True
    chooses_strides = False

    def __init__(self, name: str = "aot-eager") -> None:
        """`name` is that of the compiler that is told of the graphs."""
        self.captured_name = self.split_name = name

    def settings(self) -> AbstractContextManager[Any]:
        return nullcontext()

    def draws_as_eager(self) -> bool:
        return True

    def run(self, gm: torch.fx.GraphModule, inputs: Sequence[Any], around: Around | None) -> Any:
        from functorch.compile import min_cut_rematerialization_partition
        from torch._dynamo.backends.debugging import boxed_nop

        compilers = _three(around, boxed_nop, boxed_nop, boxed_nop)
        return AotAutograd(
            **compilers,
            partition_fn=min_cut_rematerialization_partition,
            keep_inference_input_mutations=True,
        )(gm, inputs)


class Foreign:
    """Any other backend of Dynamo: a name, or the user's function."""

    chooses_strides = False

    def __init__(self, options: Options) -> None:
        self._function = lookup_backend(options.backend)
        self._keywords: dict[str, Any] = {}
        if options.mode not in (None, "default"):
            self._keywords["mode"] = options.mode
        if options.compiler_options:
            self._keywords["options"] = options.compiler_options
        self.captured_name = self.split_name = _plain_name(options.backend)
        self.splits_graphs = isinstance(self._function, AotAutograd)

    def settings(self) -> AbstractContextManager[Any]:
        return nullcontext()

    def draws_as_eager(self) -> bool:
        return False

    def run(self, gm: torch.fx.GraphModule, inputs: Sequence[Any], around: Around | None) -> Any:
        if around is None or not isinstance(self._function, AotAutograd):
            return self._function(gm, inputs, **self._keywords)
        given = self._function.kwargs
        forward = given["fw_compiler"]
        backward = given.get("bw_compiler") or forward
        inference = given.get("inference_compiler") or forward
        return AotAutograd(**{**given, **_three(around, forward, backward, inference)})(gm, inputs)


def make_compiler(options: Options) -> Compiler:
    if options.backend == "inductor":
        return Inductor(options)
    if options.backend == "aot_eager":
        return AotEager()
    return Foreign(options)


def _three(around: Around | None, forward: Compile, backward: Compile, inference: Compile) -> dict[str, Compile]:
    """For AotAutograd."""
    put = around or (lambda compile, kind: compile)
    return {
        "fw_compiler": put(forward, "forward"),
        "bw_compiler": put(backward, "backward"),
        "inference_compiler": put(inference, "inference"),
    }


def _plain_name(backend: str | Callable[..., Any]) -> str:
    name = backend if isinstance(backend, str) else getattr(backend, "__qualname__", type(backend).__qualname__)
    return "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in name)


def _spec(name: str, options: dict[str, str]) -> str:
    written = [f"{key}={value}" for key, value in options.items()]
    return name + (":" + ",".join(written) if written else "")


def _changed_options() -> dict[str, str]:
    """Those of Inductor that a file may name, where they are not as they are by default."""
    import torch._inductor.config as config

    from culprit.servers.inductor_options import describe

    # Not `_is_default`: an entry that is set to its default is changed to that.
    defaults = {name: entry.default for name, entry in config._config.items()}
    values = config.get_config_copy()
    return {
        option.name: option.default
        for option in describe()
        if option.is_harmless
        if option.name in values and values[option.name] != defaults[option.name]
    }
