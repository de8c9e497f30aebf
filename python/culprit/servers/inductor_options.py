# SPDX-License-Identifier: Apache-2.0
"""Entries of torch._inductor.config as options: `inductor:max_autotune=1,cpp.simdlen=1`."""

from __future__ import annotations

from typing import Any

import torch._inductor.config as config

from culprit.servers.compiler import Option, Refusal

#: What acts before `compile_fx_inner` sees the graph would have no effect.
_ABOVE_AUTOGRAD = ("joint_", "pre_grad_", "freezing")
_WORDS = {"1": True, "true": True, "0": False, "false": False}


def _entries() -> dict[str, Any]:
    copy = getattr(config, "get_config_copy", None) or config.shallow_copy_dict
    return dict(sorted(copy().items()))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return "none" if value is None else str(value)


def describe() -> list[Option]:
    return [
        Option(
            name,
            _to_text(value),
            f"torch._inductor.config.{name}",
            choices=("0", "1") if isinstance(value, bool) else (),
            is_harmless=isinstance(value, (bool, int, float)),
        )
        for name, value in _entries().items()
        if _is_plain(value) and not name.startswith("_")
    ]


def read(options: dict[str, str]) -> dict[str, Any]:
    """For config.patch."""
    entries = _entries()
    return {name: _read_one(name, text, entries[name]) for name, text in options.items()}


def _read_one(name: str, text: str, default: Any) -> Any:
    if name.startswith(_ABOVE_AUTOGRAD):
        raise Refusal(f"option '{name}' acts before autograd, and Inductor is given graphs from below it")
    if isinstance(default, bool):
        return _WORDS[text.lower()]
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
