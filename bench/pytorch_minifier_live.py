# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's own watcher (TORCHDYNAMO_REPRO_AFTER) and Culprit's do for the same live program of torch.compile:

    python bench/pytorch_minifier_live.py PATH/TO/culprit [PROGRAM...]

Programs are one that is right, and two with the bugs that Inductor has for its own tests. PYTHONPATH has to have the package.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

#: Values of torch._inductor.config.cpp.inject_relu_bug_TESTING_ONLY.
PROGRAMS = {"right": "", "compile error": "compile_error", "wrong values": "accuracy"}
POINTS = ("aot", "dynamo")
LEVELS = (1, 2, 3, 4)
CAP_SECONDS = 120

_SOURCE = """
import torch
import torch._inductor.config
torch._inductor.config.cpp.inject_relu_bug_TESTING_ONLY = {bug!r} or None
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4), torch.nn.Sigmoid())
compiled = torch.compile(net)
for _ in range(3):
    compiled(torch.randn(4, 8)).sum().backward()
"""


@dataclass
class Row:
    seconds: float
    ended: str
    left: str

    def __str__(self) -> str:
        return f"{self.ended}; {self.left} ({self.seconds:.0f} s)"


def ended(run: subprocess.CompletedProcess[str]) -> str:
    """The class of the exception that ended it."""
    if run.returncode == 0:
        return "runs to the end"
    thrown = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception|Failed))\b", run.stderr, re.MULTILINE)
    return thrown[-1] if thrown else f"exit code {run.returncode}"


def left_by(folder: Path) -> str:
    if list(folder.glob("culprit_runs/latest/repro.py")):
        return "a repro"
    names = {path.name for path in folder.rglob("*.py")} - {"program.py"}
    return "a launcher" if "minifier_launcher.py" in names else "a script" if names else "nothing"


def run(command: list[str], folder: Path, **variables: str) -> Row:
    # Each compiles anew; what the C++ compiler made of Inductor's header and code stays.
    caches = {"TORCHINDUCTOR_FX_GRAPH_CACHE": "0", "TORCHINDUCTOR_AUTOGRAD_CACHE": "0"}
    environment = {**os.environ, **variables, **caches}
    start = time.monotonic()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=CAP_SECONDS
    )
    seconds = time.monotonic() - start
    return Row(seconds, ended(done), left_by(folder))


def measure(culprit: str, bug: str, after: str, level: int) -> list[Row]:
    rows = []
    ours = [culprit, "exec", "--after", after, "--level", str(level), "--"]
    theirs = {"TORCHDYNAMO_REPRO_AFTER": after, "TORCHDYNAMO_REPRO_LEVEL": str(level)}
    for words, variables in (([], theirs), (ours, {})):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "program.py").write_text(_SOURCE.format(bug=bug))
            rows.append(run([*words, sys.executable, "program.py"], Path(folder), **variables))
    return rows


def main(culprit: str, programs: list[str]) -> None:
    print("| program | after | level | PyTorch 2.13 | Culprit |")
    print("|---|---|---|---|---|")
    for name in programs:
        for after in POINTS:
            for level in LEVELS:
                pytorch, ours = measure(culprit, PROGRAMS[name], after, level)
                print(f"| {name} | `{after}` | {level} | {pytorch} | {ours} |", flush=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2:] or list(PROGRAMS))
