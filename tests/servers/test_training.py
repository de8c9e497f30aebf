# SPDX-License-Identifier: Apache-2.0
"""Hunts in models that are trained, with gradients of the compiler's own: a wrong one ends at the operator that it
comes from. Two of the models, with CULPRIT_TEST_VOLUME=full all of them, and Inductor."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch

HERE = Path(__file__).parent
FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


class Dense(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(6, 8), torch.nn.Linear(8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.second(torch.tanh(self.first(x))))


class Pooled(torch.nn.Module):
    """Running statistics are written."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(4)
        self.pool = torch.nn.AvgPool2d(3, 2, ceil_mode=True)
        self.linear = torch.nn.Linear(36, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(self.pool(torch.relu(self.norm(self.conv(x)))).flatten(1))


class Attentive(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.norm = torch.nn.Linear(8, 24), torch.nn.LayerNorm(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        weights = torch.softmax(q @ k.transpose(-2, -1) / 2.8, -1)
        return x + weights @ v


class Recurrent(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = torch.nn.Linear(4, 5), torch.nn.Linear(5, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = torch.zeros(2, 5)
        for step in range(3):
            state = torch.sin(self.inner(x[:, step]) + self.outer(state))
        return torch.exp(state)


#: A model, its input, the operator whose gradient is wrong, and how many are needed to show it: the sum of a softmax
#: has no gradient.
MODELS = {
    "dense": (Dense, "f32[2,6]", "tanh.default", 1),
    "pooled": (Pooled, "f32[2,3,6,6]", "relu.default", 1),
    "attentive": (Attentive, "f32[2,3,8]", "softmax.int", 2),
    "recurrent": (Recurrent, "f32[2,3,4]", "exp.default", 1),
}
SOME = dict(list(MODELS.items())[: None if FULL else 2])


def hunt(model: torch.nn.Module, inputs: str, backend: str, folder: Path, *more: str) -> str:
    torch.manual_seed(0)
    path = str(folder / "net.pt")
    torch.jit.script(model).save(path)
    command = [os.environ["CULPRIT_PROGRAM"], "hunt", path, "--train", "--inputs", inputs, "--backend", backend]
    command += ["--out", str(folder), *more]
    result = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    return f"{result.stdout}{result.stderr}\nexit code {result.returncode}"


def toy(options: str = "") -> str:
    return f"exec:{sys.executable} -P {HERE / 'toy.py'} --gradients{options}"


class TrainingTest(unittest.TestCase):
    def test_a_wrong_gradient_ends_at_its_operator(self) -> None:
        for name, (model, inputs, operator, needed) in SOME.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                said = hunt(model(), inputs, toy(f":spoils=aten.{operator}"), Path(folder))
                self.assertRegex(said, r"failure: compare: wrong gradient in gradients\.inputs\[\d+\]")
                self.assertIn(f" = aten::{operator.partition('.')[0]}\n", said)
                counts = re.search(r"operators \d+ -> (\d+),", said)
                assert counts is not None, said
                self.assertLessEqual(int(counts[1]), needed)
                self.assertIn("verified: the failure came back in 10 of 10 processes", said)
                self.assertTrue(said.endswith("exit code 1"), said)

    def test_nobody_is_accused_of_right_ones(self) -> None:
        for name, (model, inputs, _, _) in SOME.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                said = hunt(model(), inputs, toy(), Path(folder))
                self.assertTrue(said.endswith("exit code 0"), said)

    @unittest.skipUnless(FULL, "volume")
    def test_inductor_is_not_accused_of_right_ones(self) -> None:
        for name in ("dense", "attentive", "recurrent"):
            model, inputs, _, _ = MODELS[name]
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                said = hunt(model(), inputs, "inductor:graphs=captured", Path(folder))
                self.assertTrue(said.endswith("exit code 0"), said)

    @unittest.skipUnless(FULL, "volume")
    def test_the_bug_of_a_pooling_is_found_in_inductor(self) -> None:
        operators = {"inductor": "avg_pool2d_backward", "inductor:graphs=captured": "avg_pool2d"}
        for backend, operator in operators.items():
            graph = "net_0_backward" if backend == "inductor" else "net_0_captured"
            with self.subTest(backend), tempfile.TemporaryDirectory() as folder:
                said = hunt(Pooled(), "f32[2,3,6,6]", backend, Path(folder), "--which", graph)
                self.assertIn(f" = aten::{operator}\n", said)
                self.assertIn("verified: the failure came back in 10 of 10 processes", said)


if __name__ == "__main__":
    unittest.main()
