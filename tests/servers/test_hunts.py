# SPDX-License-Identifier: Apache-2.0
"""Files as PyTorch writes them, with a real bug of Inductor alone or in the middle of a model, and no options. One of them
in `make test`, all with CULPRIT_TEST_VOLUME=full."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLE = HERE.parent.parent / "examples/05_inductor/minifier_launcher.py"
#: Operators that have to be left, how many may be, and how many bytes of inputs: some vectors of numbers.
EXPECTED = {
    "cumsum_0d": ("aten::cumsum", 2, 16),
    "remainder_inf": ("aten::remainder", 1, 128),
    "argmin_transposed": ("aten::argmin", 3, 128),
    "max_int8": ("aten::max", 1, 128),
    "any_uint8": ("aten::any", 4, 128),
    "abs_widened": ("aten::abs", 3, 512),
    "slice_scatter_fill": ("aten::slice_scatter", 3, 512),
    "copy_after_mutation": ("aten::copy", 4, 512),
    "avg_pool_ceil": ("aten::avg_pool2d_backward", 2, 512),
    "half_prod": ("aten::sum", 6, 512),
}
#: In plain calls these do not fail: torch.compile sees that inputs share memory, and compiles other graphs.
NOT_PLAIN = ("copy_after_mutation",)
FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


def culprit(*words: str) -> subprocess.CompletedProcess[str]:
    command = [os.environ["CULPRIT_PROGRAM"], *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


def hunt(model: str, bug: str, folder: Path) -> subprocess.CompletedProcess[str]:
    subprocess.run([sys.executable, str(HERE / "bugged_models.py"), model, bug, str(folder)], check=True)
    return culprit("hunt", str(folder / "minifier_launcher.py"), "--out", str(folder))


def bytes_of_inputs(repro: Path) -> int:
    return sum(int(size) for size in re.findall(r"reader\.storage\([^,]+, (\d+)", repro.read_text()))


class HuntTest(unittest.TestCase):
    def test_the_bug_is_found_alone_and_in_a_model(self) -> None:
        models = ("alone", "gpt", "resnet", "vit")
        sample = [("cumsum_0d", "gpt")]
        for bug, model in [(bug, model) for bug in EXPECTED for model in models] if FULL else sample:
            with self.subTest(f"{bug} in {model}"), tempfile.TemporaryDirectory() as folder:
                self.check(bug, model, hunt(model, bug, Path(folder)), Path(folder) / "latest" / "repro.py")

    def check(self, bug: str, model: str, result: subprocess.CompletedProcess[str], repro: Path) -> None:
        operator, most, most_bytes = EXPECTED[bug]
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        counts = re.search(r"operators (\d+) -> (\d+)", result.stdout)
        assert counts is not None, result.stdout
        self.assertGreater(int(counts[1]), 0 if model == "alone" else 30)
        self.assertLessEqual(int(counts[2]), most, result.stdout)
        self.assertIn(f"= {operator}", result.stdout)
        self.assertLessEqual(bytes_of_inputs(repro), most_bytes)
        self.assertIn("verified: the failure came back in 10 of 10 processes, 9 of them forked", result.stdout)
        plain = subprocess.run([sys.executable, str(repro)], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(plain.returncode, 1, "it does not fail in plain Python: " + plain.stdout)
        self.assertTrue((repro.parent / "compiler" / "inductor_graph.py").exists())
        self.assertEqual((repro.parent / "plain.py").exists(), bug not in NOT_PLAIN)

    @unittest.skipUnless(FULL, "volume")
    def test_a_file_is_verified_and_minified_as_it_is_hunted(self) -> None:
        verified = culprit("verify", str(EXAMPLE), "--times", "1")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("compare: NaN in outputs[", verified.stdout)
        with tempfile.TemporaryDirectory() as folder:
            minified = culprit("minify", str(EXAMPLE), "--out", folder)
        self.assertEqual(minified.returncode, 0, minified.stdout + minified.stderr)
        self.assertIn("operators 195 -> 1,", minified.stdout)
        self.assertIn("= aten::remainder", minified.stdout)
        self.assertIn("verified: the failure came back in", minified.stdout)

    @unittest.skipUnless(FULL, "volume")
    def test_models_as_they_are_pass(self) -> None:
        for model in ("gpt", "resnet", "vit"):
            with self.subTest(model), tempfile.TemporaryDirectory() as folder:
                result = hunt(model, "none", Path(folder))
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    @unittest.skipUnless(FULL, "volume")
    def test_models_of_transformers_pass(self) -> None:
        from untouched_models import MODELS, TRAINED

        for name, mode in [(name, "inference") for name in MODELS] + [(name, "training") for name in TRAINED]:
            with tempfile.TemporaryDirectory() as folder:
                script = str(HERE / "untouched_models.py")
                subprocess.run([sys.executable, script, name, mode, folder], check=True)
                files = sorted(Path(folder).glob("*.py"))
                self.assertEqual(len(files), 2 if mode == "training" else 1, name)
                for file in files:
                    with self.subTest(f"{name} {file.stem} in {mode}"):
                        command = [os.environ["CULPRIT_PROGRAM"], "run", str(file)]
                        result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
                        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
