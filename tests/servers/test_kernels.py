# SPDX-License-Identifier: Apache-2.0
"""Kernels that were compiled before. Nothing is compiled."""

from __future__ import annotations

import os
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


class LimitTest(unittest.TestCase):
    """Files with holes take no room here."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def left(self) -> list[str]:
        Kernels(self.folder)
        return sorted(path.name for path in self.folder.iterdir())

    def keep(self, name: str, size: int, used: int) -> None:
        with open(self.folder / name, "wb") as file:
            file.truncate(size)
        os.utime(self.folder / name, (used, used))

    def test_512_mib_stay(self) -> None:
        for i in range(4):
            self.keep(f"{i}.so", 128 << 20, i)
        self.assertEqual(self.left(), ["0.so", "1.so", "2.so", "3.so"])

    def test_of_more_those_go_that_were_used_first(self) -> None:
        for i, size in enumerate((1, 200 << 20, 200 << 20, 200 << 20)):
            self.keep(f"{i}.so", size, i)
        self.assertEqual(self.left(), ["2.so", "3.so"])

    def test_what_is_used_again_stays(self) -> None:
        for name, used in (("old.so", 1), ("new.so", 2)):
            self.keep(name, 300 << 20, used)
        builder = Builder(self.folder / "query" / "old.so")
        with mock.patch.object(CppBuilder, "build", Builder.build), mock.patch.object(Kernels, "_sweep"):
            kernels = Kernels(self.folder)
            with kernels.used(), mock.patch("shutil.copyfile"):
                CppBuilder.build(builder)
        self.assertEqual(builder.builds, 0)
        (self.folder / "query").rmdir()
        self.assertEqual(self.left(), ["old.so"])

    def test_what_a_killed_server_began_goes(self) -> None:
        self.keep("tmpabc", 10, 5)
        self.keep("a.so.lock", 0, 6)
        self.keep("a.so", 10, 1)
        self.assertEqual(self.left(), ["a.so"])


if __name__ == "__main__":
    unittest.main()
