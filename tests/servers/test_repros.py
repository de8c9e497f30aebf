# SPDX-License-Identifier: Apache-2.0
"""What a hunt in Inductor leaves behind fails in plain Python as it failed in the hunt, whichever way that is."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "inductor"
RELU = """
import torch

class Repro(torch.nn.Module):
    def forward(self, x):
        sin = torch.ops.aten.sin.default(x)
        relu = torch.ops.aten.relu.default(sin)
        cos = torch.ops.aten.cos.default(relu)
        return (cos,)

def load_args(reader):
    buf0 = reader.storage(None, 4)
    reader.tensor(buf0, (100000,), (0,), is_leaf=True)  # x
load_args._version = 0
"""
#: PyTorch has this bug for tests of its own minifier.
INJECTED = "inductor:graphs=below,cpp.inject_relu_bug_TESTING_ONLY="


def hunt(file: Path, backend: str, folder: str) -> Path:
    command = [os.environ["CULPRIT_PROGRAM"], "hunt", str(file), "--backend", backend, "--out", folder]
    command += ["--no-switches", "--skip", "shapes"]  # it takes less time
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    return Path(folder) / "latest"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def shell_lines(run_folder: Path) -> str:
    """What a maintainer pastes."""
    found = re.search(r"```sh\n(.*?)```", (run_folder / "summary.md").read_text(), re.DOTALL)
    assert found is not None, (run_folder / "summary.md").read_text()
    return found[1].replace("python3", sys.executable)


class ReproTest(unittest.TestCase):
    def of_relu(self, bug: str, folder: str) -> Path:
        file = Path(folder) / "net.py"
        file.write_text(RELU)
        return hunt(file, INJECTED + bug, folder)

    @unittest.skipUnless(FULL, "in full volume; CrashReportTest has a crash")
    def test_a_crash_is_a_crash(self) -> None:
        """An exception leaves a loop on several threads: std::terminate."""
        with tempfile.TemporaryDirectory() as folder:
            found = self.of_relu("runtime_error", folder)
            summary = (found / "summary.md").read_text()
            self.assertIn("signal SIGABRT", summary)
            # Whether there is a plain.py depends on how small it gets: threads that abort together leave stacks that differ.
            for file in (found / "repro.py", *found.glob("plain.py")):
                self.assertEqual(run(sys.executable, str(file)).returncode, -signal.SIGABRT, file)
            self.assertIn("async_compile.cpp_pybinding", (found / "compiler" / "inductor_code.py").read_text())
            self.assertIn("DEBUG torch._inductor", (found / "compiler" / "log.txt").read_text())

    @unittest.skipUnless(FULL, "in full volume")
    def test_an_exception_is_the_same_exception(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = self.of_relu("compile_error", folder)
            for file in ("repro.py", "plain.py"):
                result = run(sys.executable, str(found / file))
                self.assertEqual(result.returncode, 1, file)
                self.assertIn("CppCompileError", result.stderr, file)
            self.assertIn("compile error!", (found / "compiler" / "inductor_kernel_1.cpp").read_text())

    def test_a_mutated_input_is_wrong(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = hunt(FIXTURES / "copy_after_mutation.py", "inductor:graphs=below", folder)
            result = run(sys.executable, str(found / "repro.py"))
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            self.assertRegex(result.stdout, r"^inputs\[\d\] of call 1: ")

    def test_the_report_is_ready_for_the_tracker_and_what_the_compiler_made_of_it_is_there(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = hunt(FIXTURES / "remainder_inf.py", "inductor:graphs=below", folder)
            summary = (found / "summary.md").read_text()
            for part in ("torch.remainder(", "torch.compile(f)", "c++ ", "torch 2.13.0", ", CPU: "):
                self.assertIn(part, summary)
            pasted = run("bash", "-c", shell_lines(found))
            self.assertEqual(pasted.returncode, 1)
            self.assertIn("AssertionError", pasted.stderr)
            made = found / "compiler"
            self.assertIn("remainder", (made / "inductor_graph.py").read_text())
            self.assertIn("async_compile.cpp_pybinding", (made / "inductor_code.py").read_text())
            self.assertTrue((made / "inductor_kernel_1.cpp").read_text().startswith("#include"))
            self.assertIn("torch._inductor.graph: lowering ", (made / "log.txt").read_text())


if __name__ == "__main__":
    unittest.main()
