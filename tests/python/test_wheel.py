# SPDX-License-Identifier: Apache-2.0
"""pip install, into a fresh environment that sees the PyTorch of this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import venv
from pathlib import Path

import torch

_SOURCE = Path(__file__).parents[2]


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        # Nothing of this process's build tree is to help.
        cls.variables = {n: v for n, v in os.environ.items() if not n.startswith(("CULPRIT", "PYTHON", "VIRTUAL"))}
        wheels = cls.folder / "wheels"
        build = [sys.executable, "-m", "pip", "wheel", str(_SOURCE), "--no-build-isolation", "--no-deps", "-w", str(wheels)]
        cls.run_command(*build, environment=os.environ)
        environment = cls.folder / "environment"
        venv.create(environment, with_pip=False, symlinks=True)
        cls.bin = environment / "bin"
        packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
        (packages / "pytorch.pth").write_text(str(Path(torch.__file__).parents[1]) + "\n")
        (wheel,) = wheels.glob("culprit-*.whl")
        install = [sys.executable, "-m", "pip", "--python", str(cls.bin / "python"), "install", "--no-deps", str(wheel)]
        cls.run_command(*install)

    @classmethod
    def run_command(
        cls, *command: str, environment: dict[str, str] | None = None, exit_code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        run = subprocess.run(
            command, env=environment or cls.variables, cwd=cls.folder, capture_output=True, text=True, check=False
        )
        if run.returncode != exit_code:
            raise AssertionError(f"{command}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
        return run

    def test_the_program_hunts(self) -> None:
        net = _SOURCE / "examples" / "03_hunt" / "net.py"
        hunt = [str(self.bin / "culprit"), "hunt", str(net), "--backend", "torchscript:stage=ofi"]
        run = self.run_command(*hunt, exit_code=1)
        self.assertIn("avg_pool2d = aten::avg_pool2d", run.stdout)

    def test_a_model_of_python_is_hunted(self) -> None:
        code = (
            "import culprit, torch\n"
            "fault = ['--fault', 'relu:accuracy']\n"
            "print(culprit.hunt(torch.nn.ReLU(), torch.ones(3), backend='native', arguments=fault))\n"
        )
        run = self.run_command(str(self.bin / "python"), "-c", code)
        self.assertIn("inference: compare: wrong values in outputs[0] (call 1)\n  aten::relu", run.stdout)

    def test_a_program_names_the_backend_and_is_watched(self) -> None:
        code = (
            "import torch\n"
            "options = {'backend': 'aot_eager', 'level': 4, 'faults': 'relu:accuracy'}\n"
            "torch.compile(lambda x: x.relu(), backend='culprit', options=options)(torch.ones(3))\n"
        )
        run = self.run_command(str(self.bin / "python"), "-c", code, exit_code=1)
        self.assertIn("culprit.errors.AccuracyError", run.stderr)

    def test_another_pytorch_is_a_sentence(self) -> None:
        fake = self.folder / "fake" / "torch-2.14.0.dist-info"
        fake.mkdir(parents=True)
        (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.14.0\n")
        self.addCleanup(shutil.rmtree, fake.parent)
        environment = {**self.variables, "PYTHONPATH": str(fake.parent)}
        run = self.run_command(str(self.bin / "culprit"), "--version", environment=environment, exit_code=4)
        self.assertRegex(run.stderr, r"\Aculprit: error: .* has PyTorch 2\.14\.0, and Culprit was built with 2\.13\n")

    def test_it_wants_its_pytorch(self) -> None:
        code = "import importlib.metadata; print(importlib.metadata.requires('culprit'))"
        run = self.run_command(str(self.bin / "python"), "-c", code)
        self.assertEqual(run.stdout, "['torch==2.13.*']\n")

    def test_types_are_shipped(self) -> None:
        (package,) = (self.bin.parent / "lib").glob("python*/site-packages/culprit")
        for name in ("py.typed", "_culprit.pyi", "program/include/culprit/backend.h", "program/lib/libculprit.so"):
            self.assertTrue((package / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
