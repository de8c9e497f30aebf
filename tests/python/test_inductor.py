# SPDX-License-Identifier: Apache-2.0
"""A real bug of Inductor: argmin of a transposed tensor (pytorch/pytorch#197739)."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import culprit
import torch
from culprit.live.graph_text import with_reshapes

from tests.python import child, nets

PROGRAM = os.environ["CULPRIT_PROGRAM"]
_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


class Guilty(nets.Net):
    def forward(self, x: torch.Tensor) -> Any:
        hidden = torch.nn.functional.gelu(self.first(x))
        return self.second(hidden), (hidden[:2, :2].t() + 0.5).argmin()


def call(compiled: Any) -> None:
    with torch.no_grad():
        for _ in range(20):
            compiled(torch.randn(3, 4))


def fail(**options: Any) -> None:
    torch.manual_seed(0)
    call(nets.watched(Guilty(), backend="inductor", level=4, **options))


def be_cached() -> None:
    """Prints what was saved in the cache of AOTAutograd, or found there."""
    torch.manual_seed(0)
    call(torch.compile(Guilty()))
    counts = torch._dynamo.utils.counters["aot_autograd"]
    print([(name, counts[name]) for name in ("autograd_cache_saved", "autograd_cache_hit") if counts[name]])


class Gated(nets.Net):
    """Inductor writes gradients into what its forward graph has saved."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x)
        return self.second(hidden * hidden.sigmoid())


def succeed(after: str) -> None:
    torch.manual_seed(0)
    net = Gated()
    for loss in nets.train(net, nets.watched(net, backend="inductor", level=4, after=after)):
        print(loss)


class Noisy(nets.Net):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.nn.functional.dropout(self.norm(self.first(x)).relu())).sigmoid()


def train_plainly(level: int | None, after: str = "") -> None:
    torch.manual_seed(0)
    net = Noisy()
    scope = culprit.watch(level=level, after=after, directory="runs") if level else contextlib.nullcontext()
    with scope:
        left = nets.train(net, torch.compile(net), steps=3) + list(net.norm.buffers())
    for tensor in left:
        print("tensor", [number.hex() for number in tensor.double().flatten().tolist()])


class InductorTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_its_bug_is_found_where_pytorchs_caches_have_the_graph_and_comes_back_elsewhere(self) -> None:
        self.enterContext(mock.patch.dict(os.environ, TORCHINDUCTOR_CACHE_DIR=str(self.folder / "cache")))
        # Nobody watches: the first run fills the caches, the second has all from there.
        for expected in ("autograd_cache_saved", "autograd_cache_hit"):
            run = child.run(be_cached, self.folder, seconds=300)
            self.assertEqual((run.exit_code, run.out), (0, f"[('{expected}', 1)]\n"), run.err)
            for name in ("aotautograd", "fxgraph"):
                self.assertTrue(any((self.folder / "cache" / name).iterdir()), name)
        run = child.run(fail, self.folder, seconds=300)
        self.assertEqual(run.exit_code, 1, run.err)
        self.assertIn("AccuracyError: guilty_0_inference: compare: wrong values in outputs[1]", run.err)
        self.assertIn('"backend": "inductor:graphs=below"', run.repro().read_text())
        self.verify(run)

    @unittest.skipUnless(_IS_FULL, "volume")
    def test_where_it_draws_random_numbers_and_writes_buffers_the_program_stays_as_it_is_bit_for_bit(self) -> None:
        plain = child.run(lambda: train_plainly(None), self.folder, seconds=300)
        self.assertEqual((plain.exit_code, plain.out.count("tensor")), (0, 12), plain.err)
        for level, after in itertools.product((1, 2, 3), ("aot", "dynamo", "auto")):
            with self.subTest(f"level {level} after {after}"):
                run = child.run(lambda n=level, a=after: train_plainly(n, a), self.folder, seconds=300)
                self.assertEqual((run.exit_code, run.out), (0, plain.out), run.err)

    def verify(self, run: child.Run) -> None:
        command = [PROGRAM, "verify", "--times", "1", str(run.repro())]
        verified = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_its_bug_is_found_where_dynamo_captured_and_comes_back_elsewhere(self) -> None:
        run = child.run(lambda: fail(after="dynamo"), self.folder, seconds=300)
        self.assertEqual(run.exit_code, 1, run.err)
        self.assertIn("AccuracyError: guilty_0_captured: compare: wrong values in outputs[1]", run.err)
        self.assertIn('"backend": "inductor:graphs=captured"', run.repro().read_text())
        self.verify(run)

    def test_what_is_right_is_left_alone(self) -> None:
        for after in ("aot", "auto"):
            run = child.run(lambda after=after: succeed(after), self.folder, seconds=300)
            self.assertEqual((run.exit_code, run.folders()), (0, []), run.err)


class StridesTest(unittest.TestCase):
    def test_graphs_are_read_so_that_eager_can_run_them_on_the_strides_that_inductor_chooses(self) -> None:
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        graph.output((graph.call_function(torch.ops.aten.view.default, (x, [2, 24])),))
        gm = torch.fx.GraphModule(torch.nn.Module(), graph)
        images = torch.randn(2, 3, 2, 4).contiguous(memory_format=torch.channels_last)
        with self.assertRaisesRegex(RuntimeError, "view size is not compatible"):
            gm(images)
        self.assertTrue(torch.equal(with_reshapes(gm)(images)[0], images.flatten(1)))
        self.assertIn("aten.view", gm.code)


if __name__ == "__main__":
    unittest.main()
