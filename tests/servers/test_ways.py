# SPDX-License-Identifier: Apache-2.0
"""A model and a compiler that takes graphs from above and from below autograd: it is asked below first."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch

TOY = f"exec:{sys.executable} -P {Path(__file__).parent / 'toy.py'} --gradients --whole"
PASSES = "passes: in 3 runs"


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(6, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.inner(x))


def hunt(backend: str, folder: str) -> str:
    path = str(Path(folder, "net.pt"))
    torch.jit.script(Net()).save(path)
    command = [os.environ["CULPRIT_PROGRAM"], "hunt", path, "--inputs", "f32[2,6]", "--backend", backend, "--out", folder]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return result.stdout + result.stderr


class WaysTest(unittest.TestCase):
    def test_what_fails_below_is_hunted_there(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            said = hunt(f"{TOY}:fault=wrong", folder)
            repro = Path(folder, "latest", "repro.py").read_text()
        self.assertIn("verified: the failure came back in 10 of 10", said)
        self.assertNotIn("below autograd it passes", said)
        self.assertNotIn("graphs=captured", repro)

    def test_what_fails_above_alone_is_hunted_above(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            said = hunt(f"{TOY}:fault=wrong_above", folder)
            repro = Path(folder, "latest", "repro.py").read_text()
        self.assertIn("below autograd it passes", said)
        self.assertIn("verified: the failure came back in 10 of 10", said)
        self.assertIn("graphs=captured", repro)

    def test_a_way_that_the_user_has_chosen_is_the_only_one(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            said = hunt(f"{TOY}:fault=wrong_above,graphs=aot", folder)
        self.assertIn(PASSES, said)

    def test_a_model_that_passes_does_so_both_ways(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            said = hunt(TOY, folder)
        self.assertIn(PASSES, said)


if __name__ == "__main__":
    unittest.main()
