# SPDX-License-Identifier: Apache-2.0
"""Programs that may die: each runs in a child that is forked when PyTorch and Dynamo are loaded already."""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import culprit.live.backend
import torch
import torch._dynamo.backends.registry
from culprit.live import names

torch.set_num_threads(1)
torch._dynamo.backends.registry._lazy_import()


@dataclass
class Run:
    """What a program has left."""

    exit_code: int
    out: str
    err: str
    folder: Path

    def folders(self) -> list[Path]:
        """Of runs, by time and name."""
        return sorted(path for path in self.folder.glob("*") if not path.is_symlink())

    def folders_of(self, graph: str) -> list[Path]:
        return [path for path in self.folders() if re.sub(r"^\w+-\d+-|-\d+$", "", path.name) == graph]

    def repro(self) -> Path:
        (folder,) = self.folders()
        return folder / "repro.py"


def run(program: Callable[[], Any], folder: Path, seconds: float = 60) -> Run:
    """Exits with 1 and prints the exception if the program throws; 137 if it takes longer."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            _be_child(program, folder, out.fileno(), err.fileno())
        status = _wait(pid, seconds)
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(status)
        runs = folder / "runs"
        return Run(code if code >= 0 else 128 - code, out.read().decode(), err.read().decode(), runs)


def _be_child(program: Callable[[], Any], folder: Path, out: int, err: int) -> None:
    code = 1
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.chdir(folder)
        # Graphs of the parent are none of this program's.
        names._numbers.clear()
        program()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        # Other functions that are registered for the end belong to the parent.
        culprit._culprit.close_records()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _wait(pid: int, seconds: float) -> int:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]
