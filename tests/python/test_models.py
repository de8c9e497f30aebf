# SPDX-License-Identifier: Apache-2.0
"""Training and inference of models, by programs that know nothing of Culprit: healthy, with a real bug of Inductor in the
middle, and with a fault that is put there. Whole compilations of models, so with CULPRIT_TEST_VOLUME=full alone."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import unittest
from pathlib import Path

from tests.python import repros

_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
_MODELS = ("hf_bert", "hf_gpt2", "hf_llama", "resnet")
_MODES = ("infer", "train")
#: The operator that has the bug, and those that may be left beside it.
_PATTERNS = {
    "argmin_transposed": ("aten::argmin", {"aten::add", "aten::permute", "aten::select"}),
    "max_int8": ("aten::max", set()),
    "remainder_inf": ("aten::remainder", set()),
    "any_uint8": ("aten::any", {"aten::add", "aten::mul", "aten::gt"}),
    "abs_widened": ("aten::abs", {"aten::sub", "aten::_to_copy", "prims::convert_element_type"}),
    "avg_pool_ceil": ("aten::avg_pool2d_backward", {"aten::expand"}),
    "cumsum_0d": ("aten::cumsum", {"aten::full"}),
}
#: Each in its model, and what is thrown where.
_BUGS = (
    ("hf_bert", "infer", "argmin_transposed", "AccuracyError: firsttensor_0_inference: "),
    ("hf_bert", "train", "remainder_inf", "AccuracyError: firsttensor_0_forward: "),
    ("hf_gpt2", "infer", "abs_widened", "AccuracyError: firsttensor_0_inference: "),
    ("hf_gpt2", "train", "max_int8", "AccuracyError: firsttensor_0_forward: "),
    ("hf_llama", "infer", "any_uint8", "AccuracyError: firsttensor_0_inference: "),
    ("hf_llama", "train", "cumsum_0d", "IndexError: "),
    ("resnet", "infer", "argmin_transposed", "AccuracyError: firsttensor_0_inference: "),
    ("resnet", "train", "avg_pool_ceil", "AccuracyError: firsttensor_0_backward: "),
)
_FAULTS = (
    ("hf_bert", "infer", "erf:accuracy", "AccuracyError: firsttensor_0_inference: "),
    ("hf_bert", "train", "erf:runtime-error", "RuntimeError: injected fault"),
    ("hf_gpt2", "infer", "tanh:compile-error", "injected fault"),
    ("hf_gpt2", "train", "tanh:nan", "AccuracyError: firsttensor_0_forward: "),
    ("hf_llama", "infer", "rsqrt:accuracy", "AccuracyError: firsttensor_0_inference: "),
    ("hf_llama", "train", "rsqrt:writes-input", "AccuracyError: firsttensor_0_forward: "),
    ("resnet", "infer", "relu:accuracy", "AccuracyError: firsttensor_0_inference: "),
    ("resnet", "train", "convolution_backward:accuracy", "AccuracyError: firsttensor_0_backward: "),
)


def program(*arguments: str) -> list[str]:
    return [sys.executable, str(Path(__file__).parent / "programs" / "models.py"), *arguments]


@unittest.skipUnless(_IS_FULL, "volume")
class ModelsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_healthy_they_run_to_the_end_with_equal_losses(self) -> None:
        for model, mode in itertools.product(_MODELS, _MODES):
            with self.subTest(f"{model} {mode}"):
                alone = repros.run_program(program(model, mode), self.folder)
                self.assertEqual(alone.returncode, 0, alone.stderr)
                self.assertEqual(alone.stdout.count("\n"), 3)
                for level in ("2", "4"):
                    run = repros.run_program(repros.watched(program(model, mode), "--level", level), self.folder)
                    self.assertEqual((run.returncode, run.stdout), (0, alone.stdout), run.stderr)
                    told = [line for line in run.stderr.splitlines() if line.startswith("culprit: ")]
                    # Dropout draws numbers of Inductor's own.
                    self.assertTrue(mode == "train" or not told, told)
                    self.assertEqual(list(self.folder.iterdir()), [])

    def minified(self, command: list[str], thrown: str, *options: str) -> repros.Minified:
        with tempfile.TemporaryDirectory() as name:
            run = repros.run_program(repros.watched(command, "--level", "4", *options), Path(name))
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(thrown, run.stderr)
            _, repro = repros.named_at_the_end(run.stderr)
            small = repros.minify(repro, Path(name))
        self.assertEqual((small.exit_code, small.details["verified"]), (0, True), small.details)
        self.assertGreater(small.details["before"]["operators"], 20)
        return small

    def test_a_bug_in_the_middle_becomes_a_verified_repro_with_nothing_beyond_its_pattern(self) -> None:
        for model, mode, bug, thrown in _BUGS:
            with self.subTest(f"{bug} in {model} {mode}"):
                operator, others = _PATTERNS[bug]
                small = self.minified(program(model, mode, "--bug", bug, "--no-dropout"), thrown)
                self.assertEqual(small.operators.count(operator), 1, small.operators)
                self.assertLessEqual(set(small.operators), {operator, *others})

    def test_a_fault_becomes_a_verified_repro_of_its_operator(self) -> None:
        for model, mode, fault, thrown in _FAULTS:
            with self.subTest(f"{fault} in {model} {mode}"):
                options = ("--set", f"faults={fault}")
                small = self.minified(program(model, mode, "--no-dropout"), thrown, *options)
                self.assertEqual(small.operators, [f"aten::{fault.partition(':')[0]}"])


if __name__ == "__main__":
    unittest.main()
