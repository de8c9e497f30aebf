# SPDX-License-Identifier: Apache-2.0
"""The report on a crash of a compiler in Python names where its Python was, beside the functions of native code."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent


class CrashReportTest(unittest.TestCase):
    def test_frames_of_python_stand_beside_native_ones(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            net = str(HERE.parents[1] / "examples/server/net.py")
            backend = f"exec:{sys.executable} -P {HERE / 'toy.py'}:fault=crash"
            command = [os.environ["CULPRIT_PROGRAM"], "hunt", net, "--backend", backend, "--out", folder]
            result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            summary = Path(folder, "latest", "summary.md").read_text()
            self.assertRegex(summary, r"^# aten::\w+: compile: signal SIGSEGV in \w+")
            self.assertRegex(summary, r"- in the compiler: `string_at at .*/ctypes/__init__\.py:\d+`, called by `<lambda> at ")
            self.assertRegex(summary, r"called by `compile at .*/tests/servers/toy\.py:\d+`")


if __name__ == "__main__":
    unittest.main()
