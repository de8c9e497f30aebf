# SPDX-License-Identifier: Apache-2.0
"""Where the program in C++ is, which is `culprit` on the PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: Of an installed package.
PROGRAM = Path(__file__).parent / "program" / "bin" / "culprit"


def environment() -> dict[str, str]:
    """For the program: its compilers in Python run in this environment, whether it is active or not."""
    environment = dict(os.environ)
    if sys.prefix != sys.base_prefix:
        environment["VIRTUAL_ENV"] = sys.prefix
    return environment


def installed_command() -> str:
    """`culprit` of this environment, which need not be active; empty if there is none."""
    command = Path(sys.prefix) / "bin" / "culprit"
    return str(command) if command.exists() else ""
