# SPDX-License-Identifier: Apache-2.0
"""A hunt in a transformer of a thousand operators, with Inductor and two workers, that is killed and resumed. With
CULPRIT_TEST_VOLUME=full."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from processes import is_alive, tree_of, wait_for

HERE = Path(__file__).parent
FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
PROGRAM = os.environ["CULPRIT_PROGRAM"]
WORKERS = ["--launcher", "env", "--jobs", "2"]


def questions_in(trace: Path) -> list[str]:
    """What was answered, by the hash of the program."""
    events = [json.loads(line) for line in trace.read_text().splitlines() if line.endswith("}")]
    return [event["hash"] for event in events if event.get("event") == "answer"]


class LargeHuntTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def hunt_and_kill(self) -> list[int]:
        """When there is a first checkpoint. Gives back its processes, the workers and theirs among them."""
        file = str(self.folder / "minifier_launcher.py")
        command = [PROGRAM, "hunt", file, "--out", str(self.folder / "runs"), "--timeout", "600", *WORKERS]
        with open(self.folder / "log", "w") as log:
            hunt = subprocess.Popen(command, stdout=log, stderr=log)
        self.addCleanup(hunt.kill)
        there = wait_for(lambda: (self.latest() / "repro.py").exists() or hunt.poll() is not None, 1800)
        self.assertTrue(there and hunt.poll() is None, (self.folder / "log").read_text())
        processes = tree_of(hunt.pid)
        os.kill(hunt.pid, signal.SIGKILL)
        hunt.wait()
        return processes

    def latest(self) -> Path:
        return self.folder / "runs" / "latest"

    @unittest.skipUnless(FULL, "volume")
    def test_killed_and_resumed_it_ends_at_the_operator_and_asks_nothing_twice(self) -> None:
        script = str(HERE / "bugged_models.py")
        subprocess.run([sys.executable, script, "gpt:12", "remainder_inf", str(self.folder)], check=True)
        processes = self.hunt_and_kill()
        self.assertGreater(len(processes), 4)
        self.assertTrue(wait_for(lambda: not any(map(is_alive, processes)), 60), "a worker is left")
        before = questions_in(self.latest() / "trace.jsonl")

        resume = [PROGRAM, "minify", "--resume", str(self.latest()), *WORKERS]
        result = subprocess.run(resume, capture_output=True, text=True, timeout=3600, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        counts = re.search(r"operators (\d+) -> (\d+)", result.stdout)
        assert counts is not None, result.stdout
        self.assertGreaterEqual(int(counts[1]), 1000)
        self.assertEqual(int(counts[2]), 1)
        self.assertIn("= aten::remainder", result.stdout)
        self.assertIn("verified: the failure came back in 10 of 10 processes", result.stdout)
        asked = questions_in(self.latest() / "trace.jsonl")
        self.assertEqual(asked[: len(before)], before)
        self.assertGreater(len(asked), len(before))
        self.assertEqual(len(set(asked)), len(asked), "a question was asked twice")


if __name__ == "__main__":
    unittest.main()
