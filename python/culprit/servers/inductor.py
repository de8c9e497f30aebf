# SPDX-License-Identifier: Apache-2.0
"""Inductor: below autograd `compile_fx_inner`, and for captured graphs all of it (inductor_pipeline.py)."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch
import torch._inductor.codecache
import torch._inductor.config
import torch._inductor.mkldnn_lowerings
import torch.fx
from torch._dynamo.utils import detect_fake_mode
from torch._guards import TracingContext, tracing
from torch._inductor.compile_fx import compile_fx_inner
from torch._inductor.cpp_builder import get_cpp_compiler
from torch._inductor.cpu_vec_isa import supported_vec_isa_list, x86_isa_checker
from torch._inductor.fx_passes.joint_graph import joint_graph_passes
from torch._inductor.fx_passes.replace_random import replace_random_passes
from torch._inductor.virtualized import V
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.passes.fake_tensor_prop import FakeTensorProp

from culprit.servers import inductor_caches, inductor_fallbacks, inductor_options, inductor_switches
from culprit.servers.compiler import Compiler, Option, Refusal, Request, Switch
from culprit.servers.expand import expand
from culprit.servers.inductor_artefacts import kept
from culprit.servers.inductor_pipeline import Settings, compile_whole
from culprit.servers.kernels import Kernels
from culprit.servers.plain import plain_program
from culprit.servers.plain_inputs import NotPlain
from culprit.servers.switch_board import SwitchBoard
from culprit.servers.zygote import serve

_WITH_AUTOGRAD = """
def compiled(args):
    import torch._inductor.config
    torch._inductor.config.force_disable_caches = True
    return torch.compile(mod, fullgraph=True, dynamic={dynamic}, options={patch})

compiled.calls = 1
compiled.frozen = ()
"""

#: Entries of the configuration that `compile_fx` reads and hands on, since `compile_fx_inner` does not.
_HANDED_ON = ("cpp_wrapper", "fx_wrapper")

_BELOW_AUTOGRAD = """
def compiled(args):
    import torch._inductor.config
    from torch._inductor.compile_fx import compile_fx_inner
    from torch._inductor.decomposition import select_decomp_table
    from torch.fx.experimental.proxy_tensor import make_fx
    torch._inductor.config.force_disable_caches = True
    with torch.no_grad(), torch._inductor.config.patch({patch}):
        traced = make_fx(mod, decomposition_table=select_decomp_table(), tracing_mode='{tracing_mode}')(*args)
        inputs = [node.meta['val'] for node in traced.graph.find_nodes(op='placeholder')]
        model = compile_fx_inner(traced, inputs{keywords})
    return lambda *args: model(list(args))

compiled.calls = 1
compiled.frozen = ()
"""


class Inductor(Compiler):
    name = "inductor"
    line = "PyTorch's compiler behind torch.compile, in Python"
    graphs = ("aot", "captured", "below")
    gradients = True
    freezes_with = "freezing"
    symbols = True
    loggers = ("torch._inductor", "torch._functorch")

    def __init__(self) -> None:
        self._kernels: Kernels | None = None

    def versions(self) -> dict[str, str]:
        return {"torch": torch.__version__, "python": platform.python_version(), "c++": _cpp_compiler()}

    def options(self) -> Sequence[Option]:
        return inductor_options.describe()

    def switches(self) -> Sequence[Switch]:
        return inductor_switches.describe()

    def warm_up(self, folder: Path) -> None:
        torch.set_num_threads(1)
        with contextlib.suppress(ImportError):
            import tqdm

            tqdm.tqdm.monitor_interval = 0  # it is a thread
        torch._inductor.config.compile_threads = 1
        inductor_caches.turn_off()
        codecache = torch._inductor.codecache
        codecache._HEADER_DIR = str(folder / "precompiled_headers")
        codecache._HEADER_LOCK_DIR = str(folder / "precompiled_headers" / "locks")
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder)
        self._kernels = Kernels(folder / "kernels")
        _try_vector_instructions()
        self._compile_something()

    def _compile_something(self) -> None:
        """Patterns, tables, the precompiled header and the vector instructions are found out once."""
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        product = graph.call_function(torch.ops.aten.mul.Tensor, (x, x))
        total = graph.call_function(torch.ops.aten.sum.dim_IntList, (product, [1]))
        graph.output((product, total))
        with FakeTensorMode(allow_non_fake_inputs=True):
            fake = torch.empty(64, 64)
        module = torch.fx.GraphModule(torch.nn.Module(), graph)
        self.compile(Request(module, [fake], ["input"], graphs="below"))

    def in_python(self, options: dict[str, str], off: list[str], graphs: str, symbols: bool) -> str | None:
        # What is frozen is an attribute of a module there, and an input here.
        if off or inductor_fallbacks.OPTION in options or options.get(self.freezes_with) == "1":
            return None
        text = _BELOW_AUTOGRAD if graphs == "below" else _WITH_AUTOGRAD
        tracing_mode = "symbolic" if symbols else "fake"
        patch = inductor_options.read(options, "below" if graphs == "below" else "captured")
        keywords = "".join(f", {name}=True" for name in _HANDED_ON if patch.get(name))
        return text.format(patch=patch, dynamic=symbols, tracing_mode=tracing_mode, keywords=keywords)

    def in_plain_calls(self, script: str, options: dict[str, str], off: list[str]) -> str | None:
        if off or inductor_fallbacks.OPTION in options:
            raise Refusal("parts of the compiler are off")
        if options.get(self.freezes_with) == "1":
            raise Refusal("parameters are constants")
        try:
            return plain_program(script, inductor_options.read(options, "captured"))
        except NotPlain as reason:
            raise Refusal(str(reason)) from None

    def compile(self, request: Request) -> Callable[..., Sequence[Any]]:
        if request.folder is not None:
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(request.folder)
        mode = detect_fake_mode(request.inputs) or FakeTensorMode(allow_non_fake_inputs=True)
        start = time.monotonic()
        settings = self._settings(request)
        compiled = (
            compile_whole(request, mode, settings)
            if request.graphs == "captured"
            else _compile_below(request, mode, settings)
        )
        request.seconds["compile"] = time.monotonic() - start
        return compiled

    def _settings(self, request: Request) -> Settings:
        """Applications of switches are counted over all that is compiled with them."""
        patch = {**_threads(request), **inductor_options.read(request.options, request.graphs)}
        fallbacks = inductor_fallbacks.read(request.options)
        off = SwitchBoard(request.off)
        held = False

        @contextlib.contextmanager
        def settings() -> Iterator[None]:
            nonlocal held
            if held:
                # Where sizes are symbols, the backward graph is compiled while the forward one is.
                yield
                return
            held = True
            try:
                with (
                    torch._inductor.config.patch(patch),
                    inductor_switches.turned_off(off, fallbacks),
                    self._kernels.used() if self._kernels else contextlib.nullcontext(),
                ):
                    yield
            finally:
                held = False

        return settings


def _compile_below(request: Request, mode: FakeTensorMode, settings: Settings) -> Callable[..., Sequence[Any]]:
    with (
        torch.no_grad(),
        torch.autocast("cpu", enabled=False),
        settings(),
        kept(request, request.graph),
        V.set_fake_mode(mode),
        tracing(TracingContext(mode)),
    ):
        _keep_strides(request)
        expand(request.graph, request.inputs, mode)
        FakeTensorProp(request.graph, mode).propagate_dont_convert_inputs(*request.inputs)
        if request.stage == "inference":
            joint_graph_passes(request.graph)
        elif request.stage == "captured":
            # Without these, which come before in PyTorch, there is no way to lower random operators.
            replace_random_passes(request.graph)
        compiled = compile_fx_inner(
            request.graph,
            request.inputs,
            is_inference=request.stage in ("inference", "captured"),
            is_backward=request.stage == "backward",
            static_input_idxs=[i for i, kind in enumerate(request.kinds) if kind in ("parameter", "buffer")],
            **{name: True for name in _HANDED_ON if getattr(torch._inductor.config, name, False)},
        )

    def call(*inputs: Any) -> Sequence[Any]:
        with torch.no_grad():
            return compiled(list(inputs))

    return call


def _try_vector_instructions() -> None:
    """PyTorch compiles a program for each of them, one after the other, and keeps what came of it."""
    known = x86_isa_checker()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        list(threads.map(bool, (isa for isa in supported_vec_isa_list if set(str(isa).split()) <= set(known))))


def _threads(request: Request) -> dict[str, Any]:
    """Kernels are compiled side by side, by threads of the child: the process that forks has none."""
    return {"compile_threads": len(os.sched_getaffinity(0)) if request.folder is not None else 1}


def _cpp_compiler() -> str:
    with contextlib.suppress(Exception):  # without one it says so when it compiles
        command = [get_cpp_compiler(), "--version"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.partition("\n")[0]
    return "none"


def _keep_strides(request: Request) -> None:
    """Outputs have eager's strides, as those have that torch.compile shows to users. `compile_fx` says which they are."""
    entry = "bw_outputs_user_visible" if request.stage == "backward" else "keep_output_stride"
    output = next(iter(reversed(request.graph.graph.nodes)))
    keeps = getattr(torch._inductor.config, entry, True)
    output.meta["user_visible_output_idxs"] = list(range(len(output.args[0]))) if keeps else []


if __name__ == "__main__":
    serve(Inductor())
