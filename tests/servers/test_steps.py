# SPDX-License-Identifier: Apache-2.0
"""Models as they are that are trained for five steps through Inductor and watched at every point: nobody is accused,
and each graph is watched. With CULPRIT_TEST_VOLUME=full."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
FULL = os.environ.get("CULPRIT_TEST_VOLUME") == "full"
STEPS = 5
MODELS = ("hf_resnet", "hf_regnet", "hf_vit", "hf_bert", "hf_gpt2", "hf_llama", "hf_t5", "hf_opt")


def train(name: str, how: str, folder: str) -> tuple[list[float], str]:
    """The losses, and what was said."""
    # The watcher is an extension, which lies beside the program.
    package = Path(os.environ["CULPRIT_PROGRAM"]).parent / "python"
    command = [sys.executable, "-P", str(HERE / "train_steps.py"), name, how, str(STEPS), folder]
    paths = os.pathsep.join([str(package), str(HERE)])
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=900, check=True, env={**os.environ, "PYTHONPATH": paths}
    )
    return [float(line) for line in result.stdout.split()], result.stderr


class StepsTest(unittest.TestCase):
    @unittest.skipUnless(FULL, "volume")
    def test_training_is_eagers_and_nobody_is_accused(self) -> None:
        for name in MODELS:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                expected, _ = train(name, "eager", folder)
                losses, said = train(name, "culprit", folder)
                self.assertEqual([line for line in said.splitlines() if line.startswith("culprit: ")], [])
                self.assertEqual(os.listdir(folder), [])
                self.assertEqual(len(losses), STEPS)
                for loss, other in zip(losses, expected, strict=True):
                    self.assertAlmostEqual(loss, other, delta=1e-3 * abs(other))


if __name__ == "__main__":
    unittest.main()
