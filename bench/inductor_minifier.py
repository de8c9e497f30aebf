# SPDX-License-Identifier: Apache-2.0
"""Culprit beside PyTorch's own minifier, on the same files, each with a cap of five minutes:

    inductor_minifier.py CULPRIT [BUG...]

Each file is what PyTorch writes after AOT for a model with a real bug in the middle. Three run on it in turn: Culprit, and
PyTorch's minifier without and with a process for each query. Everybody starts with empty caches in every row. A table shows
how long each took, how many queries it asked, what it left (operators, bytes of inputs), and how it ended; then come the
limits that Culprit has to keep, and whether it did. Exits with 1 if it did not."""

from __future__ import annotations

import json
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
#: Exceptions are what PyTorch's minifier searches for at TORCHDYNAMO_REPRO_LEVEL=2, wrong numbers at 4.
ACCURACY = {"cumsum_0d": "off", "argmin_transposed": "on", "any_uint8": "on", "remainder_inf": "on"}
CAP_SECONDS = 300
BY_ITSELF, CUT, FAILED = "by itself", "cut", "without a result"


@dataclass
class Run:
    seconds: float
    output: str
    errors: str
    is_cut: bool


@dataclass
class Row:
    """What one of them did with one file; what it does not say is None."""

    seconds: float
    ended: str
    queries: int | None = None
    operators: int | None = None
    input_bytes: int | None = None
    #: Of a repro, in the words of the report.
    verification: str = ""

    def as_cells(self) -> list[str]:
        numbers = (self.queries, self.operators, self.input_bytes)
        return [f"{self.seconds:.0f}", *("?" if number is None else str(number) for number in numbers), self.ended,
                self.verification or "not asked"]


#: By who it is.
Rows = dict[str, Row]
CULPRIT, TOGETHER, ISOLATED = "Culprit", "PyTorch --no-isolate", "PyTorch --isolate"


def run(command: list[str], folder: Path) -> Run:
    """In a process group of its own, which goes when the time is up."""
    environment = dict(os.environ, TORCHINDUCTOR_CACHE_DIR=str(folder / "cache"), XDG_CACHE_HOME=str(folder / "home"))
    output, errors = folder / "output.txt", folder / "errors.txt"
    start = time.monotonic()
    with output.open("w") as out, errors.open("w") as err:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            process.wait(CAP_SECONDS)
            is_cut = False
        except subprocess.TimeoutExpired:
            is_cut = True
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = time.monotonic() - start
    return Run(seconds, output.read_text(errors="replace"), errors.read_text(errors="replace"), is_cut)


def operators_in(text: str) -> int:
    return len(re.findall(r"= torch\.ops\.\w+\.\w+", text))


def bytes_in(text: str) -> int:
    return sum(int(size) for size in re.findall(r"reader\.storage\([^,]+, (\d+)", text))


def by_pytorch(launcher: Path, folder: Path, isolate: bool) -> Row:
    shutil.copy(launcher, folder / "launcher.py")
    flag = "--isolate" if isolate else "--no-isolate"
    ran = run([sys.executable, "launcher.py", "minify", flag], folder)
    made = re.search(r"Made (\d+) queries", ran.errors)
    asked = len(list(folder.glob("isolate/*.py")))
    repro = folder / "repro.py"
    is_whole = "Wrote minimal repro out" in ran.errors
    row = Row(ran.seconds, CUT if ran.is_cut else BY_ITSELF if is_whole else FAILED)
    row.queries = int(made[1]) if made else asked or None
    if repro.exists():
        row.operators, row.input_bytes = operators_in(repro.read_text()), bytes_in(repro.read_text())
    if row.ended == FAILED:
        print((ran.output + ran.errors)[-2000:], file=sys.stderr)
    return row


def by_culprit(program: str, launcher: Path, folder: Path) -> Row:
    ran = run([program, "hunt", str(launcher), "--out", str(folder / "runs"), "--json"], folder)
    try:
        report = json.loads(ran.output)
        queries, after = report["questions"], report["after"]
        summary = Path(report["folder"], "summary.md").read_text()
    except (ValueError, KeyError, TypeError, OSError):
        print((ran.output + ran.errors)[-2000:], file=sys.stderr)
        return Row(ran.seconds, CUT if ran.is_cut else FAILED)
    verification = re.search(r"^- (verified: .*)$", summary, re.MULTILINE)
    words = verification[1].removeprefix("verified: the failure came back in ") if verification else "NOT verified"
    return Row(ran.seconds, BY_ITSELF, queries, after["operators"], after["bytes"], words)


def measure(program: str, bug: str, folder: Path) -> Rows:
    subprocess.run([sys.executable, str(MODELS), "gpt", bug, str(folder / "model"), ACCURACY.get(bug, "on")], check=True)
    launcher = folder / "model" / "minifier_launcher.py"
    rows: Rows = {}
    for who in (CULPRIT, TOGETHER, ISOLATED):
        own = folder / who.replace(" ", "")
        own.mkdir()
        rows[who] = by_culprit(program, launcher, own) if who == CULPRIT else by_pytorch(launcher, own, who == ISOLATED)
        print("|", " | ".join([bug, who, *rows[who].as_cells()]), "|", flush=True)
    return rows


def is_verified(row: Row) -> bool:
    """In processes of their own: one that was started anew, the rest forked."""
    counts = re.match(r"(\d+) of (\d+) processes, (\d+) of them forked", row.verification)
    return counts is not None and counts[1] == counts[2] and int(counts[3]) == int(counts[2]) - 1


def leaves_no_more(rows: Rows) -> bool:
    others = [rows[who].operators for who in (TOGETHER, ISOLATED)]
    ours = rows[CULPRIT].operators
    return ours is not None and all(other is None or ours <= other for other in others)


def total(table: dict[str, Rows], who: str) -> float:
    return sum(rows[who].seconds for rows in table.values())


def limits(table: dict[str, Rows]) -> dict[str, bool]:
    """What Culprit has to keep, over all rows."""
    ours = [rows[CULPRIT] for rows in table.values()]
    halves, tenths = total(table, CULPRIT) / total(table, TOGETHER), total(table, CULPRIT) / total(table, ISOLATED)
    return {
        "every row ends by itself, within the cap": all(row.ended == BY_ITSELF for row in ours),
        "every repro is verified: one fresh process, the others forked": all(map(is_verified, ours)),
        "no more operators are left than by PyTorch's minifier": all(map(leaves_no_more, table.values())),
        f"at most half the time of --no-isolate: {halves:.2f}": halves <= 0.5,
        "in no row slower than --no-isolate": all(
            rows[CULPRIT].seconds <= rows[TOGETHER].seconds for rows in table.values()
        ),
        f"at most a tenth of the time of --isolate: {tenths:.2f}": tenths <= 0.1,
    }


def main(program: str, bugs: list[str]) -> int:
    print("| bug | who | seconds | queries | operators left | bytes of inputs | ended | verified |")
    print("|---|---|---|---|---|---|---|---|")
    table: dict[str, Rows] = {}
    for bug in bugs:
        with tempfile.TemporaryDirectory() as folder:
            table[bug] = measure(program, bug, Path(folder))
    print()
    for who in (CULPRIT, TOGETHER, ISOLATED):
        print(f"{who}: {total(table, who):.0f} s in all")
    print("\nCulprit asks every question in a process of its own. It has to keep these limits:")
    kept = limits(table)
    for limit, is_kept in kept.items():
        print(f"  {'yes' if is_kept else 'NO '}  {limit}")
    return 0 if all(kept.values()) else 1


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:] or list(ACCURACY)))
