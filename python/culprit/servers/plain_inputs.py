# SPDX-License-Identifier: Apache-2.0
"""Tensors as a person would write them: torch.full((2, 3), 1.5), torch.tensor([[1, 2], [3, 4]])."""

from __future__ import annotations

import math
from typing import Any

import torch

#: What somebody is willing to paste.
_MOST_ELEMENTS = 64


class NotPlain(Exception):
    """Why nobody would write it so."""


def text_of(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        if value is None or isinstance(value, (bool, int, float)):
            return _number(value)
        raise NotPlain(f"an input is a {type(value).__name__}")
    if value.layout != torch.strided or value.is_quantized or value.requires_grad or value.is_conj() or value.is_neg():
        raise NotPlain("an input is no plain tensor")
    if not value.is_contiguous() or value.storage_offset() != 0:
        whole = torch.empty(0, dtype=value.dtype).set_(value.untyped_storage())
        return f"{_contiguous(whole)}.as_strided({tuple(value.shape)}, {value.stride()}, {value.storage_offset()})"
    return _contiguous(value)


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
