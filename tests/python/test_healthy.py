# SPDX-License-Identifier: Apache-2.0
"""Programs whose compiler is right: watching changes nothing."""

from __future__ import annotations

import itertools
import os
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any

import culprit
import torch
import torch._inductor.utils
import torch.utils.checkpoint
from culprit._culprit import Refusal
from culprit.live.graph_text import captured_graph
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import boxed_nop
from torch._higher_order_ops.while_loop import while_loop
from torch.nn.attention.flex_attention import flex_attention
from torch.utils._python_dispatch import TorchDispatchMode

from tests.python import child, nets


def trained(net: type[torch.nn.Module] = nets.Net, **options: Any) -> list[torch.Tensor]:
    torch._dynamo.reset()
    torch.manual_seed(0)
    module = net()
    return nets.train(module, nets.watched(module, **options), steps=3)


class Checkpointed(nets.Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = torch.utils.checkpoint.checkpoint(lambda y: self.first(y).relu(), x, use_reentrant=False)
        return self.second(hidden).sigmoid()


class Dropping(nets.Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.dropout(super().forward(x), 0.5)


class Normalised(nets.Net):
    """Writes its buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.norm(self.first(x)).relu()).sigmoid()


class PartlyFrozen(nets.Net):
    """Records no gradients for a part."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x).relu()
        with torch.no_grad():
            mean = hidden.mean(0)
        return self.second((hidden - mean) * mean.exp_()).sigmoid()


class Casting(nets.Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.first(x).relu()
        return self.second(hidden.float()).sigmoid()


class WithBreak(nets.Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x).relu()
        torch._dynamo.graph_break()
        return self.second(hidden).sigmoid()


def choose(x: torch.Tensor) -> torch.Tensor:
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,))


def repeat(x: torch.Tensor) -> torch.Tensor:
    return while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y.sin()), (torch.tensor(0), x))[1]


def attend(x: torch.Tensor) -> torch.Tensor:
    return flex_attention(x, x, x)


def reason(operator: str) -> str:
    advice = "to have the rest watched, call it in a function with @torch.compiler.disable"
    return f"'{operator}' calls graphs or kernels that a repro cannot hold; {advice}"


class Operators(TorchDispatchMode):
    """Lists them."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


class HealthyTest(unittest.TestCase):
    def setUp(self) -> None:
        torch._dynamo.reset()
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)

    def tearDown(self) -> None:
        self.assertEqual(os.listdir("."), [])

    def test_at_every_level_training_is_the_same_bit_for_bit(self) -> None:
        for net in (nets.Net, Checkpointed, Dropping, WithBreak, Normalised, PartlyFrozen, Casting):
            plain = trained(net, level=0)
            for level, after in itertools.product((1, 2, 4), ("aot", "dynamo", "auto")):
                with self.subTest(f"{net.__name__} at level {level} after {after}"):
                    for expected, actual in zip(plain, trained(net, level=level, after=after), strict=True):
                        self.assertTrue(torch.equal(expected, actual))

    def test_autocast_is_the_same_bit_for_bit(self) -> None:
        def run(**options: Any) -> list[torch.Tensor]:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return trained(nets.Net, **options)

        plain = run(level=0)
        for after in ("aot", "dynamo"):
            for expected, actual in zip(plain, run(level=4, after=after), strict=True):
                self.assertTrue(torch.equal(expected, actual))

    def test_sizes_that_differ_from_call_to_call_compile_no_more_often(self) -> None:
        def compilations(**options: Any) -> int:
            torch._dynamo.reset()
            torch._dynamo.utils.counters.clear()
            compiled = nets.watched(nets.Net(), **options)
            for size in (3, 5, 7, 9):
                x = torch.randn(size, 4)
                compiled(x).sum().backward()
            return torch._dynamo.utils.counters["stats"]["unique_graphs"]

        for after in ("aot", "dynamo"):
            self.assertEqual(compilations(level=4, after=after), compilations(level=0))

    def test_marked_sizes_are_watched(self) -> None:
        for after in ("aot", "auto"):
            torch._dynamo.reset()
            compiled = nets.watched(nets.Net(), level=4, after=after)
            x = torch.randn(6, 4)
            torch._dynamo.mark_dynamic(x, 0)
            with torch.no_grad():
                self.assertEqual(compiled(x).shape, (6, 2))
                self.assertEqual(compiled(torch.randn(11, 4)).shape, (11, 2))

    def test_threads_may_call_at_once(self) -> None:
        net = nets.Net()
        compiled = nets.watched(net, level=4, after="auto")
        expected = nets.infer(compiled)
        x = torch.ones(3, 4)
        wanted = net(x)
        met: list[torch.Tensor] = []
        threads = [threading.Thread(target=lambda: met.append(compiled(x))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(met), 4)
        for result in met:
            self.assertTrue(torch.equal(result, wanted))
        self.assertEqual(expected.shape, (3, 2))

    def test_what_the_program_writes_is_written_once(self) -> None:
        def count(x: torch.Tensor, buffer: torch.Tensor) -> torch.Tensor:
            buffer.add_(1)
            return x * buffer

        for after in ("aot", "dynamo"):
            torch._dynamo.reset()
            buffer = torch.zeros(3)
            compiled = nets.watched(count, level=4, after=after)
            for _ in range(3):
                compiled(torch.ones(3), buffer)
            self.assertEqual(buffer.tolist(), [3.0, 3.0, 3.0])

    def test_what_the_program_raises_is_its_own(self) -> None:
        def pick(x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
            return x[index]

        for after in ("aot", "dynamo"):
            torch._dynamo.reset()
            with self.assertRaisesRegex(IndexError, "out of range|out of bounds") as raised:
                nets.watched(pick, level=4, after=after)(torch.ones(3), torch.tensor([7]))
            self.assertFalse(getattr(raised.exception, "__notes__", []))

    def test_what_asks_the_program_to_end_is_no_failure(self) -> None:
        def compiler(gm: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            raise KeyboardInterrupt

        for after in ("aot", "dynamo"):
            torch._dynamo.reset()
            with self.assertRaises(KeyboardInterrupt):
                nets.watched(nets.Net(), backend=aot_autograd(fw_compiler=compiler), after=after)(torch.ones(3, 4))

    def test_operators_that_call_graphs_run_and_one_line_names_them_and_says_what_to_do(self) -> None:
        def program(function: Any, after: str) -> None:
            compiled = nets.watched(function, level=4, after=after)
            for x in (torch.ones(1, 1, 4, 4), -torch.ones(1, 1, 4, 4)):
                assert torch.allclose(compiled(x), function(x))

        for function, operator in ((choose, "cond"), (repeat, "while_loop"), (attend, "flex_attention")):
            for after, stage in (("aot", "inference"), ("dynamo", "captured")):
                with self.subTest(f"{operator} after {after}"):
                    run = child.run(lambda function=function, after=after: program(function, after), Path("."))
                    self.assertEqual((run.exit_code, run.folders()), (0, []), run.err)
                    told = [line for line in run.err.splitlines() if line.startswith("culprit: ")]
                    graph = f"{function.__name__}_0_{stage}"
                    self.assertEqual(told, [f"culprit: warning: {graph} is not watched: {reason(operator)}"])

    def test_a_kernel_of_triton_is_refused_by_its_name(self) -> None:
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        mutation = torch.ops.higher_order.triton_kernel_wrapper_mutation
        graph.call_function(mutation, (), {"kernel_idx": 0, "constant_args_idx": 0, "grid": [(1, 1, 1)], "kwargs": {"x": x}})
        graph.output((x,))
        with self.assertRaises(Refusal) as refused:
            captured_graph("net_0_inference", torch.fx.GraphModule(torch.nn.Module(), graph), [torch.ones(3)])
        self.assertEqual(str(refused.exception), reason("triton_kernel_wrapper_mutation"))

    def test_a_compiler_above_autograd_is_watched_at_every_point(self) -> None:
        def compiler(gm: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            return gm.forward

        for after in ("aot", "dynamo", "auto"):
            for expected, actual in zip(
                trained(nets.Net, level=0), trained(nets.Net, backend=compiler, level=4, after=after), strict=True
            ):
                self.assertTrue(torch.equal(expected, actual))

    def test_where_numbers_are_judged_backward_graphs_get_no_memory_to_write_into(self) -> None:
        def donated(level: int) -> list[int]:
            seen: list[int] = []

            def backward(gm: torch.fx.GraphModule, inputs: list[Any]) -> Any:
                seen.extend(torch._inductor.utils.get_donated_idxs() or [])
                return boxed_nop(gm, inputs)

            torch._dynamo.reset()
            compiler = aot_autograd(fw_compiler=boxed_nop, bw_compiler=backward)
            net = nets.Net()
            nets.train(net, nets.watched(net, backend=compiler, level=level), steps=1)
            return seen

        self.assertEqual(donated(4), [])
        self.assertNotEqual(donated(2), [])

    def test_modes_of_the_program_see_what_is_compiled_and_nothing_else(self) -> None:
        def operators(**options: Any) -> list[str]:
            torch._dynamo.reset()
            compiled = nets.watched(nets.Net(), **options)
            nets.infer(compiled)
            with Operators() as seen:
                nets.infer(compiled)
            return seen.names

        for after in ("aot", "dynamo"):
            self.assertEqual(operators(level=4, after=after), operators(level=0))
        self.assertIn("aten.relu.default", operators(level=4))

    def test_watch_is_for_its_thread_and_scope(self) -> None:
        watched = culprit.watch(level=4, faults="relu:accuracy", directory=tempfile.mkdtemp())
        with watched, self.assertRaises(culprit.AccuracyError):
            nets.infer(torch.compile(nets.Net(), backend="aot_eager"))
        torch._dynamo.reset()
        nets.infer(torch.compile(nets.Net(), backend="aot_eager"))


if __name__ == "__main__":
    unittest.main()
