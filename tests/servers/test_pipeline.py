# SPDX-License-Identifier: Apache-2.0
"""Inductor as a whole: which part an exception is said to come from, what is frozen, what is turned off. Nothing is
compiled by C++."""

from __future__ import annotations

import contextlib
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
import torch._inductor.config
from culprit.servers import inductor_switches
from culprit.servers.compiler import Refusal, Request
from culprit.servers.gradients import Recording
from culprit.servers.graphs import example_inputs
from culprit.servers.inductor import Inductor
from culprit.servers.phases import message_of, without_phase
from culprit.servers.sizes import Sizes
from torch._functorch._aot_autograd import graph_compile
from torch._inductor import compile_fx
from torch._subclasses.fake_tensor import FakeTensorMode

aten = torch.ops.aten


class Fault(Exception):
    pass


def fail(*_: Any, **__: Any) -> Any:
    raise Fault("it is broken\nand this is why")


def request(options: dict[str, str] | None = None, off: list[str] | None = None, frozen: bool = False) -> Request:
    """exp(x @ w); w is a parameter, with numbers if it is `frozen`."""
    graph = torch.fx.Graph()
    x, w = graph.placeholder("x"), graph.placeholder("w")
    product = graph.call_function(aten.mm.default, (x, w))
    graph.output((graph.call_function(aten.exp.default, (product,)),))
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode:
        inputs = [torch.empty(4, 4), torch.empty(4, 4)]
    if torch.is_grad_enabled():
        for each in inputs:
            each.requires_grad_()
    if frozen:
        inputs[1] = torch.ones(4, 4)
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    return Request(module, inputs, ["input", "parameter"], options=options or {}, off=off or [], graphs="captured")


def leaf() -> dict[str, Any]:
    return {"sizes": [4, 4], "requires_grad": True, "leaf": True}


def go_back(function: Callable[..., Any]) -> None:
    values = [torch.ones(4, 4), torch.ones(4, 4)]
    recording = Recording([leaf(), leaf()], values)
    recording.end(function(*values))
    recording.gradients([torch.ones(4, 4)], [True, True], keep=False)


class Operators:
    """In place of a compiled graph: it is interpreted."""

    def __init__(self, gm: torch.fx.GraphModule) -> None:
        self._gm = gm
        self._boxed_call = True

    def __call__(self, inputs: list[Any]) -> Any:
        return torch.fx.Interpreter(self._gm).run(*inputs)


class PhaseTest(unittest.TestCase):
    def thrown_with(self, module: Any, function: str) -> str:
        with mock.patch.object(module, function, fail), self.assertRaises(Exception) as caught:
            Inductor().compile(request())
        return message_of(caught.exception)

    def test_exceptions_name_the_part_that_they_come_from(self) -> None:
        parts = {
            "passes before gradients": (compile_fx, "pre_grad_passes"),
            "autograd and functionalisation": (graph_compile, "aot_dispatch_autograd_graph"),
            "passes over the joint graph": (compile_fx, "joint_graph_passes"),
            "the partitioner": (compile_fx, "min_cut_rematerialization_partition"),
            "the forward compiler": (compile_fx, "compile_fx_inner"),
        }
        for part, place in parts.items():
            with self.subTest(part):
                self.assertEqual(self.thrown_with(*place), f"it is broken [in {part}]\nand this is why")

    def test_freezing_is_a_part(self) -> None:
        from torch._inductor import freezing

        with torch.no_grad(), mock.patch.object(freezing, "freeze", fail), self.assertRaises(Fault) as caught:
            Inductor().compile(request({"freezing": "1"}, frozen=True))
        self.assertEqual(message_of(caught.exception), "it is broken [in freezing]\nand this is why")

    def test_the_backward_compiler_is_asked_on_the_way_back(self) -> None:
        def compile_forward(gm: torch.fx.GraphModule, _: Any, **how: Any) -> Any:
            return fail() if how.get("is_backward") else Operators(gm)

        with mock.patch.object(compile_fx, "compile_fx_inner", compile_forward):
            function = Inductor().compile(request())
            with self.assertRaises(Fault) as caught:
                go_back(function)
        self.assertEqual(message_of(caught.exception), "it is broken [in the backward compiler]\nand this is why")

    def test_options_and_switches_hold_for_the_backward_graph(self) -> None:
        seen: list[tuple[bool, Any]] = []

        def compile_any(gm: torch.fx.GraphModule, _: Any, **how: Any) -> Any:
            seen.append((bool(how.get("is_backward")), torch._inductor.config.cpp.simdlen))
            return Operators(gm)

        with mock.patch.object(compile_fx, "compile_fx_inner", compile_any):
            go_back(Inductor().compile(request({"cpp.simdlen": "4"})))
            go_back(Inductor().compile(request(off=["vectorisation"])))
        self.assertEqual(seen, [(False, 4), (True, 4), (False, 1), (True, 1)])

    def test_without_its_part_a_message_is_as_the_compiler_said_it(self) -> None:
        marked = "it is [in a list] broken [in the partitioner]\nwhy"
        self.assertEqual(without_phase(marked), "it is [in a list] broken\nwhy")
        self.assertEqual(without_phase("it is broken\nwhy"), "it is broken\nwhy")


class PassTest(unittest.TestCase):
    def applied(self, name: str, off: list[str]) -> bool:
        """Whether a pass of the user's, in this place, has run."""
        graphs: list[Any] = []
        with (
            torch._inductor.config.patch({name: graphs.append}),
            mock.patch.object(compile_fx, "compile_fx_inner", lambda gm, _, **__: Operators(gm)),
        ):
            Inductor().compile(request(off=off))
        return bool(graphs)

    def test_passes_before_gradients_and_over_the_joint_graph_are_switches(self) -> None:
        for place, switch in (
            ("pre_grad_custom_pass", "pre_grad_passes"),
            ("joint_custom_pre_pass", "joint_graph_passes"),
        ):
            with self.subTest(switch):
                self.assertTrue(self.applied(place, []))
                self.assertFalse(self.applied(place, [switch]))


class SymbolsTest(unittest.TestCase):
    def test_sizes_are_symbols_down_to_the_compiler_forward_and_backward(self) -> None:
        """Of relu(x) * size(x, 0), where the first size of x is a symbol."""
        described = {
            "storage": 0, "sizes": [6, 8], "strides": [8, 1], "offset": 0, "dtype": "float32", "device": "cpu",
            "described": True, "bytes": 192, "shared": False,
        }
        sizes = Sizes([["s0", ""]], [described])
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        rows = graph.call_function(aten.sym_size.int, (x, 0))
        graph.output((graph.call_function(aten.mul.Scalar, (graph.call_function(aten.relu.default, (x,)), rows)),))
        module = torch.fx.GraphModule(torch.nn.Module(), graph)
        (fake,) = example_inputs([described], sizes, mock.Mock())
        made = Request(module, [*sizes.lift(module), fake.requires_grad_()], ["size", "input"], graphs="captured")
        seen: list[list[bool]] = []

        def compile_any(gm: torch.fx.GraphModule, inputs: Any, **__: Any) -> Any:
            seen.append([any(isinstance(size, torch.SymInt) for size in getattr(one, "shape", [one])) for one in inputs])
            return Operators(gm)

        held: list[str] = []

        @contextlib.contextmanager
        def hold(*_: Any) -> Iterator[None]:
            self.assertEqual(held, [], "what waits for itself waits for ever")
            held.append("it")
            yield
            held.pop()

        with (
            mock.patch.object(compile_fx, "compile_fx_inner", compile_any),
            mock.patch.object(inductor_switches, "turned_off", hold),
        ):
            function = Inductor().compile(made)
            self.assertEqual(len(seen), 2, "the backward graph is compiled ahead")
            sizes.close()
            for count in (6, 11):
                value = torch.ones(count, 8, requires_grad=True)
                (result,) = function(count, value)
                result.sum().backward()
                self.assertTrue(torch.equal(result, torch.full((count, 8), float(count))))
                self.assertTrue(value.grad is not None and torch.equal(value.grad, result))
        self.assertEqual([any(symbolic) for symbolic in seen], [True, True], "forward and backward")
        self.assertTrue(sizes.hold([{**described, "sizes": [11, 8]}]))


class FreezingTest(unittest.TestCase):
    def placeholders(self, made: Request) -> int:
        """Of the graph that is compiled in the end."""
        seen: list[int] = []

        def compile_any(gm: torch.fx.GraphModule, _: Any, **__: Any) -> Any:
            seen.append(len(gm.graph.find_nodes(op="placeholder")))
            return Operators(gm)

        with mock.patch.object(compile_fx, "compile_fx_inner", compile_any):
            (result,) = Inductor().compile(made)(torch.eye(4), torch.full((4, 4), 7.0))
        frozen = not isinstance(made.inputs[1], torch._subclasses.FakeTensor)
        expected = torch.ones(4, 4) if frozen else torch.full((4, 4), 7.0)
        self.assertTrue(torch.equal(result, expected.exp()))
        return seen[0]

    def test_parameters_with_numbers_become_constants(self) -> None:
        with torch.no_grad():
            self.assertEqual(self.placeholders(request({"freezing": "1"}, frozen=True)), 1)
            self.assertEqual(self.placeholders(request()), 2)

    def test_a_graph_without_gradients_is_frozen_even_where_they_are_recorded(self) -> None:
        with torch.no_grad():
            made = request({"freezing": "1"}, frozen=True)
        self.assertEqual(self.placeholders(made), 1)

    def test_a_graph_with_gradients_is_refused(self) -> None:
        with self.assertRaisesRegex(Refusal, "acts on graphs without gradients"):
            Inductor().compile(request({"freezing": "1"}))

    def test_what_acts_above_autograd_is_refused_below(self) -> None:
        made = request({"freezing": "1"}, frozen=True)
        made.graphs = "below"
        with self.assertRaisesRegex(Refusal, "option 'freezing' acts before autograd"):
            Inductor().compile(made)


if __name__ == "__main__":
    unittest.main()
