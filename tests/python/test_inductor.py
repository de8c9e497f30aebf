# SPDX-License-Identifier: Apache-2.0
"""A real bug of Inductor: argmin of a transposed tensor (pytorch/pytorch#197739)."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import torch

from tests.python import child, nets

PROGRAM = os.environ["CULPRIT_PROGRAM"]


class Guilty(nets.Net):
    def forward(self, x: torch.Tensor) -> Any:
        hidden = torch.nn.functional.gelu(self.first(x))
        return self.second(hidden), (hidden[:2, :2].t() + 0.5).argmin()


def fail(**options: Any) -> None:
    torch.manual_seed(0)
    compiled = nets.watched(Guilty(), backend="inductor", level=4, **options)
    with torch.no_grad():
        for _ in range(20):
            compiled(torch.randn(3, 4))


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


class InductorTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_its_bug_is_found_in_the_second_run_too_and_comes_back_elsewhere(self) -> None:
        # The second run finds what the first has compiled in PyTorch's caches.
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(self.folder / "cache")
        self.addCleanup(os.environ.pop, "TORCHINDUCTOR_CACHE_DIR")
        for name in ("first", "second"):
            with self.subTest(name):
                (self.folder / name).mkdir()
                run = child.run(fail, self.folder / name, seconds=300)
                self.assertEqual(run.exit_code, 1, run.err)
                self.assertIn("AccuracyError: guilty_0_inference: compare: wrong values in outputs[1]", run.err)
        header = run.repro().read_text()
        self.assertIn('"backend": "inductor:graphs=below"', header)
        self.verify(run)

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


if __name__ == "__main__":
    unittest.main()
