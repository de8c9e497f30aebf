# SPDX-License-Identifier: Apache-2.0
"""Runs a program in a process of its own, and says whether it fails as it is expected to."""

from __future__ import annotations

import os
import runpy
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from culprit.servers.phases import without_phase

_DIFFERENT, _RAISED = 1, 2
_MOST_SECONDS = 120
_MOST_SHOWN = 300


@dataclass(frozen=True)
class Trial:
    fails_so: bool
    #: How it ended, in one line.
    said: str


def try_out(program: Path, expected: dict[str, Any]) -> Trial:
    """`expected` is the failure that a repro records."""
    notes = program.with_suffix(".txt")
    child = os.fork()
    if child == 0:
        _run(program, notes)
    status = _wait(child)
    if status is None:
        said = f"no end after {_MOST_SECONDS} s"
    elif status < 0:
        said = f"killed by {signal.Signals(-status).name}"
    else:
        said = notes.read_text() if notes.exists() else ""
    return Trial(_is_expected(status, said, expected), said.partition("\n")[0][:_MOST_SHOWN])


def _run(program: Path, notes: Path) -> None:
    """What it prints goes where the query's output goes. It has as many threads as for its user."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    status = 0
    try:
        runpy.run_path(str(program), run_name="__main__")
    except BaseException as error:
        notes.write_text(f"{type(error).__name__}: {error}")
        status = _DIFFERENT if isinstance(error, AssertionError) else _RAISED
    os._exit(status)


def _wait(child: int) -> int | None:
    deadline = time.monotonic() + _MOST_SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _is_expected(status: int | None, said: str, expected: dict[str, Any]) -> bool:
    kind = expected.get("kind")
    if expected.get("phase") == "compare":
        return status == _DIFFERENT and kind not in ("aliasing", "non-deterministic")
    if kind == "exception":
        name = expected.get("exception", "").rpartition(".")[2]
        beginning = without_phase(expected.get("message", "")).partition(":")[0]
        return status == _RAISED and said.startswith(f"{name}: {beginning}")
    if kind == "signal" and status is not None:
        return status < 0 and signal.Signals(-status).name == expected.get("signal")
    return False
