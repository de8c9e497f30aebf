# SPDX-License-Identifier: Apache-2.0
"""Kernels that were compiled before. Nothing is compiled."""

from __future__ import annotations

import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from culprit.servers.kernels import Kernels
from torch._inductor.cpp_builder import CppBuilder


class Builder:
    """What CppBuilder is to Kernels."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.builds = 0

    def get_target_file_path(self) -> str:
        return str(self.target)

    def build(self) -> None:
        self.builds += 1
        time.sleep(0.2)
        self.target.parent.mkdir()
        self.target.write_text("code")


class KernelsTest(unittest.TestCase):
    def build_all(self, names: list[str]) -> list[Builder]:
        with tempfile.TemporaryDirectory() as name, mock.patch.object(CppBuilder, "build", Builder.build):
            builders = [Builder(Path(name, str(i), kernel)) for i, kernel in enumerate(names)]
            with Kernels(Path(name, "kernels")).used(), ThreadPoolExecutor() as threads:
                list(threads.map(CppBuilder.build, builders))
            for builder in builders:
                self.assertEqual(builder.target.read_text(), "code")
            return builders

    def test_of_several_that_need_a_kernel_one_compiles_it(self) -> None:
        self.assertEqual(sum(builder.builds for builder in self.build_all(["a.so", "a.so", "a.so"])), 1)

    def test_others_are_compiled_beside_it(self) -> None:
        self.assertEqual([builder.builds for builder in self.build_all(["a.so", "b.so"])], [1, 1])


if __name__ == "__main__":
    unittest.main()
