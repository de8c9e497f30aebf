# SPDX-License-Identifier: Apache-2.0
"""Folders of a server: whose they are, and what goes when."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from culprit.servers.scratch import Scratch


class ScratchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.cache = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(mock.patch.dict(os.environ, XDG_CACHE_HOME=self.cache))
        os.environ.pop("ATEN_CPU_CAPABILITY", None)

    def folder(self, name: str = "toy", **versions: str) -> Path:
        return Scratch(name, versions).folder

    def leave(self, scratch: Scratch, server: int) -> Path:
        folder = scratch.of_query(7, server)
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "file").touch()
        return folder

    def test_it_is_the_users_own(self) -> None:
        folder = self.folder()
        self.assertEqual(folder.parent, Path(self.cache, "culprit", "servers"))
        for each in (folder, folder / "queries"):
            self.assertEqual(stat.S_IMODE(each.stat().st_mode), 0o700)

    def test_the_same_environment_has_the_same(self) -> None:
        self.assertEqual(self.folder(torch="2.13", python="3.11"), self.folder(python="3.11", torch="2.13"))

    def test_other_versions_have_another(self) -> None:
        self.assertNotEqual(self.folder(torch="2.13"), self.folder(torch="2.12"))

    def test_another_compiler_has_another(self) -> None:
        self.assertNotEqual(self.folder("toy"), self.folder("other"))

    def test_another_python_has_another(self) -> None:
        here = self.folder()
        with mock.patch.object(sys, "prefix", "/opt/other"):
            self.assertNotEqual(self.folder(), here)
        with mock.patch.object(sys, "version", "3.99"):
            self.assertNotEqual(self.folder(), here)

    def test_each_instruction_set_has_its_own(self) -> None:
        folders = {self.folder()}
        for isa in ("default", "avx2", "avx512"):
            with mock.patch.dict(os.environ, ATEN_CPU_CAPABILITY=isa):
                folders.add(self.folder())
        self.assertEqual(len(folders), 4)

    def test_the_folder_of_a_query_goes_with_it_alone(self) -> None:
        scratch = Scratch("toy", {})
        others = self.leave(scratch, os.getppid())
        mine = self.leave(scratch, os.getpid())
        scratch.remove(7)
        self.assertEqual((mine.exists(), others.exists()), (False, True))
        scratch.remove(7)

    def test_what_a_killed_server_left_is_swept(self) -> None:
        scratch = Scratch("toy", {})
        process = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        alive, mine = self.leave(scratch, process.pid), self.leave(scratch, os.getpid())
        scratch.sweep()
        # Another server had this number before.
        self.assertEqual((alive.exists(), mine.exists()), (True, False))
        process.communicate()
        scratch.sweep()
        self.assertFalse(alive.exists())
        self.assertTrue((scratch.folder / "queries").exists())


if __name__ == "__main__":
    unittest.main()
