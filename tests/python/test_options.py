# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import subprocess
import sys
import unittest
from typing import Any

import culprit
import torch
from culprit.live.compilers import Inductor
from culprit.live.options import read_options
from torch._dynamo.exc import BackendCompilerFailed


class OptionsTest(unittest.TestCase):
    def test_graphs_of_autograd_of_inductor_are_watched_by_default(self) -> None:
        options = read_options(None, {})
        self.assertEqual((options.backend, options.settings), ("inductor", (("repro_after", "aot"),)))

    def test_short_names_are_settings(self) -> None:
        options = read_options(None, {"after": "none", "level": 3, "suppress_errors": True})
        self.assertEqual(
            dict(options.settings), {"repro_after": "none", "repro_level": "3", "suppress_errors": "true"}
        )

    def test_what_is_no_setting_is_for_inductor(self) -> None:
        options = read_options(None, {"level": 4, "max_autotune": True, "options": {"debug": True}})
        self.assertEqual(options.compiler_options, {"max_autotune": True, "debug": True})

    def test_other_compilers_take_theirs_in_options(self) -> None:
        options = read_options(None, {"backend": "aot_eager", "options": {"x": 1}})
        self.assertEqual(options.compiler_options, {"x": 1})
        with self.assertRaisesRegex(ValueError, "unknown option 'lvel', did you mean 'level'?"):
            read_options(None, {"backend": "aot_eager", "lvel": 4})

    def test_a_wrong_value_is_said_at_once(self) -> None:
        with self.assertRaisesRegex(ValueError, "repro_level.*whole number from 0 to 4"):
            read_options(None, {"level": 7})
        with self.assertRaisesRegex(TypeError, "no option 'backend'"), culprit.watch(backend="inductor"):
            pass

    def test_every_point_has_a_name(self) -> None:
        for point in ("none", "aot", "dynamo", "capture", "auto"):
            self.assertEqual(read_options(None, {"after": point}).settings, (("repro_after", point),))
        with self.assertRaisesRegex(ValueError, "repro_after"):
            read_options(None, {"after": "inductor"})

    def test_a_mode_reaches_inductor_and_the_repro(self) -> None:
        compiler = Inductor(read_options("max-autotune-no-cudagraphs", {}))
        for name in (compiler.captured_name, compiler.split_name):
            self.assertIn("max_autotune=1", name)
        self.assertTrue(compiler.split_name.startswith("inductor:graphs=below,"))
        self.assertTrue(compiler.captured_name.startswith("inductor:graphs=captured,"))

    def test_what_acts_above_autograd_is_in_repros_from_there_alone(self) -> None:
        options = {"freezing": True, "shape_padding": False, "cpp_wrapper": True}
        compiler = Inductor(read_options(None, {"options": options}))
        for name in ("freezing=1", "shape_padding=0", "cpp_wrapper=1"):
            self.assertIn(name, compiler.captured_name)
        self.assertTrue(compiler.split_name.endswith("graphs=below,cpp_wrapper=1"), compiler.split_name)

    def test_the_numbers_of_inductor_are_eagers_only_if_it_says_so(self) -> None:
        def draws(**options: Any) -> bool:
            compiler = Inductor(read_options(None, options))
            with compiler.settings():
                return compiler.draws_as_eager()

        self.assertFalse(draws())
        self.assertTrue(draws(fallback_random=True))


class ErrorsTest(unittest.TestCase):
    def test_they_are_pytorchs_too(self) -> None:
        failed = culprit.BackendCompilerFailed("text", "net_0_forward", "compile: x", "repro.py", KeyError("y"))
        self.assertIsInstance(failed, BackendCompilerFailed)
        self.assertIsInstance(failed, culprit.Failure)
        self.assertEqual(
            (str(failed), failed.graph, failed.signature, failed.repro, repr(failed.inner_exception)),
            ("text", "net_0_forward", "compile: x", "repro.py", "KeyError('y')"),
        )
        wrong = culprit.AccuracyError("text", "net_0_forward", "compare: x", "")
        self.assertIsInstance(wrong, torch._dynamo.debug_utils.AccuracyError)


class ImportTest(unittest.TestCase):
    def run_python(self, code: str) -> str:
        return subprocess.run([sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True).stdout

    def test_importing_culprit_imports_nothing_of_pytorch(self) -> None:
        code = "import sys, culprit; print([m for m in sys.modules if m.startswith('torch')])"
        self.assertEqual(self.run_python(code), "[]\n")

    def test_importing_pytorch_loads_nothing_of_culprit_but_the_switch(self) -> None:
        code = "import sys, torch; print(sorted(m for m in sys.modules if m.startswith(('culprit', 'torch._dynamo'))))"
        self.assertEqual(self.run_python(code), "['culprit', 'culprit.autoload']\n")

    def test_the_extension_works_without_dynamo(self) -> None:
        code = "import sys, torch, culprit._culprit; print('torch._dynamo' in sys.modules)"
        self.assertEqual(self.run_python(code), "False\n")


if __name__ == "__main__":
    unittest.main()
