# SPDX-License-Identifier: Apache-2.0
"""minify_now.py ENVIRONMENT: goes on after a failure until a smaller repro is there, and prints that."""

import sys
import time
from pathlib import Path

import torch

# As of an environment that is not active.
sys.prefix = sys.argv[1]
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
options = {"backend": "aot_eager", "level": 4, "faults": "relu:accuracy", "minify_now": True, "suppress_errors": True}
torch.compile(net, backend="culprit", options={**options, "directory": "runs"})(torch.randn(3, 4))
deadline = time.monotonic() + 60
while not (summaries := list(Path("runs").glob("*/summary.md"))) and time.monotonic() < deadline:
    time.sleep(0.1)
print(summaries[0].with_name("repro.py").read_text())
