# SPDX-License-Identifier: Apache-2.0
"""Plain torch.compile(model): the compiler is Inductor, and its own pipeline is watched. Its repro is made smaller with
CULPRIT_TEST_VOLUME=full."""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
import unittest
from pathlib import Path

import culprit

from tests.python import child, repros

_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
_ARGMIN = Path(__file__).parent / "programs" / "argmin.py"


class DefaultCompilerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_under_exec_its_bug_ends_an_unmodified_program_and_becomes_a_verified_repro(self) -> None:
        program = [sys.executable, str(_ARGMIN)]
        run = repros.run_program(repros.watched(program, "--level", "4"), self.folder)
        self.assertEqual((run.returncode, run.stdout), (1, ""), run.stderr)
        self.assertIn("culprit.errors.AccuracyError: net_0_inference: compare: wrong values in outputs[0]", run.stderr)
        graph, repro = repros.named_at_the_end(run.stderr)
        self.assertEqual(graph, "net_0_inference")
        if not _IS_FULL:
            return
        small = repros.minify(repro, self.folder)
        self.assertEqual((small.exit_code, small.details["verified"]), (0, True), small.details)
        self.assertEqual(small.operators, ["aten::add", "aten::argmin"])

    def test_in_a_scope_its_bug_is_found(self) -> None:
        def program() -> None:
            with culprit.watch(level=4, directory="runs"):
                runpy.run_path(str(_ARGMIN))

        run = child.run(program, self.folder, seconds=120)
        self.assertEqual((run.exit_code, run.out), (1, ""), run.err)
        graph, repro = repros.named_at_the_end(run.err)
        self.assertEqual((graph, self.folder / repro), ("net_0_inference", run.repro()))


if __name__ == "__main__":
    unittest.main()
