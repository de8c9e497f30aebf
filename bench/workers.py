# SPDX-License-Identifier: Apache-2.0
"""Hunts with one worker and with several, in turn, so that a busy machine slows both:

    workers.py CULPRIT [--rounds N] [--workers N] [--only sleepy|inductor]

Prints for each compiler the seconds of both, their ratio, and whether both found the same. Workers are started on this
machine (the launcher is `env`), so that a compiler that computes has as many processors as there are here."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
OPERATORS = 60
# They keep a difference as large as it is.
OTHERS = ("torch.ops.aten.add.Scalar({}, 0.5)", "torch.ops.aten.neg.default({})", "torch.ops.aten.sub.Scalar({}, 1.5)")


def chain(wrong: tuple[str, ...], length: int) -> str:
    """A chain with the wrong ones in the middle."""
    lines = ["class Repro(torch.nn.Module):", "    def forward(self, x):"]
    value = "x"
    for i in range(length):
        place = i - length // 2
        call = wrong[place] if 0 <= place < len(wrong) else OTHERS[i % len(OTHERS)]
        lines.append(f"        v{i} = " + call.format(value))
        value = f"v{i}"
    lines += [f"        return ({value},)", "", "def load_args(reader):", "    buf0 = reader.storage(None, 6144)"]
    lines += ["    reader.tensor(buf0, (24, 64), is_leaf=True)  # x", "load_args._version = 0", ""]
    return "\n".join(lines)


CASES = {
    "sleepy": (str(HERE / "sleepy.py"), (
        "torch.ops.aten.exp.default({})", "torch.ops.aten.neg.default({})", "torch.ops.aten.tanh.default({})",
    )),
    # Inductor 2.13 gives 0 for x % inf where x is negative.
    "inductor": ("inductor", ('torch.ops.aten.remainder.Scalar({}, float("inf"))',)),
}


def hunt(culprit: str, backend: str, net: Path, out: Path, workers: int) -> tuple[float, dict[str, object], str]:
    command = [culprit, "hunt", str(net), "--backend", backend, "--out", str(out), "--no-switches", "--json"]
    command += ["--launcher", "env", "--jobs", str(workers)]
    begin = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    if run.returncode != 1:
        sys.exit(f"{' '.join(command)}\nended with {run.returncode}:\n{run.stderr}")
    return seconds, json.loads(run.stdout), (out / "latest" / "repro.py").read_text()


def measure(culprit: str, name: str, rounds: int, workers: int) -> None:
    backend, wrong = CASES[name]
    ratios = []
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            net = Path(folder) / "net.py"
            net.write_text(chain(wrong, OPERATORS))
            one, report, repro = hunt(culprit, backend, net, Path(folder) / "one", 1)
            several, _, other = hunt(culprit, backend, net, Path(folder) / "several", workers)
        ratios.append(one / several)
        print(f"{name} {number + 1}: {report['questions']} questions, {one:.1f} s, with {workers} workers {several:.1f} s: "
              f"{ratios[-1]:.2f} times as fast; {'the same repro' if repro == other else 'ANOTHER REPRO'}", flush=True)
    print(f"{name}: median {statistics.median(ratios):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("culprit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", choices=CASES)
    options = parser.parse_args()
    for name in [options.only] if options.only else CASES:
        measure(options.culprit, name, options.rounds, options.workers)


main()
