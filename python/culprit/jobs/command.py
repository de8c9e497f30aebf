# SPDX-License-Identifier: Apache-2.0
"""`culprit` in a process of its own: whatever a compiler does there, this one goes on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from culprit import _culprit
from culprit.program import PROGRAM, environment

#: An exit code of the program.
_EAGER_FAILS = 5


class CommandError(RuntimeError):
    """The program could not do its work. The message is what it printed."""


class EagerError(CommandError):
    """Eager itself fails, so that no compiler can be judged."""


def run_command(words: Sequence[str], quiet: bool) -> dict[str, Any]:
    """What it shows of a failure as JSON; empty if there is none. Progress goes to standard error."""
    command = [_program(), *words, "--json"]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = _listen(process, quiet)
            shown = process.stdout.read() if process.stdout else ""
        except BaseException:
            # An interrupt: it keeps what it has, and ends.
            process.terminate()
            raise
    if process.returncode in (0, 1) and shown:
        details = json.loads(shown)
        return details if "repro" in details else {}
    error = EagerError if process.returncode == _EAGER_FAILS else CommandError
    raise error(said.strip() or f"{' '.join(command)}: exit code {process.returncode}")


def _listen(process: subprocess.Popen[str], quiet: bool) -> str:
    lines = []
    for line in process.stderr or ():
        lines.append(line)
        if not quiet:
            sys.stderr.write(line)
            sys.stderr.flush()
    return "".join(lines)


def _program() -> str:
    named = {name: value for name, value, origin in _culprit.settings() if origin != "default"}.get("program")
    found = named or (str(PROGRAM) if PROGRAM.exists() else shutil.which("culprit"))
    if not found:
        raise CommandError("there is no program 'culprit': install the package, or name it in CULPRIT_PROGRAM")
    return found
