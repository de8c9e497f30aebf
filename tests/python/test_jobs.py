# SPDX-License-Identifier: Apache-2.0
"""culprit.hunt, culprit.minify and culprit.explain"""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

import culprit
import torch
from culprit.jobs.command import CommandError

from tests.python import nets


class Guilty(nets.Net):
    """A real bug of Inductor: argmin of a transposed tensor (pytorch/pytorch#197739)."""

    def forward(self, x: torch.Tensor) -> Any:
        hidden = torch.nn.functional.gelu(self.first(x))
        return self.second(hidden), (hidden[:2, :2].t() + 0.5).argmin()


def broken(x: torch.Tensor) -> torch.Tensor:
    y = x.sin()
    print("a break")
    return y.cos()


class JobsTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(1)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def hunt(self, model: Any, *inputs: Any, **options: Any) -> Any:
        return culprit.hunt(model, *inputs, out=self.folder, quiet=True, **options)

    def test_a_real_bug_of_inductor_is_found_and_names_the_line_of_the_model(self) -> None:
        torch.manual_seed(0)
        result = self.hunt(Guilty(), torch.randn(3, 4), arguments=["--samples", "20"])
        (failure,) = result.failures
        self.assertEqual(failure.operators[-1], "aten::argmin")
        self.assertTrue(failure.verified)
        self.assertIn("argmin", failure.repro.read_text())
        self.assertIn("argmin", failure.summary)
        self.assertRegex(repr(result), r"aten::argmin  \S*test_jobs.py:\d+ in forward")

    def test_a_healthy_model_passes_forward_and_backward(self) -> None:
        result = self.hunt(nets.Net(), torch.randn(3, 4), backend="native")
        self.assertEqual([graph.name.split("_")[-1] for graph in result.graphs], ["forward", "backward"])
        self.assertFalse(result.failed, result)

    def test_the_model_and_the_generator_stay_as_they_are(self) -> None:
        net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout())
        before = {name: value.clone() for name, value in net.state_dict().items()}
        x, state = torch.randn(3, 4, requires_grad=True), torch.get_rng_state()
        culprit.explain(net, x)
        self.assertTrue(all(torch.equal(value, before[name]) for name, value in net.state_dict().items()))
        self.assertTrue(all(parameter.grad is None for parameter in [x, *net.parameters()]))
        self.assertTrue(torch.equal(torch.get_rng_state(), state))

    def test_it_stops_at_the_first_graph_that_fails_unless_told_otherwise(self) -> None:
        faults = ["--fault", "sigmoid:accuracy", "--fault", "sigmoid_backward:accuracy"]
        x = torch.randn(3, 4)
        first = self.hunt(nets.Net(), x, backend="native", arguments=faults[:2])
        self.assertEqual([graph.failed for graph in first.graphs], [True])
        self.assertEqual(len(first.left), 1)
        self.assertIn("every=True", repr(first))

        every = self.hunt(nets.Net(), x, backend="native", every=True, arguments=faults)
        self.assertEqual([graph.operators for graph in every.graphs], [["aten::sigmoid"], ["aten::sigmoid_backward"]])

    def test_a_loss_says_what_is_differentiated(self) -> None:
        result = self.hunt(nets.Net(), torch.randn(3, 4), backend="native", loss=lambda y: y.detach().sum())
        self.assertEqual(len(result.graphs), 1, result)

    def test_what_the_program_refuses_is_raised_with_its_words(self) -> None:
        with self.assertRaisesRegex(CommandError, r"unknown\s+backend\s+'natve'"):
            self.hunt(nets.Net(), torch.randn(3, 4), backend="natve")
        with self.assertRaisesRegex(ValueError, "native:key=value"):
            self.hunt(nets.Net(), torch.randn(3, 4), backend="native", options={"max_autotune": True})

    def test_a_repro_is_made_smaller(self) -> None:
        fault = ["--fault", "sigmoid:accuracy", "--max-queries", "1"]
        (failure,) = self.hunt(nets.Net(), torch.randn(3, 4), backend="native", arguments=fault).failures
        result = culprit.minify(failure.repro, out=self.folder, quiet=True)
        self.assertEqual(result.operators, ["aten::sigmoid"])

    def test_breaks_have_their_place_and_code_and_graphs_what_autograd_makes_of_them(self) -> None:
        explanation = culprit.explain(broken, torch.randn(3, requires_grad=True))
        (graph_break,) = explanation.breaks
        self.assertRegex(graph_break.stack[-1], r"test_jobs.py:\d+ in broken")
        self.assertRegex(graph_break.code, r"GB\d{4}")
        self.assertEqual(
            [sorted(graph.split) for graph in explanation.graphs], [["backward", "forward", "joint"]] * 2
        )
        self.assertIn("2 graphs, 1 break\n  broken_0: operators 1 captured, 3 joint", repr(explanation))


if __name__ == "__main__":
    unittest.main()
