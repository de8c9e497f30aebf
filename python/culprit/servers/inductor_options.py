# SPDX-License-Identifier: Apache-2.0
"""Entries of torch._inductor.config as options: `inductor:max_autotune=1,cpp.simdlen=1`."""

from __future__ import annotations

import typing
from typing import Any

from torch._inductor import config

from culprit.servers import inductor_fallbacks
from culprit.servers.compiler import Option, Refusal

#: What acts before `compile_fx_inner` sees the graph has an effect on captured graphs alone.
_ABOVE_AUTOGRAD = (
    "joint_",
    "pre_grad_",
    "freezing",
    "add_pre_grad_passes",
    "apply_gumbel_max_trick",
    "batch_fusion",
    "efficient_conv_bn_eval_fx_passes",
    "group_fusion",
    "is_predispatch",
    "permute_fusion",
    "remove_pre_grad_passes",
    "selective_decompose",
    "split_cat_fx_passes",
    "use_joint_graph_passes",
    "use_pre_grad_passes",
)
#: Act in the passes over the joint graph, which inference graphs go through, too, with graphs=aot.
_IN_JOINT_GRAPH = (
    "auto_chunker.",
    "force_shape_pad",
    "optimize_scatter_upon_const_tensor",
    "shape_padding",
    "test_configs.graphsafe_rng_func_ignores_fallback_random",
)
#: Act when PyTorch compiles ahead of time, which nobody does here.
_AHEAD_OF_TIME = ("enable_autograd_for_aot",)
#: Lead to caches, folders, logs or other processes, although they are mere numbers. A file of a stranger may
#: not set them.
_LEADS_ELSEWHERE = (
    "aot_inductor",
    "autotune_in_subproc",
    "autotune_local_cache",
    "bundle_triton_into_fx_graph_cache",
    "compile_threads",
    "cpp_cache_precompile_headers",
    "debug",
    "force_disable_caches",
    "fx_graph",
    "generate_intermediate_hooks",
    "log_tlparse",
    "remote_gemm_autotune_cache",
    "run_jit_post_compile_hook",
    "save_args",
    "search_autotune_cache",
    "test_configs.",
    "trace.",
    "unsafe_",
    "worker_",
)
#: Words that an entry may be set to.
_CHOICES = {
    "cpp.enable_floating_point_contract_flag": ("off", "on", "fast"),
    "cpp.inject_log1p_bug_TESTING_ONLY": ("none", "accuracy"),
    "cpp.inject_relu_bug_TESTING_ONLY": ("none", "compile_error", "runtime_error", "accuracy"),
    "cpp.descriptive_names": ("original_aten", "torch", "inductor_node"),
    "layout_opt_default": ("0", "1"),
    "max_autotune_gemm_search_space": ("DEFAULT", "EXHAUSTIVE"),
    "memory_pool": ("none", "intermediates", "outputs", "combined"),
    "mixed_mm_choice": ("default", "triton", "aten", "heuristic"),
}
_NUMBERS_OR_NONE = (
    "cpp.simdlen",
    "max_fusion_unique_io_buffers",
    "realize_acc_reads_size_threshold",
    "realize_acc_reads_threshold",
    "realize_opcount_threshold",
)
_WORDS = {"1": True, "true": True, "0": False, "false": False}


def _entries() -> dict[str, Any]:
    copy = getattr(config, "get_config_copy", None) or config.shallow_copy_dict
    return dict(sorted(copy().items()))


_PLAIN = (bool, int, float, str)
#: The programs that PyTorch tries in turn, a tuple there, with commas between them here: `cpp.cxx=none\,g++`.
_PROGRAMS = "cpp.cxx"


def _is_plain(name: str, value: Any) -> bool:
    return name == _PROGRAMS or isinstance(value, _PLAIN) or (value is None and _may_be_plain(name))


def _may_be_plain(name: str) -> bool:
    """Where nothing is set, PyTorch says what could be. Older versions do not."""
    get_type = getattr(config, "get_type", None)
    kind = get_type(name) if get_type else None
    kinds = typing.get_args(kind) or (kind,)
    return kind in (None, type(None)) or any(one in _PLAIN or typing.get_origin(one) is typing.Literal for one in kinds)


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (tuple, list)):
        return ",".join(map(_to_text, value))
    return "none" if value is None else str(value)


def _is_harmless(name: str, value: Any) -> bool:
    if name in _CHOICES or name in _NUMBERS_OR_NONE:
        return True
    return isinstance(value, (bool, int, float)) and not name.startswith(_LEADS_ELSEWHERE)


def describe() -> list[Option]:
    fallback = Option(inductor_fallbacks.OPTION, "", inductor_fallbacks.LINE, is_harmless=True)
    return [fallback] + [
        Option(
            name,
            _to_text(value),
            f"torch._inductor.config.{name}",
            choices=("0", "1") if isinstance(value, bool) else _CHOICES.get(name, ()),
            is_harmless=_is_harmless(name, value),
        )
        for name, value in _entries().items()
        if _is_plain(name, value) and not name.startswith("_")
    ]


def has_no_effect(name: str, graphs: str) -> str | None:
    """The reason, if a graph that is given as `graphs` has been through what the entry acts on."""
    if name in _AHEAD_OF_TIME:
        return "acts when PyTorch compiles ahead of time, and it does not here"
    if graphs == "captured":
        return None
    if name.startswith(_ABOVE_AUTOGRAD):
        where, below = "before autograd", "it"
    elif name.startswith(_IN_JOINT_GRAPH) and graphs == "below":
        where, below = "on joint graphs", "autograd"
    else:
        return None
    return f"acts {where}, and Inductor is given graphs from below {below}; graphs=captured gives it those from above"


def read(options: dict[str, str], graphs: str) -> dict[str, Any]:
    """For config.patch. `graphs` says which it is given."""
    entries = _entries()
    patch = {name: _read_one(name, text, entries[name]) for name, text in options.items() if name in entries}
    for name in patch:
        if reason := has_no_effect(name, graphs):
            raise Refusal(f"option '{name}' {reason}")
    return patch


def _read_one(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        return _WORDS[text.lower()]
    if isinstance(default, (tuple, list)):
        return tuple(None if word == "none" else word for word in text.split(","))
    if isinstance(default, str):
        return text
    if text == "none":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if default is None:
        return _WORDS.get(text.lower(), text)
    raise Refusal(f"option '{name}' is a number, not '{text}'")
