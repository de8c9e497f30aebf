# SPDX-License-Identifier: Apache-2.0
"""Culprit beside PyTorch's own minifier, on the same files, each with a cap of five minutes:

    inductor_minifier.py CULPRIT [BUG...]

Prints a table: seconds, queries, operators that are left, bytes of inputs, and whether it ended by itself; and how long
each took over all rows. Culprit starts with empty caches in every row."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MODELS = HERE.parent / "tests" / "servers" / "bugged_models.py"
BUGS = ("cumsum_0d", "argmin_transposed", "any_uint8", "remainder_inf")
CAP_SECONDS = 300


@dataclass
class Row:
    who: str
    seconds: float
    queries: str = "?"
    operators: str = "?"
    input_bytes: str = "?"
    ended: str = "yes"


def run(command: list[str], folder: Path) -> tuple[float, str, bool]:
    """In a process group of its own, which goes when the time is up."""
    start = time.monotonic()
    # Nobody's answers from before: neither Inductor's nor Culprit's.
    environment = dict(os.environ, TORCHINDUCTOR_CACHE_DIR=str(folder / "cache"), XDG_CACHE_HOME=str(folder / "home"))
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=CAP_SECONDS)
        return time.monotonic() - start, output, True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return time.monotonic() - start, output, False


def operators_in(file: Path) -> str:
    if not file.exists():
        return "?"
    return str(len(re.findall(r"= torch\.ops\.\w+\.\w+", file.read_text())))


def bytes_in(file: Path) -> str:
    if not file.exists():
        return "?"
    return str(sum(int(size) for size in re.findall(r"reader\.storage\([^,]+, (\d+)", file.read_text())))


def by_pytorch(launcher: Path, folder: Path, isolate: bool) -> Row:
    shutil.copy(launcher, folder / "launcher.py")
    flag = "--isolate" if isolate else "--no-isolate"
    seconds, output, ended = run([sys.executable, "launcher.py", "minify", flag], folder)
    checkpoints = sorted(folder.glob("**/checkpoints/*.py"), key=lambda path: path.stat().st_mtime)
    best = folder / "repro.py"
    if not best.exists() and checkpoints:
        best = checkpoints[-1]
    queries = re.findall(r"(\d+) queries|# of queries: *(\d+)|Made (\d+) queries", output)
    count = next((word for word in queries[-1] if word), "?") if queries else "?"
    return Row(f"PyTorch {flag}", seconds, count, operators_in(best), bytes_in(best), "yes" if ended else "cut")


def by_culprit(program: str, launcher: Path, folder: Path) -> Row:
    seconds, output, ended = run([program, "hunt", str(launcher), "--out", str(folder / "runs")], folder)
    left = re.search(r"operators \d+ -> (\d+)", output)
    queries = re.search(r"^(\d+) questions", output, re.MULTILINE)
    verified = re.search(r"^verified: ", output, re.MULTILINE) is not None
    repro = folder / "runs" / "latest" / "repro.py"
    return Row(
        "Culprit",
        seconds,
        queries[1] if queries else "?",
        left[1] if left else "?",
        bytes_in(repro),
        "verified" if ended and verified else "no",
    )


def main(program: str, bugs: list[str]) -> None:
    totals: dict[str, float] = {}
    print("| bug | who | seconds | queries | operators left | bytes of inputs | ended |\n|---|---|---|---|---|---|---|")
    for bug in bugs:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run([sys.executable, str(MODELS), "gpt", bug, str(folder / "model")], check=True)
            launcher = folder / "model" / "minifier_launcher.py"
            for who in ("culprit", "no-isolate", "isolate"):
                own = folder / who
                own.mkdir()
                if who == "culprit":
                    row = by_culprit(program, launcher, own)
                else:
                    row = by_pytorch(launcher, own, isolate=who == "isolate")
                totals[row.who] = totals.get(row.who, 0.0) + row.seconds
                print(f"| {bug} | {row.who} | {row.seconds:.0f} | {row.queries} | {row.operators} | {row.input_bytes} "
                      f"| {row.ended} |", flush=True)

    print()
    for who, seconds in totals.items():
        print(f"{who}: {seconds:.0f} s, {seconds / totals['Culprit']:.1f} times Culprit's")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2:] or list(BUGS))
