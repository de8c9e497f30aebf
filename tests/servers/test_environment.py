# SPDX-License-Identifier: Apache-2.0
"""A compiler in another environment: what users read says which, and what is still Culprit's own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent


def make_environment(folder: Path) -> Path:
    """Its PyTorch calls itself 9.9. Gives the interpreter."""
    (folder / "sitecustomize.py").write_text("import torch\ntorch.__version__ = '9.9'\n")
    python = folder / "python"
    python.write_text(f"#!/bin/sh\nexport PYTHONPATH={folder}:$PYTHONPATH\nexec {sys.executable} \"$@\"\n")
    python.chmod(0o755)
    return python


class EnvironmentTest(unittest.TestCase):
    def test_the_output_says_whose_eager_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            python = make_environment(Path(folder))
            net = str(HERE.parents[1] / "examples/server/net.py")
            backend = f"{HERE / 'toy.py'}:python={python},fault=wrong"
            command = [os.environ["CULPRIT_PROGRAM"], "hunt", net, "--backend", backend, "--out", folder]
            result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            note = f"note: eager and the compiler are those of PyTorch 9.9, run by {python}; "
            self.assertIn(note + "gradients and float64 are Culprit's own", " ".join(result.stderr.split()))
            summary = Path(folder, "latest", "summary.md").read_text()
            self.assertIn(f"- eager is that of PyTorch 9.9, run by {python}; ", summary)
            self.assertIn(", torch 9.9, ", summary)


if __name__ == "__main__":
    unittest.main()
