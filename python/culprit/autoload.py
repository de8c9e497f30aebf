# SPDX-License-Identifier: Apache-2.0
"""What PyTorch calls at the end of `import torch` (entry point `torch.backends`), in every process of the environment.

It is there for `culprit exec`, which sets a variable. Without that nothing happens, and nothing is imported.
"""

from __future__ import annotations

import os

#: Set by `culprit exec`.
VARIABLE = "CULPRIT_EXEC"


def start() -> None:
    if not os.environ.get(VARIABLE):
        return
    try:
        from culprit.live.reroute import watch_everything

        watch_everything()
    except Exception as error:
        # The program is not to notice.
        from culprit.live.say import say

        say(f"error: the program is not watched: {type(error).__name__}: {error}")
