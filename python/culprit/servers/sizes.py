# SPDX-License-Identifier: Apache-2.0
"""Sizes as symbols, as AOTAutograd hands them to a compiler: an integer for each in front of the other inputs, and
sizes of fake tensors that are expressions of these.

A size of 0 or 1 is none, and neither are those of tensors that share memory. Sizes that Culprit calls by one name
and that differ, as they may while a program becomes smaller, are symbols of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.fx
from torch._dynamo.source import ConstantSource
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv


@dataclass(frozen=True)
class _Place:
    """Of a size: an input, and one of its dimensions. An integer has one."""

    input: int
    dimension: int


def _is_tensor(value: Any) -> bool:
    return isinstance(value, dict) and "sizes" in value


def _size_at(value: Any, dimension: int) -> int:
    return value["sizes"][dimension] if _is_tensor(value) else value


class Sizes:
    """Of a graph, with the values that they have in `inputs`, which are described as in a message."""

    def __init__(self, names: Sequence[Sequence[str]], inputs: Sequence[Any]) -> None:
        self.environment = ShapeEnv()
        self._inputs = list(inputs)
        self._places: list[list[_Place]] = []
        self._symbols: list[Any] = []
        self._at: dict[_Place, int] = {}
        self._guards: str | None = None
        for (name, size), places in _group(names, inputs).items():
            self._at.update(dict.fromkeys(places, len(self._symbols)))
            self._places.append(places)
            self._symbols.append(self._make_symbol(name, size))

    def _make_symbol(self, name: str, size: int) -> Any:
        source = ConstantSource(f"{name}_{size}")
        symbol = self.environment.create_symbol(size, source, DimDynamic.DYNAMIC)
        return self.environment.create_symintnode(symbol, hint=size, source=source)

    def of(self, index: int) -> list[Any]:
        """The sizes of an input, and of an integer its value."""
        value = self._inputs[index]
        plain = value["sizes"] if _is_tensor(value) else [value]
        return [self._at_place(_Place(index, dimension), size) for dimension, size in enumerate(plain)]

    def _at_place(self, place: _Place, size: int) -> Any:
        return self._symbols[self._at[place]] if place in self._at else size

    def strides(self, index: int) -> list[Any]:
        """A stride is the product of the sizes within, where it is so now."""
        value = self._inputs[index]
        sizes = self.of(index)
        strides = list(value["strides"])
        product, expression = 1, 1
        for dimension in sorted(range(len(strides)), key=lambda d: (strides[d], value["sizes"][d])):
            if strides[dimension] != product:
                break
            strides[dimension] = expression
            product *= value["sizes"][dimension]
            expression = expression * sizes[dimension]
        return strides

    def lift(self, module: torch.fx.GraphModule) -> list[Any]:
        """Puts an integer in front of the inputs for every symbol that is none of them, and takes sizes of inputs from
        there. Gives these integers."""
        placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        if not placeholders:
            return []
        lifted: list[Any] = []
        for places, symbol in zip(self._places, self._symbols, strict=True):
            whole = [place for place in places if not _is_tensor(self._inputs[place.input])]
            if whole:
                node = placeholders[whole[0].input]
            else:
                with module.graph.inserting_before(placeholders[0]):
                    node = module.graph.placeholder(_unused(module.graph, f"size_{len(lifted)}"))
                lifted.append(symbol)
            for place in places:
                _take_size_from(module.graph, placeholders[place.input], place.dimension, node)
        module.recompile()
        return lifted

    def lifted_values(self, inputs: Sequence[Any]) -> list[int]:
        """Of the integers that `lift` has added."""
        return [
            _size_at(inputs[places[0].input], places[0].dimension)
            for places in self._places
            if all(_is_tensor(self._inputs[place.input]) for place in places)
        ]

    def close(self) -> None:
        """Keeps what has been assumed about the symbols: from now on it is asked and not added to."""
        self._guards = self.environment.produce_guards_expression(self._symbols) if self._symbols else None

    def hold(self, inputs: Sequence[Any]) -> bool:
        """Whether what was compiled for these sizes may be called with those of `inputs`."""
        values: list[int] = []
        for places in self._places:
            met = {_size_at(inputs[place.input], place.dimension) for place in places}
            if len(met) > 1 or min(met) < 2:
                return False
            values += met
        if any(not self._lies_alike(i, value) for i, value in enumerate(inputs)):
            return False
        return self._guards is None or bool(self.environment.evaluate_guards_expression(self._guards, values))

    def _lies_alike(self, index: int, value: Any) -> bool:
        """Sizes without a symbol are as they were, and strides follow in the same way."""
        before = self._inputs[index]
        if not _is_tensor(before):
            return _Place(index, 0) in self._at or before == value
        for dimension, size in enumerate(before["sizes"]):
            if _Place(index, dimension) not in self._at and size != value["sizes"][dimension]:
                return False
        if any(_Place(index, dimension) in self._at for dimension in range(len(before["sizes"]))):
            return _order_of(before) == _order_of(value)
        return before["strides"] == value["strides"]


def _group(names: Sequence[Sequence[str]], inputs: Sequence[Any]) -> dict[tuple[str, int], list[_Place]]:
    on_storage = Counter(value["storage"] for value in inputs if _is_tensor(value) and value["described"])

    def may_differ(value: Any) -> bool:
        if not _is_tensor(value):
            return isinstance(value, int) and not isinstance(value, bool)
        return bool(value["described"]) and on_storage[value["storage"]] == 1 and value["offset"] == 0

    groups: dict[tuple[str, int], list[_Place]] = {}
    for index, (symbols, value) in enumerate(zip(names, inputs, strict=True)):
        for dimension, name in enumerate(symbols if may_differ(value) else ()):
            size = _size_at(value, dimension)
            if name and size >= 2:
                groups.setdefault((name, size), []).append(_Place(index, dimension))
    return groups


def _order_of(value: dict[str, Any]) -> list[int | None]:
    """How a tensor lies: the dimensions from within that follow without gaps, and the strides of the others."""
    order: list[int | None] = []
    product = 1
    strides = value["strides"]
    for dimension in sorted(range(len(strides)), key=lambda d: (strides[d], value["sizes"][d])):
        if strides[dimension] != product:
            return [*order, None, *strides]
        order.append(dimension)
        product *= value["sizes"][dimension]
    return order


def _take_size_from(graph: torch.fx.Graph, tensor: torch.fx.Node, dimension: int, size: torch.fx.Node) -> None:
    for user in list(tensor.users):
        if user.target is torch.ops.aten.sym_size.int and user.args[1] == dimension:
            user.replace_all_uses_with(size)
            graph.erase_node(user)


def _unused(graph: torch.fx.Graph, name: str) -> str:
    taken = {node.name for node in graph.nodes}
    while name in taken:
        name += "_"
    return name
