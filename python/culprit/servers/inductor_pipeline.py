# SPDX-License-Identifier: Apache-2.0
"""Inductor as a whole: `compile_fx`, with passes before gradients, AOTAutograd, its decompositions and partitioner,
passes over the joint graph, freezing, and then the compiler of the forward, the backward or the inference graph."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import torch
import torch.fx
from torch._guards import TracingContext, tracing
from torch._inductor import compile_fx as pipeline
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from culprit.servers.compiler import Refusal, Request
from culprit.servers.inductor_artefacts import kept
from culprit.servers.phases import phase

#: What is called by these names in the module of `compile_fx`, and how the phase is called. An inner one counts.
_PHASES = {
    "run_pre_grad_passes": "passes before gradients",
    "_recursive_joint_graph_passes": "passes over the joint graph",
    "partition_fn": "the partitioner",
    "fw_compiler_freezing": "freezing",
}
_OTHERWISE = "autograd and functionalisation"

#: Gives what has to hold while Inductor compiles a graph: options, switches, caches. Within itself it gives nothing more.
Settings = Callable[[], AbstractContextManager[Any]]


def compile_whole(request: Request, mode: FakeTensorMode, settings: Settings) -> Callable[..., Sequence[Any]]:
    """Gradients are recorded if they are recorded now. A backward graph is compiled when it is first called, or at once
    where sizes are symbols."""
    graph, taken = _with_frozen(request)
    inputs = [request.inputs[i] for i in taken]
    inner = functools.partial(_compile_inner, request, settings)
    if not _records(inputs) and request.options.get("freezing") == "1":
        # Whether a graph without gradients runs under no_grad is all that decides about it.
        grad: AbstractContextManager[Any] = torch.no_grad()
    else:
        grad = contextlib.nullcontext()
    with settings(), _named_phases(), tracing(TracingContext(mode)), grad, phase(_OTHERWISE):
        compiled = pipeline.compile_fx(graph, inputs, inner_compile=inner)

    def call(*values: Any) -> Sequence[Any]:
        return compiled(*(values[i] for i in taken))

    return call


def _records(inputs: Sequence[Any]) -> bool:
    return torch.is_grad_enabled() and any(isinstance(one, torch.Tensor) and one.requires_grad for one in inputs)


def _compile_inner(
    request: Request, settings: Settings, gm: torch.fx.GraphModule, inputs: Sequence[Any], **how: Any
) -> Any:
    if not how.get("is_backward"):
        with kept(request, gm), phase("the forward compiler"):
            return pipeline.compile_fx_inner(gm, inputs, **how)
    # `compile_fx` has ended long since, unless sizes are symbols.
    with settings(), kept(request, gm, "backward_"), phase("the backward compiler"):
        return pipeline.compile_fx_inner(gm, inputs, **how)


@contextlib.contextmanager
def _named_phases() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for function, name in _PHASES.items():
            stack.enter_context(mock.patch.object(pipeline, function, _in_phase(getattr(pipeline, function), name)))
        yield


def _in_phase(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def in_phase(*values: Any, **keywords: Any) -> Any:
        with phase(name):
            return function(*values, **keywords)

    return in_phase


def _with_frozen(request: Request) -> tuple[torch.fx.GraphModule, list[int]]:
    """Inputs whose numbers are known are parameters of the module, where freezing looks for them. Gives the others'
    positions, too."""
    graph = request.graph
    freezes = request.options.get("freezing") == "1"
    if freezes and _records(request.inputs):
        raise Refusal("option 'freezing' acts on graphs without gradients, and this one records some")
    taken = []
    for i, node in enumerate(list(graph.graph.find_nodes(op="placeholder"))):
        value = request.inputs[i]
        if not freezes or not isinstance(value, torch.Tensor) or isinstance(value, FakeTensor):
            taken.append(i)
            continue
        name = f"frozen_{i}"
        graph.register_buffer(name, value)
        with graph.graph.inserting_before(node):
            node.replace_all_uses_with(graph.graph.get_attr(name))
        graph.graph.erase_node(node)
    graph.recompile()
    return graph, taken
