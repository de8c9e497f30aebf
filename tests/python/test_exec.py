# SPDX-License-Identifier: Apache-2.0
"""culprit exec -- python train.py"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["CULPRIT_PROGRAM"]
_PROGRAMS = Path(__file__).parent / "programs"
_TRAIN = [sys.executable, str(_PROGRAMS / "train.py"), "aot_eager"]


class ExecTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_program(
        self, *command: str, exit_code: int | None = 0, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        run = subprocess.run(
            command,
            env={**os.environ, **environment},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if exit_code is not None:
            self.assertEqual(run.returncode, exit_code, run.stdout + run.stderr)
        return run

    def graphs(self) -> list[str]:
        """Of all run folders, without time and process."""
        folders = (path for path in self.folder.glob("culprit_runs/*") if not path.is_symlink())
        return sorted(folder.name.split("-", 2)[2] for folder in folders)

    def test_a_healthy_program_computes_the_same(self) -> None:
        alone = self.run_program(*_TRAIN)
        watched = self.run_program(PROGRAM, "exec", "--level", "4", "--", *_TRAIN)
        self.assertEqual(watched.stdout, alone.stdout)
        self.assertNotIn("culprit", watched.stderr)
        self.assertEqual(self.graphs(), [])

    def test_an_unmodified_program_leaves_a_repro(self) -> None:
        run = self.run_program(
            PROGRAM, "exec", "--level", "4", "--set", "faults=relu:accuracy", "--", *_TRAIN, exit_code=1
        )
        self.assertIn("culprit.errors.AccuracyError: sequential_0_forward: compare: wrong values", run.stderr)
        self.assertIn("culprit: to make it small, run: culprit minify ", run.stderr)
        self.assertEqual(self.graphs(), ["sequential_0_forward"])

    def run_with_variables(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Of PyTorch's minifier, with a fault that shows at level 4 alone."""
        fault = ["--set", "faults=relu:accuracy"]
        names = {f"TORCHDYNAMO_REPRO_{name.upper()}": value for name, value in variables.items()}
        run = self.run_program(PROGRAM, "exec", *options, *fault, "--", *_TRAIN, exit_code=None, **names)
        given = " ".join(f"{name}={value}" for name, value in names.items())
        line = f"culprit: {given}: Culprit watches in the place of PyTorch's own minifier, which is off\n"
        self.assertEqual(run.stderr.count("TORCHDYNAMO_REPRO"), len(names), run.stderr)
        self.assertEqual(run.stderr.count(line), 1, run.stderr)
        return run

    def test_the_variables_of_pytorch_are_taken_over_and_one_line_says_so(self) -> None:
        run = self.run_with_variables(after="aot", level="4")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(self.graphs(), ["sequential_0_forward"])

    def test_pytorchs_level_means_the_same_without_its_point_and_beside_ours(self) -> None:
        self.assertEqual(self.run_with_variables(level="4").returncode, 1)
        self.assertEqual(self.graphs(), ["sequential_0_forward"])
        self.assertEqual(self.run_with_variables("--after", "dynamo", level="4").returncode, 1)
        self.assertEqual(self.graphs(), ["sequential_0_captured", "sequential_0_forward"])

    def test_pytorchs_own_minifier_is_off(self) -> None:
        # Its wrapper is around every backend there. What fails below leaves a launcher in this folder.
        fault = ["--set", "faults=relu:runtime-error"]
        run = self.run_program(
            PROGRAM, "exec", *fault, "--", *_TRAIN, exit_code=1, TORCHDYNAMO_REPRO_AFTER="dynamo"
        )
        self.assertEqual(self.graphs(), ["sequential_0_captured"])
        self.assertNotIn("Creating script to minify", run.stderr)
        self.assertEqual(list(self.folder.glob("torch_compile_debug")), [])

    def test_ranks_under_torchrun_are_watched(self) -> None:
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--standalone"]
        ranks = [*torchrun, str(_PROGRAMS / "ranks.py")]
        alone = self.run_program(*ranks)
        for after in ("aot", "auto"):
            watched = self.run_program(PROGRAM, "exec", "--level", "4", "--after", after, "--", *ranks)
            self.assertEqual(sorted(watched.stdout.split()), sorted(alone.stdout.split()))
            self.assertNotIn("culprit: ", watched.stderr)
        self.run_program(
            PROGRAM, "exec", "--level", "4", "--set", "faults=relu:accuracy", "--", *ranks, exit_code=None
        )
        # The first rank that fails may end the others before they do.
        self.assertTrue(self.graphs())
        for graph in self.graphs():
            self.assertRegex(graph, r"\Arank[01]-net_0_forward\Z")

    def test_a_wrong_setting_is_said_before_the_program_starts(self) -> None:
        run = self.run_program(PROGRAM, "exec", "--level", "7", "--", *_TRAIN, exit_code=2)
        self.assertIn("repro_level", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_errors_of_the_watcher_are_said_once_and_the_program_runs(self) -> None:
        run = self.run_program(*_TRAIN, CULPRIT_EXEC="1", CULPRIT_REPRO_LEVEL="seven")
        self.assertEqual(run.stdout.count("loss"), 3)
        self.assertEqual(run.stderr.count("culprit: error: the program is not watched: "), 1, run.stderr)

    def test_the_program_gets_its_own_environment(self) -> None:
        code = "import os; print(sorted(name for name in os.environ if name.startswith(('CULPRIT', 'OMP', 'TORCH'))))"
        without = [f"--unset={name}" for name in os.environ if name.startswith(("CULPRIT", "OMP", "TORCH"))]
        command = [PROGRAM, "exec", "--level", "4", "--", sys.executable, "-c", code]
        run = self.run_program("env", *without, *command)
        self.assertEqual(run.stdout, "['CULPRIT_EXEC', 'CULPRIT_REPRO_LEVEL']\n")

    def test_the_exit_code_is_the_programs(self) -> None:
        self.run_program(PROGRAM, "exec", "--", sys.executable, "-c", "raise SystemExit(9)", exit_code=9)
        run = self.run_program(PROGRAM, "exec", "--", "no-such-program", exit_code=None)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("no-such-program: error: cannot be started", run.stderr)


if __name__ == "__main__":
    unittest.main()
