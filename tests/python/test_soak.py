# SPDX-License-Identifier: Apache-2.0
"""Many watched calls: what a process holds at the end is what it held at the start. 500 in `make test`, 20,000 in full volume."""

from __future__ import annotations

import ast
import gc
import os
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from tests.python import child, nets

_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
_CALLS = 20_000 if _IS_FULL else 500
_WARM_UP = 100
_SAMPLES = 50
#: Of all calls together. What the allocator does with its pages is less.
_MOST_GROWTH = 1 << 20
_BACKENDS = ("aot_eager", "inductor") if _IS_FULL else ("aot_eager",)


@dataclass(frozen=True)
class Held:
    descriptors: int
    threads: int
    resident: int

    @staticmethod
    def now() -> Held:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        counts = (len(os.listdir(f"/proc/self/{what}")) for what in ("fd", "task"))
        return Held(*counts, resident=pages * os.sysconf("SC_PAGE_SIZE"))


def soak(call: Callable[[], Any]) -> None:
    """Prints what is held after equal parts of the calls."""
    for _ in range(_WARM_UP):
        call()
    # What PyTorch has loaded need not be looked through each time.
    gc.freeze()
    for _ in range(_SAMPLES):
        held = Held.now()
        print((held.descriptors, held.threads, held.resident))
        for _ in range(_CALLS // _SAMPLES):
            call()


def growth(sizes: list[int]) -> float:
    """Over all samples, by the line that fits them best."""
    middle, mean = (len(sizes) - 1) / 2, sum(sizes) / len(sizes)
    slope = sum((i - middle) * (size - mean) for i, size in enumerate(sizes))
    return slope / sum((i - middle) ** 2 for i in range(len(sizes))) * len(sizes)


def inference(**options: Any) -> None:
    compiled = nets.watched(nets.Net(), **options)
    with torch.no_grad():
        soak(lambda: compiled(torch.randn(3, 4)))


def training(**options: Any) -> None:
    net = nets.Net()
    compiled = nets.watched(net, **options)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step() -> None:
        optimizer.zero_grad()
        compiled(torch.randn(3, 4)).square().sum().backward()
        optimizer.step()

    soak(step)


def leaking() -> None:
    kept: list[Any] = []

    def compiler(gm: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        def call(*values: Any) -> Any:
            kept.append(bytearray((4 << 20) // _CALLS))
            if len(kept) % (_CALLS // 4) == 0:
                os.open(os.devnull, os.O_RDONLY)
            return gm(*values)

        return call

    inference(backend=compiler, level=2)


class SoakTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def samples(self, program: Callable[[], Any]) -> list[Held]:
        run = child.run(program, self.folder, seconds=1200)
        self.assertEqual((run.exit_code, run.folders()), (0, []), run.err)
        return [Held(*ast.literal_eval(line)) for line in run.out.splitlines()]

    def test_what_is_held_does_not_grow(self) -> None:
        for backend in _BACKENDS:
            for program in (inference, training):
                for level in (2, 4):
                    with self.subTest(f"{program.__name__} at level {level} with {backend}"):
                        held = self.samples(lambda p=program, n=level, b=backend: p(level=n, backend=b))
                        first, last = held[0], held[-1]
                        self.assertEqual((last.descriptors, last.threads), (first.descriptors, first.threads))
                        self.assertLess(growth([sample.resident for sample in held]), _MOST_GROWTH)

    def test_what_grows_is_seen(self) -> None:
        held = self.samples(leaking)
        self.assertGreater(held[-1].descriptors, held[0].descriptors)
        self.assertGreater(growth([sample.resident for sample in held]), _MOST_GROWTH)


if __name__ == "__main__":
    unittest.main()
