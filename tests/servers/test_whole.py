# SPDX-License-Identifier: Apache-2.0
"""Models of TorchScript through the whole of Inductor: marked sizes are symbols to it, also where gradients are its own, and
frozen parameters are constants. With CULPRIT_TEST_VOLUME=full."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import torch

FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
WHOLE = "inductor:graphs=captured"


class Rows(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x).sum(0) * x.size(0)


class Weighed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.inner(x)).sum(0) * x.size(0)


def hunt(model: torch.nn.Module, inputs: str, folder: Path, backend: str, *more: str) -> str:
    torch.manual_seed(0)
    path = str(folder / "net.pt")
    torch.jit.script(model).save(path)
    command = [os.environ["CULPRIT_PROGRAM"], "hunt", path, "--inputs", inputs, "--out", str(folder), "--backend", backend]
    result = subprocess.run([*command, *more], capture_output=True, text=True, timeout=600, check=False)
    return f"{result.stdout}{result.stderr}\nexit code {result.returncode}"


@unittest.skipUnless(FULL, "volume")
class WholeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def fail_at(self, operator: str, model: torch.nn.Module, inputs: str, backend: str) -> tuple[str, str]:
        """A hunt that ends at it with sizes and parameters as they were: the repro, and what Inductor was given."""
        only = ("--fault", f"{operator}:accuracy", "--only", "drop", "--no-switches")
        said = hunt(model, inputs, self.folder, backend, *only)
        self.assertIn(f" = aten::{operator}\n", said)
        self.assertIn("verified: the failure came back in 10 of 10 processes", said)
        latest = self.folder / "latest"
        return (latest / "repro.py").read_text(), (latest / "compiler" / "inductor_graph.py").read_text()

    def test_marked_sizes_are_symbols_and_stay_in_the_repro(self) -> None:
        repro, given = self.fail_at("tanh", Rows(), "f32[?6,8]", WHOLE)
        self.assertIn("placeholder_symbols = {'x': ['s0', None]}", repro)
        self.assertRegex(given, r'"Sym\((s\d+)\)", \w+: "f32\[\1, 8\]"')

    def test_nobody_is_accused_where_marked_sizes_are_trained(self) -> None:
        said = hunt(Weighed(), "f32[?6,8]", self.folder, "inductor", "--train")
        self.assertIn("net_0_captured", said)
        self.assertTrue(said.endswith("exit code 0"), said)

    def test_frozen_parameters_are_constants(self) -> None:
        repro, given = self.fail_at("linear", Weighed(), "f32[6,8]", f"{WHOLE},freezing=1")
        self.assertIn(f'"backend": "{WHOLE},freezing=1"', repro)
        self.assertIn("self._frozen_param", given)


if __name__ == "__main__":
    unittest.main()
