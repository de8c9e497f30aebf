# SPDX-License-Identifier: Apache-2.0
"""What a failure of a compiler has to leave behind, by its kind, the level, the point and the guilty graph. The table is that
of C++ programs (tests/watch/matrix.h)."""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from tests.python import child, nets

#: Exit code of a program that dies of it; 1 where it throws.
_DIES = {"segfault": 139, "compile-segfault": 139, "abort": 134, "exit7": 7}
_THROWS = {
    "compile-error": "BackendCompilerFailed: backend 'aot-eager' cannot compile net_0_",
    "runtime-error": "RuntimeError: injected fault",
    "nonstandard-throw": "RuntimeError: ",
}
_WRONG = ("accuracy", "nan", "gradient", "shape", "dtype", "writes-input")
_HANGS = ("hang", "compile-hang")
_KINDS = (*_THROWS, *_WRONG, *_DIES, *_HANGS)
_GRAPHS = ("inference", "forward", "backward")
_CAPTURED = ("capture", "dynamo")
_POINTS = (*_CAPTURED, "aot", "auto")
_TIMED_OUT = 124
_KILLED = 137
_WENT_ON = 77
_IS_FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


@dataclass(frozen=True)
class Cell:
    kind: str
    level: int
    point: str
    graph: str
    on_timeout: str = "end"

    @property
    def backend(self) -> Any:
        """Graphs that autograd has made have no gradients."""
        return as_captured if self.kind == "gradient" else "aot_eager"

    @property
    def reported_graph(self) -> str:
        is_captured = self.point in _CAPTURED or self.backend is as_captured
        return "net_0_captured" if is_captured else f"net_0_{self.graph}"

    @property
    def is_watched(self) -> bool:
        return self.level > 0 and self.point != "none"

    @property
    def is_wrong_and_seen(self) -> bool:
        if self.kind not in _WRONG or self.level < 4 or not self.is_watched:
            return False
        return self.kind != "gradient" or self.graph != "inference"


def as_captured(gm: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    return gm.forward


def wait_beside() -> None:
    threading.Event().wait()


def leave_when_reported() -> None:
    while not list(Path("runs").glob("*/stacks.txt")):
        time.sleep(0.05)
    os._exit(_WENT_ON)


def run_cell(cell: Cell, folder: Path) -> child.Run:
    guilty = "threshold_backward" if cell.graph == "backward" else "relu"
    options = {"level": cell.level, "after": cell.point, "faults": f"{guilty}:{cell.kind}"}
    if cell.kind in _HANGS:
        # Longer than it takes to compile where others are at work.
        options |= {"call_timeout": 3, "on_timeout": cell.on_timeout}

    def program() -> None:
        torch.manual_seed(0)
        net = nets.Net()
        compiled = nets.watched(net, backend=cell.backend, **options)
        threading.Thread(target=wait_beside, daemon=True).start()
        if cell.on_timeout == "wait":
            threading.Thread(target=leave_when_reported, daemon=True).start()
        if cell.graph == "inference":
            nets.infer(compiled)
        else:
            nets.train(net, compiled)

    return child.run(program, folder, seconds=3 if cell.kind in _HANGS and not cell.is_watched else 60)


class MatrixTest(unittest.TestCase):
    def cells(self) -> list[Cell]:
        """All, or some of each kind."""
        cells = [Cell(*cell) for cell in itertools.product(_KINDS, range(5), _POINTS, _GRAPHS)]
        cells += [Cell(kind, 4, "none", graph) for kind, graph in itertools.product(_KINDS, _GRAPHS)]
        # Autograd throws there without a watcher, too.
        cells = [c for c in cells if c.kind not in ("shape", "dtype") or c.graph == "inference"]
        cells = [c for c in cells if c.kind != "gradient" or c.graph != "backward"]
        if _IS_FULL:
            return cells
        drawn = random.Random(8)
        return [cell for kind in _KINDS for cell in drawn.sample([c for c in cells if c.kind == kind], 1)]

    def test_each_failure_leaves_what_its_level_promises(self) -> None:
        for cell in self.cells():
            with self.subTest(str(cell)), tempfile.TemporaryDirectory() as folder:
                self.check(cell, run_cell(cell, Path(folder)))

    def test_each_failure_leaves_a_repro_at_the_lowest_level_that_has_one(self) -> None:
        drawn = random.Random(5)
        for kind in _KINDS:
            level = 4 if kind in _WRONG else 3 if kind in _DIES else 1
            for point in _POINTS if _IS_FULL else drawn.sample(_POINTS, 1):
                cell = Cell(kind, level, point, "forward" if kind == "gradient" else "inference")
                with self.subTest(str(cell)), tempfile.TemporaryDirectory() as folder:
                    self.check(cell, run_cell(cell, Path(folder)))

    @unittest.skipUnless(_IS_FULL, "volume")
    def test_a_hang_can_be_waited_for(self) -> None:
        for kind, level in itertools.product(_HANGS, (1, 3)):
            cell = Cell(kind, level, "aot", "forward", on_timeout="wait")
            with self.subTest(str(cell)), tempfile.TemporaryDirectory() as folder:
                self.check(cell, run_cell(cell, Path(folder)))

    def check(self, cell: Cell, run: child.Run) -> None:
        graph = cell.reported_graph
        is_reported = cell.is_watched and (cell.kind in _THROWS or cell.kind in _HANGS)
        is_reported |= cell.is_wrong_and_seen
        is_recorded = cell.is_watched and cell.level == 3 and (cell.kind in _DIES or cell.kind in _HANGS)
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
            self.check_stacks((folder / "stacks.txt").read_text())

    def check_stacks(self, stacks: str) -> None:
        """Frames of C++ and of Python, of the thread that hangs and of the one beside it."""
        for frame in ("SleepForever", "in program", "in wait_beside"):
            self.assertIn(frame, stacks)

    def exit_code(self, cell: Cell) -> int:
        if cell.kind in _DIES:
            return _DIES[cell.kind]
        if cell.kind in _HANGS:
            return (_WENT_ON if cell.on_timeout == "wait" else _TIMED_OUT) if cell.is_watched else _KILLED
        return 1 if cell.kind in _THROWS or cell.is_wrong_and_seen else 0


if __name__ == "__main__":
    unittest.main()
