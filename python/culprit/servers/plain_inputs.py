# SPDX-License-Identifier: Apache-2.0
"""Tensors as a person would write them: torch.full((2, 3), 1.5), torch.tensor([[1, 2], [3, 4]])."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import torch

#: What somebody is willing to paste.
_MOST_ELEMENTS = 64


class NotPlain(Exception):
    """Why nobody would write it so."""


def texts_of(values: list[Any]) -> tuple[list[str], list[str]]:
    """Lines that make the memory that several of them share, and what each of them is."""
    tensors = [value for value in values if isinstance(value, torch.Tensor) and value.numel() > 0]
    counts = Counter(map(_memory, tensors))
    lines: list[str] = []
    shared: dict[int, tuple[str, torch.dtype]] = {}
    for value in tensors:
        if counts[_memory(value)] > 1 and _memory(value) not in shared:
            name = f"memory{len(shared) + 1}"
            shared[_memory(value)] = name, value.dtype
            lines.append(f"{name} = {_contiguous(_whole(value))}")
    return lines, [_on(value, shared) for value in values]


def _on(value: Any, shared: dict[int, tuple[str, torch.dtype]]) -> str:
    if not isinstance(value, torch.Tensor) or value.numel() == 0 or _memory(value) not in shared:
        return text_of(value)
    name, dtype = shared[_memory(value)]
    _check_plain(value)
    if value.dtype != dtype:
        raise NotPlain("inputs of several dtypes share memory")
    return name + _placed(value)


def text_of(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        if value is None or isinstance(value, (bool, int, float)):
            return _number(value)
        raise NotPlain(f"an input is a {type(value).__name__}")
    _check_plain(value)
    if not value.is_contiguous() or value.storage_offset() != 0:
        return _contiguous(_whole(value)) + _placed(value)
    return _contiguous(value)


def _check_plain(value: torch.Tensor) -> None:
    if value.layout != torch.strided or value.is_quantized or value.requires_grad or value.is_conj() or value.is_neg():
        raise NotPlain("an input is no plain tensor")


def _memory(value: torch.Tensor) -> int:
    return value.untyped_storage().data_ptr()


def _whole(value: torch.Tensor) -> torch.Tensor:
    return torch.empty(0, dtype=value.dtype).set_(value.untyped_storage())


def _placed(value: torch.Tensor) -> str:
    return f".as_strided({tuple(value.shape)}, {value.stride()}, {value.storage_offset()})"


def _contiguous(value: torch.Tensor) -> str:
    dtype = "" if value.dtype == torch.float32 else f", dtype={value.dtype}"
    if value.numel() == 0:
        return f"torch.empty({tuple(value.shape)}{dtype})"
    first = value.flatten()[0]
    if (value == first).all() and not _has_negative_zero(value):
        if value.dim() == 0:
            return f"torch.tensor({_number(first.item())}{dtype})"
        return f"torch.full({tuple(value.shape)}, {_number(first.item())}{dtype})"
    if value.numel() <= _MOST_ELEMENTS:
        return f"torch.tensor({_numbers(value.tolist())}{dtype})"
    raise NotPlain(f"an input has {value.numel()} different numbers")


def _has_negative_zero(value: torch.Tensor) -> bool:
    return value.is_floating_point() and bool(((value == 0) & value.signbit()).any())


def _numbers(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_numbers(each) for each in value)}]"
    return _number(value)


def _number(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "torch.nan"
    if isinstance(value, float) and math.isinf(value):
        return "torch.inf" if value > 0 else "-torch.inf"
    return repr(value)
