# SPDX-License-Identifier: Apache-2.0
"""Tensors over shared memory, and back.

A storage is [descriptor, offset, bytes]; a tensor lies on one of them:
{"storage": 0, "sizes": [2, 3], "strides": [3, 1], "offset": 0, "dtype": "float32", ...}.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any

import torch

from culprit.servers import wire
from culprit.servers.compiler import Refusal

_ALIGNMENT = 64


class Arena:
    """Storages over the memory of some descriptors. What is written into them is seen by the other side."""

    def __init__(self, storages: list[list[int]], descriptors: list[int]) -> None:
        self._mappings = [wire.map_memory(descriptor) for descriptor in descriptors]
        self._storages = [self._storage(*storage) for storage in storages]
        self._indices = {storage._cdata: i for i, storage in enumerate(self._storages)}

    def _storage(self, descriptor: int, offset: int, size: int) -> torch.UntypedStorage:
        if size == 0:
            return torch.UntypedStorage(0)
        mapping = self._mappings[descriptor]
        return torch.frombuffer(mapping, dtype=torch.uint8, offset=offset, count=size).untyped_storage()

    def index_of(self, storage: torch.UntypedStorage) -> int | None:
        return self._indices.get(storage._cdata)

    def bytes_of(self, storage: int) -> int:
        return self._storages[storage].nbytes()

    def count(self) -> int:
        return len(self._storages)

    def value(self, value: Any) -> Any:
        """A tensor, or a number, a text or None as it is."""
        if not isinstance(value, dict):
            return value
        if "float" in value:
            return float(value["float"])
        tensor = torch.empty(0, dtype=getattr(torch, value["dtype"]))
        tensor.set_(self._storages[value["storage"]], value["offset"], value["sizes"], value["strides"])
        if value.get("conjugated"):
            tensor = torch._conj(tensor)
        if value.get("negated"):
            tensor = torch._neg_view(tensor)
        return tensor


@dataclass
class Packed:
    values: list[Any]
    storages: list[list[int]]
    descriptors: list[int]


def pack(values: list[Any], arena: Arena) -> Packed:
    """Storages of the arena keep their index; others are copied into memory of their own, and follow."""
    new: dict[int, int] = {}
    contents: list[torch.UntypedStorage] = []
    packed = []
    for value in values:
        if not isinstance(value, torch.Tensor):
            packed.append(_plain(value))
            continue
        value = value.detach()
        if value.layout != torch.strided or value.is_quantized or value.device.type != "cpu":
            raise Refusal(f"a result is {value.layout} on {value.device}, which cannot be sent")
        storage = value.untyped_storage()
        index = arena.index_of(storage)
        if index is None:
            index = new.setdefault(storage._cdata, arena.count() + len(contents))
            if index == arena.count() + len(contents):
                contents.append(storage)
        packed.append(_describe(value, index))
    return Packed(packed, *_copy(contents))


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, torch.SymInt):
        return int(value)
    return value


def _describe(tensor: torch.Tensor, storage: int) -> dict[str, Any]:
    return {
        "storage": storage,
        "sizes": list(tensor.shape),
        "strides": list(tensor.stride()),
        "offset": tensor.storage_offset(),
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "conjugated": tensor.is_conj(),
        "negated": tensor.is_neg(),
    }


def _copy(contents: list[torch.UntypedStorage]) -> tuple[list[list[int]], list[int]]:
    storages = []
    size = 0
    for storage in contents:
        storages.append([0, size, storage.nbytes()])
        size += -(-storage.nbytes() // _ALIGNMENT) * _ALIGNMENT
    if size == 0:
        return storages, []
    descriptor = wire.make_memory(size)
    for (_, offset, _), storage in zip(storages, contents, strict=True):
        _write(descriptor, storage, offset)
    return storages, [descriptor]


def _write(descriptor: int, storage: torch.UntypedStorage, offset: int) -> None:
    """The kernel writes, which is cheaper than to map new pages and touch each."""
    size = storage.nbytes()
    contents = memoryview((ctypes.c_char * size).from_address(storage.data_ptr() or 1))
    done = 0
    while done < size:
        done += os.pwrite(descriptor, contents[done:], offset + done)
