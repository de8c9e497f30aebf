# SPDX-License-Identifier: Apache-2.0
"""What a failure of a compiler has to leave behind, by its kind, the level, the point and the guilty graph. The table is that
of C++ programs (tests/watch/matrix.h)."""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

import torch

from tests.python import child, nets

#: Exit code of a program that dies of it; 1 where it throws.
_DIES = {"segfault": 139, "compile-segfault": 139, "abort": 134, "exit7": 7}
_THROWS = {
    "compile-error": "BackendCompilerFailed: backend 'aot-eager' cannot compile net_0_",
    "runtime-error": "RuntimeError: injected fault",
    "nonstandard-throw": "RuntimeError: ",
}
_WRONG = ("accuracy", "nan", "shape", "dtype", "writes-input")
_HANGS = ("hang", "compile-hang")
_KINDS = (*_THROWS, *_WRONG, *_DIES, *_HANGS)
_GRAPHS = ("inference", "forward", "backward")
_POINTS = ("aot", "dynamo", "auto")
_TIMED_OUT = 124
_KILLED = 137
_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


@dataclass(frozen=True)
class Cell:
    kind: str
    level: int
    point: str
    graph: str

    @property
    def reported_graph(self) -> str:
        return "net_0_captured" if self.point == "dynamo" else f"net_0_{self.graph}"

    @property
    def is_hidden(self) -> bool:
        """What a backward graph writes into is nothing that the captured graph knows."""
        return self.kind == "writes-input" and self.point == "dynamo" and self.graph == "backward"


def run_cell(cell: Cell, folder: Path) -> child.Run:
    guilty = "threshold_backward" if cell.graph == "backward" else "relu"
    options = {"level": cell.level, "after": cell.point, "faults": f"{guilty}:{cell.kind}"}
    if cell.kind in _HANGS:
        # Longer than it takes to compile where others are at work.
        options |= {"call_timeout": 3, "on_timeout": "end"}

    def program() -> None:
        torch.manual_seed(0)
        net = nets.Net()
        compiled = nets.watched(net, **options)
        if cell.graph == "inference":
            nets.infer(compiled)
        else:
            nets.train(net, compiled)

    return child.run(program, folder, seconds=3 if cell.kind in _HANGS and cell.level == 0 else 60)


class MatrixTest(unittest.TestCase):
    def cells(self) -> list[Cell]:
        """All, or some of each kind."""
        cells = [Cell(*cell) for cell in itertools.product(_KINDS, range(5), _POINTS, _GRAPHS)]
        # Autograd throws there without a watcher, too.
        cells = [c for c in cells if c.kind not in ("shape", "dtype") or c.graph == "inference"]
        if _IS_FULL:
            return cells
        drawn = random.Random(8)
        return [cell for kind in _KINDS for cell in drawn.sample([c for c in cells if c.kind == kind], 2)]

    def test_each_failure_leaves_what_its_level_promises(self) -> None:
        for cell in self.cells():
            with self.subTest(str(cell)), tempfile.TemporaryDirectory() as folder:
                self.check(cell, run_cell(cell, Path(folder)))

    def test_each_failure_leaves_a_repro_at_the_lowest_level_that_has_one(self) -> None:
        drawn = random.Random(5)
        for kind in _KINDS:
            level = 4 if kind in _WRONG else 3 if kind in _DIES else 1
            for point in _POINTS if _IS_FULL else drawn.sample(_POINTS, 1):
                cell = Cell(kind, level, point, "inference")
                with self.subTest(str(cell)), tempfile.TemporaryDirectory() as folder:
                    self.check(cell, run_cell(cell, Path(folder)))

    def check(self, cell: Cell, run: child.Run) -> None:
        graph = cell.reported_graph
        is_reported = cell.level > 0 and (cell.kind in _THROWS or cell.kind in _HANGS)
        is_reported |= cell.level == 4 and cell.kind in _WRONG and not cell.is_hidden
        is_recorded = cell.level == 3 and (cell.kind in _DIES or cell.kind in _HANGS)
        self.assertEqual(run.exit_code, self.exit_code(cell), run.err)
        self.assertEqual(len(run.folders_of(graph)), is_reported + is_recorded, run.folders())
        if is_recorded:
            self.assertTrue(list(run.folders_of(graph)[0].glob("in_progress/*.py")))
        if not is_reported:
            return
        folder = run.folders_of(graph)[-1]
        repro = (folder / "repro.py").read_text()
        self.assertIn(f"graph_name = '{graph}'", repro)
        self.assertEqual('"expected"' in repro, cell.level >= 2)
        lines = f"culprit: graph {graph}\nculprit: repro {folder}/repro.py\nculprit: to make it small, run: culprit minify "
        self.assertIn(lines, run.err)
        if cell.kind in _WRONG:
            self.assertIn(f"culprit.errors.AccuracyError: {graph}: compare: ", run.err)
        if cell.kind in _THROWS:
            self.assertIn(_THROWS[cell.kind], run.err)
        if cell.kind in _HANGS:
            self.assertIn("in program", (folder / "stacks.txt").read_text())

    def exit_code(self, cell: Cell) -> int:
        if cell.kind in _DIES:
            return _DIES[cell.kind]
        if cell.kind in _HANGS:
            return _TIMED_OUT if cell.level > 0 else _KILLED
        return 1 if cell.kind in _THROWS or (cell.level == 4 and not cell.is_hidden) else 0


if __name__ == "__main__":
    unittest.main()
