# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs under `culprit exec`, and the repros that they name in their last lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = os.environ["CULPRIT_PROGRAM"]
_LAST_LINES = re.compile(
    r"\nculprit: graph (?P<graph>\w+)\n"
    r"culprit: repro (?P<repro>\S+/repro\.py)\n"
    r"culprit: to make it small, run: culprit minify (?P=repro)\n\Z"
)


@dataclass(frozen=True)
class Minified:
    """What `culprit minify --json` shows."""

    exit_code: int
    details: dict[str, Any]

    @property
    def operators(self) -> list[str]:
        return [guilty["operator"] for guilty in self.details["guilty"]]


def run_program(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def watched(command: Sequence[str], *options: str) -> list[str]:
    return [PROGRAM, "exec", *options, "--", *command]


def named_at_the_end(err: str) -> tuple[str, Path]:
    """The graph and the repro of the three lines with which the program ends."""
    found = _LAST_LINES.search(err)
    assert found is not None, err
    return found["graph"], Path(found["repro"])


def minify(repro: Path, folder: Path) -> Minified:
    run = run_program([PROGRAM, "minify", str(folder / repro), "--json"], folder)
    assert run.stdout, run.stderr
    return Minified(run.returncode, json.loads(run.stdout))
