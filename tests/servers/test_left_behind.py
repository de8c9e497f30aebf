# SPDX-License-Identifier: Apache-2.0
"""Whoever is killed, nothing of a query stays behind. In `make test` those that matter are killed, with
CULPRIT_TEST_VOLUME=full every process in turn."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from processes import children_of, is_alive, tree_of, wait_for

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"


def command(fault: str, flag: str) -> list[str]:
    """`flag` is for the compiler: with --restart it is started again for every query."""
    backend = f"exec:{sys.executable} -P {HERE / 'toy.py'} {flag}:fault={fault}"
    net = str(ROOT / "examples/server/net.py")
    return [os.environ["CULPRIT_PROGRAM"], "run", net, "--backend", backend, "--timeout", "15"]


class Run:
    """`culprit run` with a compiler that has started a process of its own and hangs."""

    def __init__(self, cache: str, flag: str) -> None:
        self.environment = {**os.environ, "XDG_CACHE_HOME": cache}
        self.process = subprocess.Popen(
            command("fork", flag), env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.tree: list[int] = []
        assert wait_for(self._has_forked, 120), "the compiler does not hang"

    def servers(self) -> list[int]:
        """The server, its children, and what the compiler has started."""
        program = os.fsencode(sys.executable)
        return [pid for pid in self.tree if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(program)]

    def _has_forked(self) -> bool:
        """The server has a child that hangs, with a child of its own, and one ahead."""
        self.tree = tree_of(self.process.pid)
        with contextlib.suppress(OSError):
            return any(children_of(child) for child in self._forked())
        return False

    def _forked(self) -> list[int]:
        servers = self.servers()
        return children_of(servers[0]) if servers else []

    def hanging(self) -> int:
        return next(child for child in self._forked() if children_of(child))


class LeftBehindTest(unittest.TestCase):
    flag = ""

    def check(self, name: str, choose: Callable[[Run], int]) -> str:
        with self.subTest(name), tempfile.TemporaryDirectory() as cache:
            run = Run(cache, self.flag)
            tree = run.tree
            self.addCleanup(run.process.kill)
            os.kill(choose(run), signal.SIGKILL)
            self.assertTrue(wait_for(lambda: run.process.poll() is not None, 60), "the program goes on")
            output = (run.process.stdout.read() if run.process.stdout else b"").decode()
            self.assertTrue(
                wait_for(lambda: not any(map(is_alive, tree)), 20),
                f"left behind: {[pid for pid in tree if is_alive(pid)]}",
            )
            # Files of a server that was killed go when the next one starts.
            subprocess.run(command("none", self.flag), env=run.environment, check=True, capture_output=True)
            self.assertEqual(list(Path(cache).rglob("queries/*")), [])
            return output
        return ""

    def test_the_program(self) -> None:
        self.check("the program", lambda run: run.process.pid)

    def test_the_server(self) -> None:
        output = self.check("the server", lambda run: run.servers()[0])
        self.assertIn("invalid: the graph cannot be handed to the compiler: the server of", output)
        self.assertNotIn("failure:", output)

    def test_the_child_of_the_server(self) -> None:
        self.assertIn("compile: signal SIGKILL", self.check("the child", lambda run: run.hanging()))

    @unittest.skipUnless(FULL, "in full volume")
    def test_each_process(self) -> None:
        with tempfile.TemporaryDirectory() as cache:
            run = Run(cache, self.flag)
            count = len(run.tree)
            run.process.kill()
        for index in range(count):
            self.check(f"process {index}", lambda run, index=index: run.tree[min(index, len(run.tree) - 1)])


@unittest.skipUnless(FULL, "in full volume")
class LeftBehindByRestartsTest(LeftBehindTest):
    """The program is started again for every query, the next one ahead."""

    flag = "--restart"


class ThreadsTest(unittest.TestCase):
    def test_inductor_has_none_when_children_are_forked(self) -> None:
        code = (
            "import os, sys; from culprit.servers.inductor import Inductor; from culprit.servers import zygote;"
            "from culprit.servers.scratch import Scratch; inductor = Inductor();"
            "zygote._warm_up(inductor, Scratch(inductor.name, inductor.versions()));"
            "sys.exit(len(os.listdir('/proc/self/task')) - 1)"
        )
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        result = subprocess.run([sys.executable, "-P", "-c", code], env=environment, check=False, timeout=300)
        self.assertEqual(result.returncode, 0, "so many threads")


if __name__ == "__main__":
    unittest.main()
