# SPDX-License-Identifier: Apache-2.0
"""What a program tells torch.compile beside the watcher: whole graphs, and backends by their names."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import culprit
import torch
from culprit.live.options import read_options
from torch._dynamo.exc import Unsupported

from tests.python import child, nets
from tests.python.test_healthy import WithBreak, trained


class BackendsTest(unittest.TestCase):
    def setUp(self) -> None:
        torch._dynamo.reset()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_whole_graphs_are_watched_and_breaks_are_errors_as_without_a_watcher(self) -> None:
        for after in ("aot", "dynamo", "auto"):
            options = {"backend": "aot_eager", "level": 4, "after": after, "directory": str(self.folder)}
            torch._dynamo.reset()
            net = nets.Net()
            compiled = torch.compile(net, backend="culprit", options=options, fullgraph=True)
            self.assertTrue(torch.equal(nets.infer(compiled), nets.infer(net)))
            guilty = torch.compile(nets.Net(), backend="culprit", options={**options, "faults": "relu:accuracy"}, fullgraph=True)
            with self.assertRaises(culprit.AccuracyError):
                nets.infer(guilty)
            with self.assertRaises(Unsupported) as raised:
                nets.infer(torch.compile(WithBreak(), backend="culprit", options=options, fullgraph=True))
            self.assertFalse(getattr(raised.exception, "__notes__", []))

    def test_a_backend_of_dynamo_is_watched_by_its_name(self) -> None:
        name = "aot_eager_decomp_partition"
        plain = trained(level=0, backend=name)
        for after in ("aot", "dynamo", "auto"):
            for expected, actual in zip(plain, trained(level=4, backend=name, after=after), strict=True):
                self.assertTrue(torch.equal(expected, actual))

    def test_wrong_numbers_behind_a_name_are_found_forward_and_backward(self) -> None:
        for where, what in (("outputs", "wrong values in outputs[0]"), ("gradient", "wrong gradient in gradients.inputs[")):
            kind = "accuracy" if where == "outputs" else where

            def program(kind: str = kind) -> None:
                with culprit.watch(level=4, faults=f"relu:{kind}", directory="runs"):
                    net = nets.Net()
                    nets.train(net, torch.compile(net, backend="aot_eager_decomp_partition"))

            run = child.run(program, self.folder)
            self.assertEqual(run.exit_code, 1, run.err)
            self.assertIn(f"AccuracyError: net_0_captured: compare: {what}", run.err)
            self.assertIn('"backend": "aot_eager_decomp_partition"', (run.folders()[-1] / "repro.py").read_text())


class CommandTest(unittest.TestCase):
    def test_minify_now_starts_the_command_of_this_environment_though_it_is_not_on_the_path(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "environment" / "bin").mkdir(parents=True)
        (folder / "environment" / "bin" / "culprit").symlink_to(os.environ["CULPRIT_PROGRAM"])
        variables = {name: value for name, value in os.environ.items() if name != "CULPRIT_PROGRAM"}
        program = [sys.executable, str(Path(__file__).parent / "programs" / "minify_now.py"), str(folder / "environment")]
        run = subprocess.run(
            program, cwd=folder, env={**variables, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("culprit: warning", run.stderr)
        self.assertIn("relu", run.stdout)
        self.assertNotIn("aten.addmm", run.stdout)

    def test_a_command_that_is_named_is_the_one(self) -> None:
        self.assertEqual(dict(read_options(None, {"program": "mine"}).settings)["program"], "mine")
        # Here the environment names one.
        self.assertNotIn("program", dict(read_options(None, {}).settings))


if __name__ == "__main__":
    unittest.main()
