# SPDX-License-Identifier: Apache-2.0
"""Options change the code that Inductor generates, or are refused with the reason."""

from __future__ import annotations

import dataclasses
import unittest
from unittest import mock

import torch
from culprit.servers.compiler import Refusal, Request
from culprit.servers.inductor import Inductor
from culprit.servers.inductor_options import describe, read
from test_inductor_switches import FILTER, IMAGE, SQUARE, Build, Case, code_of, convolutions, request_for, two_kernels
from torch._inductor import compile_fx
from torch._inductor.cpp_builder import get_cpp_compiler


def products(call: Build, x: object, y: object) -> list[object]:
    return [call(torch.ops.aten.bmm.default, (x, y))]


def with_options(case: Case, **options: str) -> Case:
    return dataclasses.replace(case, options=options)


def refusal_of(name: str, graphs: str) -> str:
    try:
        code_of(Case(two_kernels, [SQUARE], options={name: "1"}, graphs=graphs), [])
    except Refusal as refusal:
        return str(refusal)
    return ""


def backward(case: Case) -> Request:
    request = request_for(case, [])
    request.graphs, request.stage = "aot", "backward"
    return request


class ActsTest(unittest.TestCase):
    """What `compile_fx` reads, and `compile_fx_inner` does not."""

    def test_the_code_around_kernels_is_in_the_language_that_is_wanted(self) -> None:
        for graphs in ("below", "aot", "captured"):
            case = Case(two_kernels, [SQUARE], graphs=graphs)
            self.assertNotIn("inductor_entry_impl", code_of(case, []))
            self.assertIn("inductor_entry_impl", code_of(with_options(case, cpp_wrapper="1"), []))

    def test_fx_is_wanted_of_kernels_that_have_none(self) -> None:
        for graphs in ("below", "captured"):
            case = Case(two_kernels, [SQUARE], options={"fx_wrapper": "1"}, graphs=graphs)
            with self.assertRaisesRegex(Exception, "FX conversion only supports Triton kernels"):
                Inductor().compile(request_for(case, []))

    def test_outputs_need_not_have_the_strides_of_eager(self) -> None:
        case = Case(convolutions, [IMAGE, FILTER])
        self.assertNotEqual(code_of(case, []), code_of(with_options(case, keep_output_stride="0"), []))

    def test_gradients_need_not_have_the_strides_of_eager(self) -> None:
        case = Case(convolutions, [IMAGE, FILTER])
        kept: list[list[int]] = []

        def see(graph: torch.fx.GraphModule, *_: object, **how: object) -> None:
            self.assertTrue(how["is_backward"])
            kept.append(graph.graph.output_node().meta["user_visible_output_idxs"])

        with mock.patch("culprit.servers.inductor.compile_fx_inner", see):
            for options in ({}, {"keep_output_stride": "0"}, {"bw_outputs_user_visible": "0"}):
                Inductor().compile(backward(with_options(case, **options)))
        self.assertEqual(kept, [[0], [0], []])

    def test_autotuning_has_products_of_its_own(self) -> None:
        batch = torch.zeros(4, 64, 64)
        case = Case(products, [batch, batch], options={"max_autotune_gemm_backends": "CPP"})
        self.assertIn("extern_kernels.bmm", code_of(case, []))
        tuned = with_options(case, max_autotune="1", **case.options)
        self.assertNotIn("extern_kernels.bmm", code_of(tuned, []))

    def test_a_program_without_culprit_hands_on_the_same(self) -> None:
        text = Inductor().in_python({"cpp_wrapper": "1"}, [], "below", False) or ""
        self.assertIn("compile_fx_inner(traced, inputs, cpp_wrapper=True)", text)
        self.assertIn("compile_fx_inner(traced, inputs)", Inductor().in_python({}, [], "below", False) or "")


class ProgramsTest(unittest.TestCase):
    """`cpp.cxx` is a tuple in PyTorch, and a text here."""

    def test_they_are_tried_in_turn(self) -> None:
        self.assertEqual(read({"cpp.cxx": "none,clang++"}, "below"), {"cpp.cxx": (None, "clang++")})

    def test_the_first_that_runs_is_taken(self) -> None:
        with torch._inductor.config.patch(read({"cpp.cxx": "/no/such,cc"}, "below")):
            self.assertEqual(get_cpp_compiler(), "cc")

    def test_they_are_an_option_that_a_file_may_not_set(self) -> None:
        (option,) = (option for option in describe() if option.name == "cpp.cxx")
        self.assertEqual((option.default.split(",")[0], option.is_harmless), ("none", False))


class RefusedTest(unittest.TestCase):
    def test_what_autograd_has_done_is_not_done_again(self) -> None:
        for name in ("freezing", "selective_decompose", "use_pre_grad_passes", "apply_gumbel_max_trick"):
            for graphs in ("below", "aot"):
                self.assertIn(f"option '{name}' acts before autograd", refusal_of(name, graphs))

    def test_what_acts_on_joint_graphs_acts_where_graphs_go_through_their_passes(self) -> None:
        for name in ("shape_padding", "force_shape_pad", "optimize_scatter_upon_const_tensor", "auto_chunker.enable"):
            self.assertIn(f"option '{name}' acts on joint graphs", refusal_of(name, "below"))
            self.assertEqual(refusal_of(name, "aot"), "")

    def test_nothing_is_compiled_ahead_of_time(self) -> None:
        for graphs in ("below", "aot", "captured"):
            self.assertIn("ahead of time", refusal_of("enable_autograd_for_aot", graphs))

    def test_functions_and_lists_are_no_options(self) -> None:
        names = {option.name for option in describe()}
        for name in ("custom_partitioner_fn", "joint_custom_pre_pass", "external_matmul", "pre_grad_fusion_options"):
            self.assertTrue(hasattr(compile_fx.config, name))
            self.assertNotIn(name, names)
        self.assertTrue({"cpp.simdlen", "cpp.march", "triton.max_tiles"} <= names, "they are None unless set")


if __name__ == "__main__":
    unittest.main()
