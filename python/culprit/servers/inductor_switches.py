# SPDX-License-Identifier: Apache-2.0
"""Parts of Inductor that can be turned off: `inductor:off=fusion`, `inductor:off=lowerings@3`.

Those of PyTorch's own CompilerBisector are counted where it counts them. Settings are off as a whole: there is
one application of each.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Container, Iterator
from typing import Any
from unittest import mock

import torch._functorch.config
import torch._inductor.config
from torch._inductor import graph
from torch._inductor.compiler_bisector import CompilerBisector
from torch._inductor.pattern_matcher import LoweringPatternEntry
from torch._inductor.scheduler import Scheduler
from torch._inductor.virtualized import V
from torch.fx.passes.graph_transform_observer import GraphTransformObserver

from culprit.servers.compiler import Switch
from culprit.servers.switch_board import SwitchBoard

_FUSION = "fusion"
_ONEDNN = "onednn_fusions"
_CSE = "cse"
_DECOMPOSITION = "decomposition"

#: Names of CompilerBisector, but for those of GPUs. The first two act on captured graphs alone.
_BISECTED = {
    "pre_grad_passes": "one pass over a captured graph, before autograd",
    _DECOMPOSITION: "an operator of a captured graph in terms of others",
    "joint_graph_passes": "one pass over the joint graph, or an inference graph",
    "post_grad_passes": "one pass over the graph",
    "lowerings": "an operator as loops; without it eager's kernel is called",
}

#: Passes over the graph, by the name that Inductor gives them.
_PASSES = {
    "reinplacing": ("an operator writes into its operand", "reinplace_inplaceable_ops"),
    "constant_folding": ("tensors of one number, in inference graphs", "constant_fold_uniform_value"),
    "noop_removal": ("operators that do nothing", "remove_noop_ops"),
    "pass_pattern_1": ("the second group of patterns of operators", "pass_pattern_1"),
    "pass_pattern_2": ("the last group of patterns", "pass_pattern_2"),
}

_SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "vectorisation": ("vector instructions in loops", {"cpp.simdlen": 1}),
    "loop_tail_vectorisation": ("vector instructions in what is left of a loop", {"cpp.enable_loop_tail_vec": False}),
    "parallel_loops": ("loops on several threads", {"cpp.threads": 1}),
    "buffer_reuse": ("memory of values that are no longer needed is used again", {"allow_buffer_reuse": False}),
    "inplace_buffers": ("a result lies in the memory of an operand", {"inplace_buffers": False}),
    "layout_optimization": ("convolutions in channels_last", {"layout_optimization": False}),
    "comprehensive_padding": ("strides are padded", {"comprehensive_padding": False}),
    "pattern_matcher": ("patterns of operators are replaced", {"pattern_matcher": False}),
    "reorder_for_locality": ("operators stand beside those that read them", {"reorder_for_locality": False}),
    "reorder_for_peak_memory": ("kernels are ordered for memory", {"reorder_for_peak_memory": False}),
    "index_propagation": ("constants and indices are computed while compiling", {"constant_and_index_propagation": False}),
    "float32_intermediates": ("values of short dtypes stay in float32 within a kernel", {"emulate_precision_casts": True}),
    "random_numbers": ("Inductor's own random numbers; without it eager's", {"fallback_random": True}),
}


def describe() -> list[Switch]:
    lines = dict(_BISECTED)
    lines[_FUSION] = "two kernels become one"
    lines[_ONEDNN] = "a kernel of oneDNN computes what follows it, too"
    lines[_CSE] = "of equal operators in a captured graph with gradients one is left"
    lines.update({name: line for name, (line, _) in _PASSES.items()})
    lines.update({name: line for name, (line, _) in _SETTINGS.items()})
    return [Switch(name, line) for name, line in lines.items()]


@contextlib.contextmanager
def turned_off(off: SwitchBoard, fallbacks: Container[Any] = ()) -> Iterator[None]:
    """While something is compiled. Operators in `fallbacks` (inductor_fallbacks.py) are computed by eager's kernels."""
    settings: dict[str, Any] = {}
    for name, (_, patch) in _SETTINGS.items():
        if off.stops(name):
            settings.update(patch)
    with (
        torch._inductor.config.patch(settings),
        torch._functorch.config.patch(cse=torch._functorch.config.cse and not off.stops(_CSE)),
        mock.patch.object(CompilerBisector, "disable_subsystem", _bisected(off, fallbacks)),
        mock.patch.object(LoweringPatternEntry, "apply", _unless_off(LoweringPatternEntry.apply, off)),
        mock.patch.object(GraphTransformObserver, "_check_disable_pass", _named(off)),
        mock.patch.object(Scheduler, "_can_fuse_impl", _counted(Scheduler._can_fuse_impl, off)),
        mock.patch.object(graph, "make_fallback", _if_not_decomposed(graph.make_fallback, off)),
    ):
        yield


def _bisected(off: SwitchBoard, fallbacks: Container[Any]) -> Callable[..., bool]:
    def disable_subsystem(backend: str, subsystem: str, debug_info: Callable[[], str] | None = None) -> bool:
        if subsystem == "lowerings" and V.graph.current_node.target in fallbacks:
            return True
        is_ours = backend == "inductor" or subsystem == _DECOMPOSITION
        return is_ours and subsystem in _BISECTED and off.stops(subsystem)

    return disable_subsystem


def _if_not_decomposed(make_fallback: Callable[..., Any], off: SwitchBoard) -> Callable[..., Any]:
    """Inductor refuses to call eager's kernel where it knows a decomposition."""
    return functools.partial(make_fallback, override_decomp=True) if off.names(_DECOMPOSITION) else make_fallback


def _unless_off(apply: Callable[..., None], off: SwitchBoard) -> Callable[..., None]:
    """The nodes of a match stay as they are."""

    def unless_off(entry: LoweringPatternEntry, *match: Any) -> None:
        is_onednn = entry.handler.__module__.endswith(".mkldnn_fusion")
        if not (is_onednn and off.stops(_ONEDNN)):
            apply(entry, *match)

    return unless_off


def _named(off: SwitchBoard) -> Callable[[GraphTransformObserver], bool]:
    check = GraphTransformObserver._check_disable_pass
    switches = {passname: switch for switch, (_, passname) in _PASSES.items()}

    def disabled(observer: GraphTransformObserver) -> bool:
        switch = switches.get(observer.passname)
        return (switch is not None and off.stops(switch)) or check(observer)

    return disabled


def _counted(can_fuse: Callable[..., bool], off: SwitchBoard) -> Callable[..., bool]:
    """An application is a pair that would be fused, however often Inductor asks about it."""
    stopped: dict[tuple[str, str], bool] = {}

    def counted(scheduler: Scheduler, node1: Any, node2: Any, **options: Any) -> bool:
        if not can_fuse(scheduler, node1, node2, **options):
            return False
        pair = (node1.get_name(), node2.get_name())
        if pair not in stopped:
            stopped[pair] = off.stops(_FUSION)
        return not stopped[pair]

    return counted
