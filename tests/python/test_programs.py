# SPDX-License-Identifier: Apache-2.0
"""Ordinary programs whose compiler is right: the same numbers, bit for bit, whoever watches."""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.utils.checkpoint
import torch.utils.data

from tests.python import child, nets

_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"

Watched = Callable[[Any], Any]


def optimizer_in_the_graph(watched: Watched) -> list[torch.Tensor]:
    net = nets.Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)

    def step(x: torch.Tensor) -> None:
        net(x).square().sum().backward()
        optimizer.step()
        optimizer.zero_grad()

    # Dynamo breaks at `backward`; what is before it and the optimizer are graphs.
    compiled = watched(step)
    for _ in range(2):
        compiled(torch.randn(3, 4))
    return list(net.parameters())


def accumulated_gradients(watched: Watched) -> list[torch.Tensor]:
    net = nets.Net()
    compiled = watched(net)
    for _ in range(2):
        compiled(torch.randn(3, 4)).sum().backward()
    return [parameter.grad for parameter in net.parameters() if parameter.grad is not None]


def autocast_with_checkpoints(watched: Watched) -> list[torch.Tensor]:
    class Checkpointed(nets.Net):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            hidden = torch.utils.checkpoint.checkpoint(self.first, x, use_reentrant=False)
            return self.second(torch.nn.functional.dropout(hidden.relu())).sigmoid().float()

    net = Checkpointed()
    compiled = watched(net)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return nets.train(net, compiled)


def breaks_and_prints(watched: Watched) -> list[torch.Tensor]:
    class Printing(nets.Net):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            hidden = self.first(x)
            if hidden.sum() > 0:
                print("positive")
            return self.second(hidden.relu()).sigmoid()

    net = Printing()
    return nets.train(net, watched(net))


class Numbers(torch.utils.data.Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 6

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.full((4,), float(index))


def loader_with_workers(watched: Watched) -> list[torch.Tensor]:
    net = nets.Net()
    compiled = watched(net)
    loader = torch.utils.data.DataLoader(Numbers(), batch_size=3, num_workers=2)
    losses = []
    for x in loader:
        loss = compiled(x).sum()
        loss.backward()
        losses.append(loss.detach())
    return losses + [parameter.grad for parameter in net.parameters() if parameter.grad is not None]


def sizes_that_differ(watched: Watched) -> list[torch.Tensor]:
    compiled = watched(nets.Net())
    x = torch.randn(4, 4)
    torch._dynamo.mark_dynamic(x, 0)
    with torch.no_grad():
        return [compiled(x), compiled(torch.randn(7, 4)), compiled(torch.randn(1, 4))]


def gradients_of_inputs_and_views(watched: Watched) -> list[torch.Tensor]:
    def function(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y.mul_(x.detach())
        return x.t() * 2, (x.exp() @ y.view(3, 3)).sum()

    compiled = watched(function)
    x = torch.randn(3, 3, requires_grad=True)
    y = torch.randn(3, 3)
    turned, total = compiled(x, y)
    (turned.sum() + total).backward()
    return [turned.detach(), total.detach(), y, x.grad] if x.grad is not None else []


_PROGRAMS = (
    optimizer_in_the_graph,
    accumulated_gradients,
    autocast_with_checkpoints,
    breaks_and_prints,
    loader_with_workers,
    sizes_that_differ,
    gradients_of_inputs_and_views,
)


class ProgramsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_program(self, program: Callable[[Watched], list[torch.Tensor]], **options: Any) -> str:
        """What it prints, numbers to the last bit."""

        def main() -> None:
            torch.manual_seed(0)
            for tensor in program(lambda model: nets.watched(model, **options)):
                print(tensor.shape, [number.hex() for number in tensor.double().flatten().tolist()])

        run = child.run(main, self.folder)
        self.assertEqual((run.exit_code, run.folders()), (0, []), run.err)
        # Optimizers hold parameters themselves, and are watched below autograd.
        told = [line for line in run.err.splitlines() if line.startswith("culprit: ")]
        self.assertTrue(all("is a tensor of the graph" in line for line in told), told)
        return run.out

    def test_the_numbers_are_the_same_bit_for_bit(self) -> None:
        cells = list(itertools.product((1, 2, 3, 4), ("aot", "dynamo", "auto")))
        drawn = random.Random(3)
        for program in _PROGRAMS:
            alone = self.run_program(program, level=0)
            self.assertIn("0x", alone)
            for level, after in cells if _IS_FULL else drawn.sample(cells, 1):
                with self.subTest(f"{program.__name__} at level {level} after {after}"):
                    self.assertEqual(self.run_program(program, level=level, after=after), alone)


class AfterAFailureTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_suppressed_the_numbers_are_eagers(self) -> None:
        def program(fault: str, level: int, after: str) -> None:
            net, expected = nets.Net(), nets.Net()
            expected.load_state_dict(net.state_dict())
            options = {"level": level, "after": after, "faults": fault, "suppress_errors": True}
            for actual, wanted in zip(nets.train(net, nets.watched(net, **options)), nets.train(expected, expected), strict=True):
                torch.testing.assert_close(actual, wanted)

        for fault, level, after in (
            ("relu:compile-error", 2, "aot"),
            ("relu:runtime-error", 1, "dynamo"),
            ("sigmoid_backward:accuracy", 4, "dynamo"),
            ("threshold_backward:accuracy", 4, "auto"),
        ):
            with self.subTest(f"{fault} after {after}"):
                run = child.run(lambda f=fault, n=level, a=after: program(f, n, a), self.folder)
                self.assertEqual(run.exit_code, 0, run.err)
                self.assertTrue(run.folders())


if __name__ == "__main__":
    unittest.main()
