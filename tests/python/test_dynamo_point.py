# SPDX-License-Identifier: Apache-2.0
"""Graphs as Dynamo captures them (after="dynamo"): what is wrong is found, and the repro fails as the program has."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from culprit.live.lowering import lowered

from tests.python import child, nets
from tests.python.test_healthy import Casting, Checkpointed, Normalised, PartlyFrozen

PROGRAM = os.environ["CULPRIT_PROGRAM"]


class Twice(torch.autograd.Function):
    """A gradient that is twice what it should be."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return 2 * gradient


def wrong_gradients(gm: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    return lambda *values: tuple(Twice.apply(output) for output in gm(*values))


def wrong_outputs(gm: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    return lambda *values: tuple(output + 1 for output in gm(*values))


def wrong_buffers(gm: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    def call(*values: Any) -> Any:
        # Not behind the graph: its backward pass needs them.
        for value in values:
            if not value.requires_grad and value.shape == (8,):
                value.add_(1)
        return gm(*values)

    return call


class Scaled(nets.Net):
    """A real bug of AOTAutograd in PyTorch 2.13: gradients are those of the parameter before it was written."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            self.scale.mul_(0.5)
        return self.second(self.first(x) * self.scale).sigmoid()


class DynamoPointTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def train(self, net: type[torch.nn.Module], **options: Any) -> child.Run:
        def program() -> None:
            torch.manual_seed(0)
            module = net()
            nets.train(module, nets.watched(module, **{"level": 4, "after": "dynamo", **options}))

        return child.run(program, self.folder)

    def test_what_a_users_own_compiler_does_wrong_is_found(self) -> None:
        for compiler, net, what in (
            (wrong_outputs, nets.Net, r"wrong values in outputs\[0\]"),
            (wrong_gradients, nets.Net, r"wrong gradient in gradients\.inputs\[\d\]"),
            (wrong_buffers, Normalised, r"mutated input in inputs\[\d\]"),
        ):
            for after in ("aot", "dynamo", "auto"):
                with self.subTest(f"{compiler.__name__} after {after}"):
                    run = self.train(net, backend=compiler, after=after)
                    self.assertEqual(run.exit_code, 1, run.err)
                    self.assertRegex(run.err, rf"culprit\.errors\.AccuracyError: \w+_0_captured: compare: ({what})")

    def test_repros_fail_as_the_program_has(self) -> None:
        for net in (nets.Net, Checkpointed, Normalised, PartlyFrozen, Casting):
            with self.subTest(net.__name__):
                run = self.train(net, faults="sigmoid_backward:accuracy")
                self.assertEqual(run.exit_code, 1, run.err)
                self.assertIn("_0_captured: compare: wrong gradient in gradients.inputs[", run.err)
                repro = run.folders()[-1] / "repro.py"
                command = [PROGRAM, "verify", "--times", "1", str(repro)]
                verified = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr + repro.read_text())

    def test_a_real_bug_of_aotautograd_shows_here_and_not_below(self) -> None:
        self.assertEqual(self.train(Scaled, after="aot").exit_code, 0)
        for after in ("dynamo", "auto"):
            run = self.train(Scaled, after=after)
            self.assertEqual(run.exit_code, 1, run.err)
            self.assertIn("AccuracyError: scaled_0_captured: compare: wrong gradient in gradients.inputs[", run.err)

    def test_what_backward_throws_is_thrown_by_the_program_as_it_is(self) -> None:
        def backward(gm: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            def call(*values: Any) -> Any:
                raise LookupError("no such gradient")

            return call

        from torch._dynamo.backends.common import aot_autograd
        from torch._dynamo.backends.debugging import boxed_nop

        run = self.train(nets.Net, backend=aot_autograd(fw_compiler=boxed_nop, bw_compiler=backward))
        self.assertEqual(run.exit_code, 1, run.err)
        self.assertRegex(run.err, r"LookupError: no such gradient\nculprit: graph net_0_captured\nculprit: repro ")

    def test_suppressed_the_program_runs_as_it_is_written(self) -> None:
        for fault in ("sigmoid:compile-error", "sigmoid:runtime-error", "sigmoid:accuracy"):
            with self.subTest(fault):
                run = self.train(Normalised, faults=fault, suppress_errors=True)
                self.assertEqual(run.exit_code, 0, run.err)
                self.assertTrue(run.folders())

    def test_the_second_size_may_be_the_wrong_one(self) -> None:
        def compiler(gm: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            return lambda *values: tuple(o + (len(o) == 7) if isinstance(o, torch.Tensor) else o for o in gm(*values))

        def program() -> None:
            options = {"backend": compiler, "after": "dynamo", "level": 4, "directory": "runs"}
            compiled = torch.compile(nets.Net(), backend="culprit", options=options, dynamic=True)
            with torch.no_grad():
                for size in (5, 6, 7):
                    print(len(compiled(torch.randn(size, 4))), flush=True)

        run = child.run(program, self.folder)
        self.assertEqual((run.exit_code, run.out), (1, "5\n6\n"), run.err)
        self.assertIn("AccuracyError: net_0_captured: compare: wrong values in outputs[0]", run.err)


class LoweringTest(unittest.TestCase):
    def lower(self, function: Callable[..., Any], *inputs: torch.Tensor) -> torch.fx.GraphModule:
        found: list[torch.fx.GraphModule] = []

        def compiler(gm: torch.fx.GraphModule, examples: list[Any]) -> Any:
            found.append(lowered(gm, examples))
            return gm.forward

        torch._dynamo.reset()
        torch.compile(function, backend=compiler, fullgraph=True)(*inputs)
        (gm,) = found
        return gm

    def operators(self, gm: torch.fx.GraphModule) -> list[str]:
        return [str(node.target) for node in gm.graph.nodes if node.op == "call_function"]

    def test_writes_are_kept(self) -> None:
        def function(x: torch.Tensor) -> torch.Tensor:
            x[0] = 1
            return x.add_(2).mul(3)

        operators = self.operators(self.lower(function, torch.ones(3)))
        self.assertIn("aten.copy_.default", operators)
        self.assertEqual(operators[-2:], ["aten.add_.Tensor", "aten.mul.Tensor"])

    def test_where_no_gradients_are_recorded_there_is_a_detach(self) -> None:
        def function(x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                y = x.sin()
            return x * y

        operators = self.operators(self.lower(function, torch.ones(3, requires_grad=True)))
        self.assertEqual(operators, ["aten.detach.default", "aten.sin.default", "aten.mul.Tensor"])
        without = self.operators(self.lower(function, torch.ones(3)))
        self.assertEqual(without, ["aten.sin.default", "aten.mul.Tensor"])

    def test_its_gradients_are_those_of_the_graph(self) -> None:
        def function(x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                y = x.sin().mul_(2)
                z = y + x
            return (x * y).cos() + z

        x = torch.randn(4, requires_grad=True)
        (expected,) = torch.autograd.grad(function(x).sum(), x)
        (output,) = self.lower(function, x)(x)
        self.assertTrue(torch.equal(torch.autograd.grad(output.sum(), x)[0], expected))


if __name__ == "__main__":
    unittest.main()
