# SPDX-License-Identifier: Apache-2.0
"""Repros as users of torch.compile would write them. Nothing is compiled."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import torch
from culprit.servers.plain import plain_program
from culprit.servers.plain_inputs import NotPlain, text_of, texts_of
from culprit.servers.trial import try_out

SCRIPT = """
import torch
culprit = '{"run": {"grad": false}}'

class Repro(torch.nn.Module):
    placeholder_symbols = {}

    def forward(self, x, y):
        %s
        return (z,)

def arguments():
    return [torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.ones(2, 2)]
"""


def plain(line: str) -> str:
    return plain_program(SCRIPT % line, {})


class ProgramTest(unittest.TestCase):
    def test_operators_have_the_names_that_users_know(self) -> None:
        for line, written in {
            "z = torch.ops.aten.remainder.Tensor(x, y)": "z = torch.remainder(x, y)",
            "z = torch.ops.aten.view.default(x, [4])": "z = x.view([4])",
            "z = torch.ops.aten.silu.default(x)": "z = torch.nn.functional.silu(x)",
            "z = torch.ops.aten._softmax.default(x, 1, False)": "z = torch.softmax(x, 1)",
            "z = torch.ops.prims.convert_element_type.default(x, torch.int8)": "z = x.to(torch.int8)",
            "z = torch.ops.aten.full.default([2], 1, device=torch.device('cpu'), pin_memory=False)":
                "z = torch.full([2], 1)",
        }.items():
            self.assertIn(f"    {written}\n", plain(line))

    def test_what_has_no_name_stays(self) -> None:
        line = "z = torch.ops.aten._adaptive_avg_pool2d_backward.default(x.view(1, 2, 2), x.view(1, 2, 2))"
        self.assertIn(line, plain(line))

    def test_what_computes_something_else_under_its_name_stays(self) -> None:
        line = "z = torch.ops.aten.max.dim(x, 0)[0] + torch.ops.aten.div.Tensor(x, y)"
        self.assertIn("torch.ops.aten", plain(line), "it is no single call")

    def test_writes_are_seen(self) -> None:
        self.assertIn("z = x.copy_(y)", plain("z = torch.ops.aten.copy_.default(x, y)"))

    def test_random_numbers_are_nothing_to_compare(self) -> None:
        with self.assertRaisesRegex(NotPlain, "it draws random numbers"):
            plain("z = torch.ops.aten.rand_like.default(x)")

    def test_options_stand_in_the_call(self) -> None:
        text = plain_program(SCRIPT % "z = torch.ops.aten.sin.default(x)", {"cpp.simdlen": 1})
        self.assertIn("torch.compile(f, options={'cpp.simdlen': 1})", text)

    def test_symbols_are_wanted(self) -> None:
        script = SCRIPT % "z = torch.ops.aten.mul.Scalar(x, torch.ops.aten.sym_size.int(y, 0))"
        for symbols, how in (("{'y': ['s0', None]}", "f, dynamic=True"), ("{}", "f")):
            text = plain_program(script.replace("symbols = {}", f"symbols = {symbols}"), {})
            self.assertIn(f"torch.compile({how})(", text)

    def test_sizes_are_asked_for_as_users_do(self) -> None:
        line = "n = torch.ops.aten.sym_size.int(y, 0)\n        z = torch.ops.aten.mul.Scalar(x, n)"
        self.assertIn("    n = y.size(0)\n    z = torch.mul(x, n)\n", plain(line))


class InputTest(unittest.TestCase):
    def test_tensors_are_short(self) -> None:
        for value, written in (
            (torch.full((2, 3), 1.5), "torch.full((2, 3), 1.5)"),
            (torch.tensor([1, 2], dtype=torch.int8), "torch.tensor([1, 2], dtype=torch.int8)"),
            (torch.tensor(torch.inf), "torch.tensor(torch.inf)"),
            (torch.tensor([0.0, -0.0]), "torch.tensor([0.0, -0.0])"),
            (torch.tensor([[1.0, 2.0]]).t(), "torch.tensor([[1.0], [2.0]])"),
            (torch.tensor([5.0, 1.0, 2.0])[1:], "torch.tensor([5.0, 1.0, 2.0]).as_strided((2,), (1,), 1)"),
            (None, "None"),
        ):
            self.assertEqual(text_of(value), written)

    def test_memory_is_shared(self) -> None:
        one = torch.tensor([5.0, 1.0, 2.0, 3.0])
        lines, texts = texts_of([one, one[2:], torch.zeros(2), torch.empty(0), torch.empty(0)])
        self.assertEqual(lines, ["memory1 = torch.tensor([5.0, 1.0, 2.0, 3.0])"])
        self.assertEqual(texts[:2], ["memory1.as_strided((4,), (1,), 0)", "memory1.as_strided((2,), (1,), 2)"])
        self.assertEqual(texts[2:], ["torch.full((2,), 0.0)", "torch.empty((0,))", "torch.empty((0,))"])
        with self.assertRaisesRegex(NotPlain, "several dtypes"):
            texts_of([one, one.view(torch.int32)])

    def test_many_numbers_are_not_pasted(self) -> None:
        with self.assertRaises(NotPlain):
            text_of(torch.randn(100))


class TrialTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.set_num_threads(1)

    def fails_so(self, program: str, expected: dict[str, str]) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "plain.py"
            file.write_text(program)
            return try_out(file, expected).fails_so

    def test_wrong_results_are_an_assertion(self) -> None:
        compare = {"phase": "compare", "kind": "wrong values"}
        self.assertTrue(self.fails_so("assert False, 'not close'", compare))
        self.assertFalse(self.fails_so("pass", compare))
        self.assertFalse(self.fails_so("raise ValueError('another')", compare))

    def test_it_has_as_many_threads_as_for_its_user(self) -> None:
        program = "import os, torch\nassert torch.get_num_threads() != len(os.sched_getaffinity(0))"
        self.assertTrue(self.fails_so(program, {"phase": "compare", "kind": "wrong values"}))

    def test_an_exception_has_type_and_beginning(self) -> None:
        expected = {"phase": "compile", "kind": "exception", "exception": "a.b.KeyError", "message": "'x'"}
        self.assertTrue(self.fails_so("{}['x']", expected))
        self.assertFalse(self.fails_so("{}['y']", expected))
        self.assertFalse(self.fails_so("assert False", expected))

    def test_a_crash_has_its_signal(self) -> None:
        expected = {"phase": "call", "kind": "signal", "signal": "SIGABRT"}
        self.assertTrue(self.fails_so("import os; os.abort()", expected))
        self.assertFalse(self.fails_so("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", expected))


if __name__ == "__main__":
    unittest.main()
