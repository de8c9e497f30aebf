# SPDX-License-Identifier: Apache-2.0
"""A file of PyTorch with `tracing_mode='symbolic'`, and a bug that only sizes as symbols show: they stay in the repro.
With CULPRIT_TEST_VOLUME=full."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FILE = Path(__file__).parent.parent / "fixtures/inductor/argmin_dynamic.py"


@unittest.skipUnless(os.environ.get("CULPRIT_TEST_VOLUME") == "full", "in full volume")
class DynamicHuntTest(unittest.TestCase):
    def test_symbols_stay_in_the_repro(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            command = [os.environ["CULPRIT_PROGRAM"], "hunt", str(FILE), "--out", folder]
            hunt = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
            self.assertIn("operators 10 -> 2", hunt.stdout)
            self.assertIn("verified: the failure came back in 10 of 10", hunt.stdout)
            repro = Path(folder, "latest", "repro.py")
            self.assertIn("placeholder_symbols = {'arg2_1': ['s77', 's27', 's27']", repro.read_text())
            plain = repro.with_name("plain.py")
            self.assertIn("torch.compile(f, dynamic=True)", plain.read_text())
            for file in (repro, plain):
                command = [sys.executable, str(file)]
                result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual(result.returncode, 1, file)
                self.assertIn("CppCompileError", result.stderr, file)


if __name__ == "__main__":
    unittest.main()
