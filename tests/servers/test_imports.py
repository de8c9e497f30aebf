# SPDX-License-Identifier: Apache-2.0
"""Nothing that lies beside a stranger's repro is imported."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUG = Path(__file__).parent.parent / "fixtures/inductor/max_int8.py"
NAMES = ("torch", "numpy", "tqdm", "culprit", "sitecustomize", "usercustomize", "json", "socket", "sympy")


class ImportsTest(unittest.TestCase):
    def test_files_beside_a_repro_are_not_imported(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in NAMES:
                Path(folder, f"{name}.py").write_text(f"open({folder + '/imported'!r}, 'a').write({name!r})\n")
            shutil.copy(BUG, folder)
            command = [os.environ["CULPRIT_PROGRAM"], "run", BUG.name, "--backend", "inductor:graphs=below"]
            result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
            self.assertIn("failure: compare: wrong values in outputs[0]", result.stdout + result.stderr)
            self.assertFalse(Path(folder, "imported").exists())


if __name__ == "__main__":
    unittest.main()
