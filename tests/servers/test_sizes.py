# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import unittest
from typing import Any

import torch
from culprit.servers.sizes import Sizes


def tensor(storage: int, *sizes: int, strides: tuple[int, ...] = ()) -> dict[str, Any]:
    contiguous = [1] * len(sizes)
    for dimension in reversed(range(len(sizes) - 1)):
        contiguous[dimension] = contiguous[dimension + 1] * sizes[dimension + 1]
    return {
        "storage": storage,
        "sizes": list(sizes),
        "strides": list(strides or contiguous),
        "offset": 0,
        "described": True,
    }


class SizesTest(unittest.TestCase):
    def test_sizes_and_strides_are_expressions(self) -> None:
        sizes = Sizes([["s0", ""]], [tensor(0, 8, 4)])
        self.assertIsInstance(sizes.of(0)[0], torch.SymInt)
        self.assertEqual(sizes.of(0)[1], 4)
        transposed = Sizes([["s0", ""]], [tensor(0, 8, 4, strides=(1, 8))])
        self.assertIsInstance(transposed.strides(0)[1], torch.SymInt)
        self.assertEqual(transposed.strides(0), [1, 8])

    def test_a_stride_that_follows_from_nothing_is_a_number(self) -> None:
        sizes = Sizes([["s0", "s1"]], [tensor(0, 8, 4, strides=(6, 1))])
        self.assertNotIsInstance(sizes.strides(0)[0], torch.SymInt)

    def test_zero_and_one_are_no_symbols(self) -> None:
        sizes = Sizes([["s0", "s1"]], [tensor(0, 1, 0)])
        self.assertEqual([type(size) for size in sizes.of(0)], [int, int])

    def test_memory_that_is_shared_fixes_sizes(self) -> None:
        sizes = Sizes([["s0"], ["s0"]], [tensor(0, 4), tensor(0, 4)])
        self.assertIs(type(sizes.of(0)[0]), int)

    def test_one_name_with_two_values_is_two_symbols(self) -> None:
        inputs = [tensor(0, 8), tensor(1, 2)]
        sizes = Sizes([["s0"], ["s0"]], inputs)
        self.assertEqual([sizes.of(0)[0].node.hint, sizes.of(1)[0].node.hint], [8, 2])
        sizes.close()
        self.assertTrue(sizes.hold([tensor(0, 5), tensor(1, 7)]))

    def test_one_symbol_has_one_value(self) -> None:
        sizes = Sizes([["s0"], ["s0"]], [tensor(0, 8), tensor(1, 8)])
        sizes.close()
        self.assertTrue(sizes.hold([tensor(0, 5), tensor(1, 5)]))
        self.assertFalse(sizes.hold([tensor(0, 5), tensor(1, 7)]))

    def test_what_was_assumed_has_to_hold(self) -> None:
        sizes = Sizes([["s0", ""]], [tensor(0, 8, 4)])
        self.assertTrue(sizes.of(0)[0] % 2 == 0)
        sizes.close()
        self.assertTrue(sizes.hold([tensor(0, 6, 4)]))
        self.assertFalse(sizes.hold([tensor(0, 7, 4)]))
        self.assertFalse(sizes.hold([tensor(0, 1, 4)]))
        self.assertFalse(sizes.hold([tensor(0, 6, 5)]), "a size without a symbol is fixed")
        self.assertFalse(sizes.hold([tensor(0, 6, 4, strides=(1, 6))]), "it lies in another way")

    def test_integers_of_the_graph_are_its_symbols(self) -> None:
        graph = torch.fx.Graph()
        number, x = graph.placeholder("number"), graph.placeholder("x")
        size = graph.call_function(torch.ops.aten.sym_size.int, (x, 0))
        graph.output((size, number))
        module = torch.fx.GraphModule(torch.nn.Module(), graph)
        sizes = Sizes([["s0"], ["s0"]], [8, tensor(0, 8)])
        self.assertEqual(sizes.lift(module), [])
        self.assertEqual(sizes.lifted_values([5, tensor(0, 5)]), [])
        self.assertEqual(module(3, torch.ones(4)), (3, 3), "its size is taken from the integer")

    def test_other_symbols_become_integers_in_front(self) -> None:
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        graph.output((graph.call_function(torch.ops.aten.sym_size.int, (x, 0)),))
        module = torch.fx.GraphModule(torch.nn.Module(), graph)
        sizes = Sizes([["s0"]], [tensor(0, 8)])
        self.assertEqual([int(size) for size in sizes.lift(module)], [8])
        self.assertEqual(sizes.lifted_values([tensor(0, 5)]), [5])
        self.assertEqual(module(3, torch.ones(4)), (3,))


if __name__ == "__main__":
    unittest.main()
